'use strict';
// The virtual machine: accounts, and what transactions do to them. It knows the state at
// the tip of the chain only, and neither blocks nor blockhashes.

const native = require('litesvm-linux-x64-gnu');
const base58 = require('./base58');
const { bytes, name, programs } = require('./address');
const txerror = require('./txerror');

/** rentEpoch of all accounts, since none pays rent. */
const rentEpoch = 2n ** 64n - 1n;

/** nothing is an account that is not there: one without lamports. */
const nothing = { lamports: 0n, data: Buffer.alloc(0), owner: programs.system, executable: false };

/**
 * @typedef {object} Account
 * @property {bigint} lamports
 * @property {Buffer} data
 * @property {string} owner
 * @property {boolean} executable
 *
 * @typedef {object} Outcome
 * @property {unknown} err null when all instructions succeeded
 * @property {string[]} logs
 * @property {number} units
 * @property {{index: number, instructions: object[]}[]} inner
 * @property {{program: string, data: Buffer} | null} returned
 * @property {() => Map<string, Account>} [after] accounts that a simulation without an error leaves
 */

class VM {
  constructor() {
    this.svm = new native.LiteSvm();
    this.svm.setBlockhashCheck(false);
    this.svm.setTransactionHistory(0n);
    this.programs = new Map(); // that were read: they are large, and no transaction changes them
  }

  /** @returns {Account | null} */
  get(address) {
    const program = this.programs.get(address);
    if (program) return program;
    const found = this.svm.getAccount(bytes(address));
    if (!found) return null;
    const read = account(found);
    if (read.executable) this.programs.set(address, read);
    return read;
  }

  /** set replaces an account; null removes it. */
  set(address, account) {
    const { lamports, data, owner, executable } = account ?? nothing;
    this.svm.setAccount(bytes(address), new native.Account(lamports, data, bytes(owner), executable, rentEpoch));
  }

  /** run executes a transaction and keeps what it did. */
  run(tx) {
    return outcome(this.svm.sendVersionedTransaction(tx.bytes));
  }

  /** simulate executes a transaction and keeps nothing. */
  simulate(tx, sigVerify) {
    this.svm.setSigverify(sigVerify);
    try {
      const done = this.svm.simulateVersionedTransaction(tx.bytes);
      const after = () => new Map(done.postAccounts().map((a) => [name(a.address), account(a.account())]));
      return { ...outcome(done), after };
    } finally {
      this.svm.setSigverify(true);
    }
  }

  /** begin gives programs the slot and the time of a block, the blocks before it, and a hash for durable nonces. */
  begin(slot, time, before) {
    this.svm.setSlotHashes(before.map((b) => ({ slot: BigInt(b.slot), hash: b.hash })));
    this.svm.expireBlockhash();
    const clock = this.svm.getClock();
    clock.slot = BigInt(slot);
    clock.epoch = BigInt(Math.floor(slot / 432_000));
    clock.leaderScheduleEpoch = clock.epoch + 1n;
    clock.unixTimestamp = BigInt(time);
    this.svm.setClock(clock);
  }

  /** nonceHash is what durable nonces of the block are made of. */
  nonceHash() {
    return base58.decode(this.svm.latestBlockhash());
  }

  rentExempt(size) {
    return this.svm.minimumBalanceForRentExemption(BigInt(size));
  }
}

function account(found) {
  const { buffer, byteOffset, byteLength } = found.data();
  return {
    lamports: found.lamports(),
    data: Buffer.from(buffer, byteOffset, byteLength),
    owner: name(found.owner()),
    executable: found.executable(),
  };
}

/** @returns {Outcome} */
function outcome(done) {
  const failed = done instanceof native.FailedTransactionMetadata;
  const meta = done instanceof native.TransactionMetadata ? done : done.meta();
  const returned = meta.returnData();
  return {
    err: failed ? txerror.fromNative(done.err()) : null,
    logs: meta.logs(),
    units: Number(meta.computeUnitsConsumed()),
    inner: meta.innerInstructions().flatMap((list, index) => (list.length === 0 ? [] : [{ index, instructions: list.map(innerOne) }])),
    returned: returned.data().length === 0 ? null : { program: name(returned.programId()), data: Buffer.from(returned.data()) },
  };
}

function innerOne(inner) {
  const i = inner.instruction();
  return { program: i.programIdIndex(), accounts: [...i.accounts()], data: Buffer.from(i.data()), stackHeight: inner.stackHeight() };
}

/** same reports whether two accounts are alike. */
function same(a, b) {
  if (a === null || b === null) return a === b;
  return a.lamports === b.lamports && a.owner === b.owner && a.executable === b.executable && a.data.equals(b.data);
}

module.exports = { VM, same, rentEpoch };
