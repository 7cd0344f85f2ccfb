'use strict';
// What a transaction costs its first signer.

const { programs } = require('./address');

const perSignature = 5_000n;
const builtin = new Set([programs.system, programs.budget, programs.lookup]);

/**
 * feeOf returns the fee of a message in lamports: 5,000 for each signature, and the price
 * of a unit (in millionths of a lamport) times the limit of units.
 */
function feeOf(message) {
  const { price, limit } = budgetOf(message);
  return Number(perSignature * BigInt(message.header.signatures) + (price * limit + 999_999n) / 1_000_000n);
}

/** priceOf returns what a message offers for a unit, in millionths of a lamport. */
function priceOf(message) {
  return budgetOf(message).price;
}

function budgetOf({ keys, instructions }) {
  let price = 0n;
  let limit = null;
  let usual = 0n;
  for (const { program, data } of instructions) {
    usual += builtin.has(keys[program]) ? 3_000n : 200_000n;
    if (keys[program] !== programs.budget) continue;
    if (data[0] === 2 && data.length === 5) limit = BigInt(data.readUInt32LE(1));
    if (data[0] === 3 && data.length === 9) price = data.readBigUInt64LE(1);
  }
  limit ??= usual;
  return { price, limit: limit < 1_400_000n ? limit : 1_400_000n };
}

module.exports = { feeOf, priceOf };
