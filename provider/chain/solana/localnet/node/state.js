'use strict';
// Accounts as of any block of the chain. The virtual machine has those of the tip; every
// block keeps what it replaced, so that what came after a block can be undone.

const { same } = require('./vm');
const token = require('./token');

/** kept is for how many blocks below the tip the state is known. */
const kept = 1_000;

class State {
  /**
   * @param {import('./vm').VM} vm
   * @param {import('./chain').Block[]} blocks
   */
  constructor(vm, blocks) {
    this.vm = vm;
    this.blocks = blocks;
    this.holders = new Map(); // owner to all accounts that ever held tokens for it
    this.first = new Map(); // what the accounts were that any block replaced
  }

  /** at returns an account as of the block with an index, null when there is none. */
  at(address, index) {
    const found = this.replaced(address, index);
    return found === undefined ? this.vm.get(address) : found;
  }

  /** replaced returns what an account was as of a block, undefined when it is so still. */
  replaced(address, index) {
    for (let i = index + 1; i < this.blocks.length; i++) {
      const before = this.blocks[i].before.get(address);
      if (before !== undefined) return before;
    }
    return undefined;
  }

  /** asOf does some work while the virtual machine has accounts as of a block. */
  asOf(index, addresses, work) {
    const present = new Map();
    for (const address of addresses) {
      const past = this.replaced(address, index);
      if (past === undefined) continue;
      present.set(address, this.vm.get(address));
      this.vm.set(address, past);
    }
    try {
      return work();
    } finally {
      for (const [address, account] of present) this.vm.set(address, account);
    }
  }

  /** changed notes that a block replaced an account. */
  changed(block, address, before, after) {
    if (before === after || same(before, after)) return;
    if (!block.before.has(address)) block.before.set(address, before);
    if (!this.first.has(address)) this.first.set(address, before);
    const held = token.holder(after);
    if (!held) return;
    if (!this.holders.has(held.owner)) this.holders.set(held.owner, new Set());
    this.holders.get(held.owner).add(address);
  }

  /** heldBy returns the accounts that hold tokens for an owner as of a block. */
  heldBy(owner, index) {
    const found = [];
    for (const address of this.holders.get(owner) ?? []) {
      const account = this.at(address, index);
      const held = token.holder(account);
      if (held?.owner === owner) found.push({ address, account, held });
    }
    return found;
  }

  /** undo gives the accounts back that a block at the tip replaced. */
  undo(block) {
    for (const [address, before] of block.before) this.vm.set(address, before);
  }

  /** restore gives all accounts back that the chain ever replaced. */
  restore() {
    for (const [address, account] of this.first) this.vm.set(address, account);
  }

  /** forget drops what nobody asks for any more. */
  forget() {
    const old = this.blocks.length - 1 - kept;
    if (old >= 0) this.blocks[old].before = new Map();
  }
}

module.exports = { State };
