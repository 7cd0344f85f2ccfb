'use strict';
// The chain: slots that pass, blocks, forks, and how deep a block lies.

const { createHash, randomBytes } = require('node:crypto');
const { EventEmitter } = require('node:events');
const base58 = require('./base58');
const { State } = require('./state');
const { History } = require('./history');
const { Pool } = require('./pool');
const { land } = require('./landing');

/** A block is confirmed when 2 blocks follow it, and final when 32 do. */
const depth = { processed: 0, confirmed: 2, finalized: 32 };

/** Slots are far ahead of heights from the start: whoever mixes them up is wrong at once. */
const first = { slot: 1_000, height: 400 };

/** recent is how many blocks programs know, newest first. */
const recent = 32;

/** dull is the length of a slot in milliseconds for the clock of a chain that stands still. */
const dull = 400;

/**
 * @typedef {object} Block
 * @property {number} index its place in the chain; its height less that of the first block
 * @property {number} slot
 * @property {number} height
 * @property {string} hash
 * @property {Block | null} parent
 * @property {number} time in seconds since 1970
 * @property {Map<string, import('./vm').Account | null>} before accounts that it replaced
 * @property {import('./history').Landed[]} landed
 */

/** Chain emits `block` with each block, and `fork` with the last block that stays. */
class Chain extends EventEmitter {
  /**
   * @param {import('./vm').VM} vm with the accounts that the chain begins with
   * @param {{slotMs: number, skipEvery: number}} options
   */
  constructor(vm, { slotMs, skipEvery }) {
    super();
    this.setMaxListeners(0); // every node listens
    this.skipEvery = skipEvery;
    this.genesis = Math.floor(Date.now() / 1000);
    this.genesisHash = base58.encode(createHash('sha256').update('localnet').update(randomBytes(16)).digest());
    this.nonce = randomBytes(16).toString('hex'); // no two chains have a blockhash in common
    this.clockMs = slotMs || dull;
    this.vm = vm;
    this.blocks = [];
    this.byHash = new Map();
    this.state = new State(this.vm, this.blocks);
    this.history = new History();
    this.pool = new Pool();
    this.forks = 0;
    this.root = 0; // the index of the newest final block
    this.slot = first.slot;
    this.losing = [];
    this.produce();
    while (this.blocks.length <= depth.finalized + 8) this.pass();
    this.run(slotMs);
  }

  get tip() {
    return this.blocks.length - 1;
  }

  /** run lets slots of a length in milliseconds pass from now on; 0 stops the chain. */
  run(slotMs) {
    clearInterval(this.timer);
    if (slotMs > 0) this.timer = setInterval(() => this.pass(), slotMs);
  }

  /** pass lets the next slot pass. It reports whether there was a block: the numbers of some slots say that they have none. */
  pass() {
    this.slot++;
    if (this.skipEvery > 0 && this.slot % this.skipEvery === 0) return false;
    this.produce();
    return true;
  }

  /** skip lets slots pass without a block. */
  skip(slots) {
    this.slot += slots;
  }

  produce() {
    const block = this.next();
    this.vm.begin(block.slot, block.time, this.blocks.slice(-recent).reverse());
    for (const item of this.pool.due(block.slot)) {
      const landed = land(this, item.tx, block);
      if (!landed) continue;
      block.landed.push(landed);
      this.history.add(landed);
      if (item.lose) this.losing.push({ ...item.lose, landed });
    }
    this.blocks.push(block);
    this.byHash.set(block.hash, block);
    this.root = Math.max(this.root, this.tip - depth.finalized);
    this.state.forget();
    this.emit('block', block);
    this.loseForks();
  }

  /** @returns {Block} */
  next() {
    const parent = this.blocks[this.tip] ?? null;
    const seed = `${this.nonce} ${parent?.hash} ${this.slot} ${this.forks}`;
    return {
      index: this.blocks.length,
      slot: this.slot,
      height: first.height + this.blocks.length,
      hash: base58.encode(createHash('sha256').update(seed).digest()),
      parent,
      time: this.genesis + Math.floor(((this.slot - first.slot) * this.clockMs) / 1000),
      before: new Map(),
      landed: [],
    };
  }

  /** loseForks loses the blocks of transactions whose time has come. */
  loseForks() {
    const due = this.losing.filter(({ landed, blocks }) => this.tip - landed.block.index >= blocks);
    if (due.length === 0) return;
    const gone = new Set(due.filter(({ again }) => !again).map(({ landed }) => landed.tx.id));
    this.fork(this.tip + 1 - Math.min(...due.map(({ landed }) => landed.block.index)), (tx) => !gone.has(tx.id));
  }

  /**
   * fork loses the last blocks, none of which is final. Their slots count as skipped, their
   * hashes are dead, and accounts are what they were. Transactions that again accepts wait
   * for the next block of the new fork.
   */
  fork(blocks, again) {
    const waiting = [];
    for (let i = 0; i < blocks; i++) {
      const block = this.blocks.pop();
      this.state.undo(block);
      this.byHash.delete(block.hash);
      for (const landed of [...block.landed].reverse()) {
        this.history.remove(landed);
        if (again(landed.tx)) waiting.unshift(landed.tx);
      }
    }
    this.forks++;
    this.losing = this.losing.filter(({ landed }) => landed.block.index <= this.tip);
    for (const tx of waiting) this.pool.back(tx, this.slot);
    this.emit('fork', this.blocks[this.tip]);
  }

  /** end stops the chain and leaves its virtual machine as it was before. */
  end() {
    clearInterval(this.timer);
    this.state.restore();
  }
}

module.exports = { Chain, depth };
