'use strict';
// How a transaction lands in a block, or does not.

const token = require('./token');
const nonce = require('./nonce');
const txerror = require('./txerror');
const { name, programs } = require('./address');
const { feeOf } = require('./fee');
const { isWritable } = require('./transaction');

/** life is for how many blocks after its own a blockhash is recent. */
const life = 150;

/**
 * isRecent reports whether a blockhash is recent for what follows the block with an index:
 * it is the hash of one of the last 150 blocks of this fork, or of the block itself.
 */
function isRecent(chain, hash, index) {
  const block = chain.byHash.get(hash);
  return block !== undefined && block.index <= index && index - block.index <= life;
}

/** isTimely reports whether a message may follow a block, by its blockhash or its nonce. */
function isTimely(chain, message, index) {
  if (isRecent(chain, message.blockhash, index)) return true;
  const account = nonce.accountOf(message);
  return account !== null && nonce.valueOf(chain.state.at(account, index)) === message.blockhash;
}

/** lookUp returns the accounts that a message names through tables, null when it cannot. */
function lookUp(message, get) {
  const loaded = { writable: [], readonly: [] };
  for (const { table, writable, readonly } of message.lookups) {
    const found = get(table);
    if (found?.owner !== programs.lookup) return null;
    const entry = (i) => found.data.subarray(56 + 32 * i, 88 + 32 * i);
    if ([...writable, ...readonly].some((i) => entry(i).length !== 32)) return null;
    loaded.writable.push(...writable.map((i) => name(entry(i))));
    loaded.readonly.push(...readonly.map((i) => name(entry(i))));
  }
  return loaded;
}

/** holdings are the tokens of accounts as answers have them. */
function holdings(keys, accounts, vm) {
  const mintOf = (address) => token.mint(keys.includes(address) ? accounts[keys.indexOf(address)] : vm.get(address));
  return accounts.flatMap((account, accountIndex) => {
    const held = token.holder(account);
    const decimals = held && mintOf(held.mint)?.decimals;
    if (!held || decimals === undefined) return [];
    const amount = token.ui(held.amount, decimals);
    return [{
      accountIndex, mint: held.mint, owner: held.owner, programId: account.owner,
      uiTokenAmount: { ...amount, uiAmount: held.amount === 0n ? null : amount.uiAmount },
    }];
  });
}

/**
 * land executes a transaction in a block. It returns null for one that vanishes: it landed
 * on this fork before, is out of date, is not signed, or cannot pay its fee.
 * @returns {import('./history').Landed | null}
 */
function land(chain, tx, block) {
  const { vm, state } = chain;
  const { message } = tx;
  if (chain.history.bySignature.has(tx.id) || !isTimely(chain, message, block.index - 1)) return null;
  const loaded = lookUp(message, (address) => vm.get(address));
  if (!loaded) return null;
  const keys = [...message.keys, ...loaded.writable, ...loaded.readonly];
  if (new Set(keys).size !== keys.length) return null;
  const before = keys.map((key) => vm.get(key));
  const preTokens = holdings(keys, before, vm);
  const outcome = vm.run(tx);
  const fee = feeOf(message);
  if (outcome.err !== null && !settle(vm, message, outcome.err, before[0], fee)) return null;
  if (outcome.err !== null) advanceNonce(vm, message);
  const after = keys.map((key, i) => (isWritable(message, i, loaded) ? vm.get(key) : before[i]));
  keys.forEach((key, i) => state.changed(block, key, before[i], after[i]));
  const lamports = (account) => account?.lamports ?? 0n;
  return {
    tx, block, keys, loaded, fee, ...outcome, preTokens,
    pre: before.map(lamports), post: after.map(lamports), postTokens: holdings(keys, after, vm),
  };
}

/** settle reports whether a failed transaction has paid its fee, and takes some fees that the virtual machine leaves. */
function settle(vm, message, err, payer, fee) {
  const now = vm.get(message.keys[0]);
  if ((now?.lamports ?? 0n) !== (payer?.lamports ?? 0n)) return true;
  if (!txerror.payable.has(err) || !payer || payer.lamports < BigInt(fee)) return false;
  vm.set(message.keys[0], { ...payer, lamports: payer.lamports - BigInt(fee) });
  return true;
}

/** advanceNonce uses up the nonce of a transaction that failed, so that it does not land again. */
function advanceNonce(vm, message) {
  const address = nonce.accountOf(message);
  const account = address && vm.get(address);
  if (nonce.valueOf(account) === message.blockhash) vm.set(address, nonce.advanced(account, vm.nonceHash()));
}

module.exports = { life, isRecent, isTimely, lookUp, land };
