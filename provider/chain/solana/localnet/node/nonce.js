'use strict';
// Durable nonces: a transaction whose first instruction advances a nonce account may name
// the nonce instead of a blockhash, and never goes out of date.

const { createHash } = require('node:crypto');
const base58 = require('./base58');
const { programs } = require('./address');

const advance = 4;

/** accountOf returns the nonce account that a message advances first, null without one. */
function accountOf({ keys, instructions: [first] }) {
  const is = first && keys[first.program] === programs.system && first.data.length >= 4 && first.data.readUInt32LE(0) === advance;
  return is && first.accounts.length > 0 ? keys[first.accounts[0]] ?? null : null;
}

/** valueOf returns the nonce that an account holds, null when it holds none. */
function valueOf(account) {
  const { owner, data } = account ?? {};
  const is = owner === programs.system && data.length === 80 && data.readUInt32LE(0) === 1 && data.readUInt32LE(4) === 1;
  return is ? base58.encode(data.subarray(40, 72)) : null;
}

/** advanced returns a nonce account with the nonce that follows from a blockhash. */
function advanced(account, blockhash) {
  const data = Buffer.from(account.data);
  createHash('sha256').update('DURABLE_NONCE').update(blockhash).digest().copy(data, 40);
  return { ...account, data };
}

module.exports = { accountOf, valueOf, advanced };
