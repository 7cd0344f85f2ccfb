'use strict';
// Blocks.

const { RpcError, invalid, options, required, settled, at, integer, oneOf } = require('./params');
const { transaction, accounts, metaOf, requireVersion } = require('./encode');

/** find returns the block of a slot, and refuses a slot that has none. */
function find(node, slot, tip) {
  if (slot > tip.slot) throw new RpcError(-32004, `Block not available for slot ${slot}`);
  const block = bySlot(node.chain.blocks, slot, tip.index);
  if (!block) throw new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
  return block;
}

function bySlot(blocks, slot, last) {
  const i = from(blocks, slot);
  return i <= last && blocks[i].slot === slot ? blocks[i] : null;
}

/** from returns the index of the first block whose slot is not below the given one. */
function from(blocks, slot) {
  let low = 0;
  for (let high = blocks.length; low < high;) {
    const middle = (low + high) >> 1;
    if (blocks[middle].slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** contents returns the transactions of a block in the detail that a call asks for. */
function contents(block, given) {
  const detail = oneOf(given.transactionDetails ?? 'full', ['full', 'signatures', 'none', 'accounts']);
  if (detail === 'none') return {};
  if (detail === 'signatures') return { signatures: block.landed.map(({ tx }) => tx.id) };
  if (detail === 'full') return { transactions: block.landed.map((landed) => transaction(landed, given)) };
  return { transactions: block.landed.map((landed) => withAccounts(landed, given)) };
}

function withAccounts(landed, given) {
  requireVersion(landed.tx, given);
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = metaOf(landed, true);
  return {
    transaction: { signatures: landed.tx.signatures, accountKeys: accounts(landed) },
    meta: { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    ...(given.maxSupportedTransactionVersion === undefined ? {} : { version: landed.tx.message.version }),
  };
}

/** range refuses more slots than a node searches at once. */
function range(start, end) {
  if (end - start > 500_000) throw invalid('Slot range too large; max 500000');
}

const methods = {
  getBlock(node, params) {
    required(params, 1);
    const given = typeof params[1] === 'string' ? { encoding: params[1] } : options(params, 1);
    settled(given);
    const block = find(node, integer(params[0], 'slot'), at(node, given));
    return {
      blockhash: block.hash,
      previousBlockhash: block.parent?.hash ?? node.chain.genesisHash,
      parentSlot: block.parent?.slot ?? 0,
      blockTime: block.time,
      blockHeight: block.height,
      ...contents(block, given),
      ...(given.rewards === false ? {} : { rewards: [] }),
    };
  },

  getBlockTime(node, params) {
    required(params, 1);
    return find(node, integer(params[0], 'slot'), at(node, { commitment: 'confirmed' })).time;
  },

  getBlocks(node, params) {
    required(params, 1);
    const given = typeof params[1] === 'number' ? options(params, 2) : options(params, params[1] === null ? 2 : 1);
    settled(given);
    const tip = at(node, given);
    const start = integer(params[0], 'start slot');
    const end = typeof params[1] === 'number' ? integer(params[1], 'end slot') : tip.slot;
    range(start, end);
    const { blocks } = node.chain;
    return blocks.slice(from(blocks, start), from(blocks, Math.min(end, tip.slot) + 1)).map(({ slot }) => slot);
  },
};

module.exports = { methods };
