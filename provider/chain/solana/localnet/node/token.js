'use strict';
// The accounts of the token programs: mints, and accounts that hold tokens.

const { isTokenProgram, name } = require('./address');

const holderSize = 165;
const mintSize = 82;
const states = ['uninitialized', 'initialized', 'frozen'];

const option = (data, at) => (data.readUInt32LE(at) === 1 ? name(data.subarray(at + 4, at + 36)) : null);

/**
 * holder reads an account that holds tokens. It returns null for any other account.
 * @param {import('./vm').Account | null} account
 */
function holder(account) {
  if (!account || !isTokenProgram(account.owner)) return null;
  const { data } = account;
  const fits = data.length === holderSize || (data.length > holderSize && data[holderSize] === 2);
  if (!fits || data[108] === 0) return null;
  return {
    mint: name(data.subarray(0, 32)),
    owner: name(data.subarray(32, 64)),
    amount: data.readBigUInt64LE(64),
    state: states[data[108]],
  };
}

/** rights reads what others than the owner may do with an account that holds tokens. */
function rights({ data }) {
  return {
    isNative: data.readUInt32LE(109) === 1,
    delegate: option(data, 72),
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: option(data, 129),
  };
}

/** mint reads a mint. It returns null for any other account. */
function mint(account) {
  if (!account || !isTokenProgram(account.owner)) return null;
  const { data } = account;
  const fits = data.length === mintSize || (data.length > holderSize && data[holderSize] === 1);
  if (!fits || data[45] === 0) return null;
  return {
    mintAuthority: option(data, 0), supply: data.readBigUInt64LE(36), decimals: data[44], freezeAuthority: option(data, 46),
  };
}

/** mintData writes a mint without supply, whose authority mints and freezes. */
function mintData(decimals, authority) {
  const data = Buffer.alloc(mintSize);
  data.writeUInt32LE(1, 0);
  authority.copy(data, 4);
  data[44] = decimals;
  data[45] = 1;
  data.writeUInt32LE(1, 46);
  authority.copy(data, 50);
  return data;
}

/** ui writes an amount as the answers of a node have it. */
function ui(amount, decimals) {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return {
    amount: amount.toString(), decimals, uiAmount: Number(amount) / 10 ** decimals, uiAmountString: rest ? `${whole}.${rest}` : whole,
  };
}

module.exports = { mintSize, holder, rights, mint, mintData, ui };
