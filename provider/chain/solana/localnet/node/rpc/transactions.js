'use strict';
// What landed: statuses, lists of signatures, transactions.

const { options, required, settled, at, within, signature, pubkey, list, integer, invalid } = require('./params');
const { transaction, statusOf, memoOf } = require('./encode');
const { depth } = require('../chain');

/** remembered is for how many slots a status is in the answer without a search of the history. */
const remembered = 300;

/** find returns what the node knows of a signature, null when it knows nothing or denies it. */
function find(node, id, index) {
  return node.denies(id) ? null : node.chain.history.find(id, index);
}

function status(node, landed) {
  const confirmationStatus = node.view.reached(landed.block);
  return {
    slot: landed.block.slot,
    confirmations: confirmationStatus === 'finalized' ? null : Math.min(node.view.tip - landed.block.index, depth.finalized - 1),
    err: landed.err,
    status: statusOf(landed.err),
    confirmationStatus,
  };
}

const methods = {
  getSignatureStatuses(node, params) {
    required(params, 1);
    const ids = list(params[0], 256, 'Too many inputs provided; max 256').map(signature);
    const { searchTransactionHistory } = options(params, 1);
    const tip = node.view.block('processed');
    return within(tip, ids.map((id) => {
      const landed = find(node, id, node.view.tip);
      const forgotten = landed && tip.slot - landed.block.slot > remembered && !searchTransactionHistory;
      return !landed || forgotten ? null : status(node, landed);
    }));
  },

  getSignaturesForAddress(node, params) {
    required(params, 1);
    const given = options(params, 1);
    settled(given);
    const { before, until, limit = 1000 } = given;
    if (before !== undefined) signature(before);
    if (until !== undefined) signature(until);
    if (integer(limit, 'limit') === 0 || limit > 1000) throw invalid('Invalid limit; max 1000');
    const found = node.chain.history.list(pubkey(params[0]), at(node, given).index, { before, until, limit });
    return found.filter(({ tx }) => !node.denies(tx.id)).map((landed) => ({
      signature: landed.tx.id,
      slot: landed.block.slot,
      err: landed.err,
      memo: memoOf(landed),
      blockTime: landed.block.time,
      confirmationStatus: node.view.reached(landed.block),
    }));
  },

  getTransaction(node, params) {
    required(params, 1);
    const given = typeof params[1] === 'string' ? { encoding: params[1] } : options(params, 1);
    settled(given);
    const landed = find(node, signature(params[0]), at(node, given).index);
    if (!landed) return null;
    return { slot: landed.block.slot, blockTime: landed.block.time, ...transaction(landed, given) };
  },
};

module.exports = { methods };
