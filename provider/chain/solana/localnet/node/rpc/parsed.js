'use strict';
// Instructions in words, for callers that ask for jsonParsed: transfers of lamports and
// tokens, token accounts, memos. Any other has its accounts and its data.

const base58 = require('../base58');
const { ui } = require('../token');
const { programs } = require('../address');

const u64 = (data, at) => data.readBigUInt64LE(at);
const text = (n) => n.toString();

/** system has the instructions of the system program by their number. */
const system = {
  0: { type: 'createAccount', size: 52, info: (a, d) => ({ source: a[0], newAccount: a[1], lamports: Number(u64(d, 4)), space: Number(u64(d, 12)), owner: base58.encode(d.subarray(20, 52)) }) },
  2: { type: 'transfer', size: 12, info: (a, d) => ({ source: a[0], destination: a[1], lamports: Number(u64(d, 4)) }) },
  4: { type: 'advanceNonce', size: 4, info: (a) => ({ nonceAccount: a[0], recentBlockhashesSysvar: a[1], nonceAuthority: a[2] }) },
};

/** signed names the authority of a token instruction, or its several signers. */
const signed = (role, a, at) => (a.length > at + 1
  ? { [`multisig${role[0].toUpperCase()}${role.slice(1)}`]: a[at], signers: a.slice(at + 1) }
  : { [role]: a[at] });

/** tokens has the instructions of the token programs by their number. */
const tokens = {
  3: { type: 'transfer', size: 9, accounts: 3, info: (a, d) => ({ source: a[0], destination: a[1], amount: text(u64(d, 1)), ...signed('authority', a, 2) }) },
  7: { type: 'mintTo', size: 9, accounts: 3, info: (a, d) => ({ mint: a[0], account: a[1], amount: text(u64(d, 1)), ...signed('mintAuthority', a, 2) }) },
  8: { type: 'burn', size: 9, accounts: 3, info: (a, d) => ({ account: a[0], mint: a[1], amount: text(u64(d, 1)), ...signed('authority', a, 2) }) },
  9: { type: 'closeAccount', size: 1, accounts: 3, info: (a) => ({ account: a[0], destination: a[1], ...signed('owner', a, 2) }) },
  10: { type: 'freezeAccount', size: 1, accounts: 3, info: (a) => ({ account: a[0], mint: a[1], ...signed('freezeAuthority', a, 2) }) },
  11: { type: 'thawAccount', size: 1, accounts: 3, info: (a) => ({ account: a[0], mint: a[1], ...signed('freezeAuthority', a, 2) }) },
  12: { type: 'transferChecked', size: 10, accounts: 4, info: (a, d) => ({ source: a[0], mint: a[1], destination: a[2], tokenAmount: ui(u64(d, 1), d[9]), ...signed('authority', a, 3) }) },
  14: { type: 'mintToChecked', size: 10, accounts: 3, info: (a, d) => ({ mint: a[0], account: a[1], tokenAmount: ui(u64(d, 1), d[9]), ...signed('mintAuthority', a, 2) }) },
  18: { type: 'initializeAccount3', size: 33, accounts: 2, info: (a, d) => ({ account: a[0], mint: a[1], owner: base58.encode(d.subarray(1, 33)) }) },
  20: { type: 'initializeMint2', size: 35, accounts: 1, info: (a, d) => ({ mint: a[0], decimals: d[1], mintAuthority: base58.encode(d.subarray(2, 34)) }) },
  22: { type: 'initializeImmutableOwner', size: 1, accounts: 1, info: (a) => ({ account: a[0] }) },
};

const associatedInfo = (a) => ({ source: a[0], account: a[1], wallet: a[2], mint: a[3], systemProgram: a[4], tokenProgram: a[5] });

/** known returns the words for an instruction, null when there are none. */
function known(program, accounts, data) {
  if (program.startsWith('Memo')) return { program: 'spl-memo', parsed: data.toString('utf8') };
  if (program === programs.associated && accounts.length >= 6) {
    return { program: 'spl-associated-token-account', parsed: { type: data[0] === 1 ? 'createIdempotent' : 'create', info: associatedInfo(accounts) } };
  }
  if (program === programs.system) return from('system', data.length >= 4 ? system[data.readUInt32LE(0)] : null, accounts, data);
  if (program === programs.token) return from('spl-token', tokens[data[0]], accounts, data);
  if (program === programs.token2022) return from('spl-token-2022', tokens[data[0]], accounts, data);
  return null;
}

function from(program, words, accounts, data) {
  if (!words || data.length < words.size || accounts.length < (words.accounts ?? 0)) return null;
  return { program, parsed: { type: words.type, info: words.info(accounts, data) } };
}

/** parsed returns an instruction in words where there are words for it. */
function parsed({ program, accounts, data }, keys, stackHeight) {
  const programId = keys[program];
  const named = accounts.map((i) => keys[i]);
  const words = known(programId, named, data);
  return words ? { ...words, programId, stackHeight } : { programId, accounts: named, data: base58.encode(data), stackHeight };
}

module.exports = { parsed };
