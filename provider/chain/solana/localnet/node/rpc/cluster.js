'use strict';
// What a node says of itself and of the chain.

const { RpcError, options, commitmentOf, at, within, apiVersion, integer, required } = require('./params');
const { isRecent, life } = require('../landing');
const { priceOf } = require('../fee');

/** healthy is how many slots a node may be behind before it says so. */
const healthy = 128;

/** requireHealthy refuses when the node is too far behind. */
function requireHealthy(node) {
  const { behind } = node.view;
  if (behind > healthy) throw new RpcError(-32005, `Node is behind by ${behind} slots`, { numSlotsBehind: behind });
}

const methods = {
  getGenesisHash: (node) => node.chain.genesisHash,

  getVersion: () => ({ 'solana-core': apiVersion, 'feature-set': 0 }),

  getHealth(node) {
    requireHealthy(node);
    return 'ok';
  },

  getSlot: (node, params) => at(node, options(params, 0)).slot,

  getBlockHeight: (node, params) => at(node, options(params, 0)).height,

  /** All of a localnet is one epoch. */
  getEpochInfo(node, params) {
    const { slot, height } = at(node, options(params, 0));
    return { absoluteSlot: slot, blockHeight: height, epoch: 0, slotIndex: slot, slotsInEpoch: 432_000, transactionCount: null };
  },

  getLatestBlockhash(node, params) {
    const block = at(node, options(params, 0));
    return within(block, { blockhash: block.hash, lastValidBlockHeight: block.height + life });
  },

  isBlockhashValid(node, params) {
    required(params, 1);
    const block = at(node, options(params, 1));
    return within(block, isRecent(node.chain, params[0], block.index));
  },

  getMinimumBalanceForRentExemption(node, params) {
    required(params, 1);
    commitmentOf(options(params, 1));
    return Number(node.chain.vm.rentExempt(integer(params[0], 'data length', 10 * 1024 * 1024)));
  },

  /** The least price in each of the last 150 blocks; those of the accounts alone when some are named. */
  getRecentPrioritizationFees(node, params) {
    const accounts = new Set(params[0] ?? []);
    const { tip } = node.view;
    return node.chain.blocks.slice(Math.max(0, tip - 149), tip + 1).map((block) => {
      const paid = block.landed.filter(({ keys }) => accounts.size === 0 || keys.some((k) => accounts.has(k)));
      const prices = paid.map(({ tx }) => Number(priceOf(tx.message)));
      return { slot: block.slot, prioritizationFee: prices.length === 0 ? 0 : Math.min(...prices) };
    });
  },
};

module.exports = { methods, requireHealthy };
