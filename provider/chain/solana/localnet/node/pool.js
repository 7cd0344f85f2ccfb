'use strict';
// Transactions that were submitted and have not landed, and the fates that tests give them.

/**
 * @typedef {object} Fate what becomes of some submissions
 * @property {'drop' | 'late' | 'lose'} kind
 * @property {number} calls of how many submissions
 * @property {number} [slots] late: how many slots later they land
 * @property {number} [blocks] lose: how many blocks follow before the fork is lost
 * @property {boolean} [again] lose: whether they land again on the new fork
 */

class Pool {
  constructor() {
    this.waiting = new Map();
    /** @type {Fate[]} */
    this.fates = [];
  }

  /** submit takes a transaction up that lands from a slot on. One that waits already keeps its fate. */
  submit(tx, slot) {
    if (this.waiting.has(tx.id)) return;
    const fate = this.next();
    if (fate?.kind === 'drop') return;
    this.waiting.set(tx.id, { tx, from: slot + (fate?.kind === 'late' ? fate.slots : 0), lose: fate?.kind === 'lose' ? fate : null });
  }

  /** back takes a transaction up again whose block was lost. */
  back(tx, slot) {
    this.waiting.set(tx.id, { tx, from: slot, lose: null });
  }

  next() {
    const fate = this.fates[0];
    if (fate && --fate.calls <= 0) this.fates.shift();
    return fate;
  }

  /** due removes and returns what may land in a slot, in the order of submission. */
  due(slot) {
    const found = [...this.waiting.values()].filter((item) => item.from <= slot);
    for (const item of found) this.waiting.delete(item.tx.id);
    return found;
  }
}

module.exports = { Pool };
