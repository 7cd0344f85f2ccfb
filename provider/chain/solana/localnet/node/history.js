'use strict';
// What landed on the present fork, by signature and by account.

/**
 * @typedef {object} Landed
 * @property {import('./transaction').Transaction} tx
 * @property {import('./chain').Block} block
 * @property {string[]} keys all accounts: those of the message, then those that were looked up
 * @property {{writable: string[], readonly: string[]}} loaded
 * @property {unknown} err null when it succeeded
 * @property {number} fee in lamports
 * @property {bigint[]} pre lamports of the keys before
 * @property {bigint[]} post lamports of the keys afterwards
 * @property {object[]} preTokens
 * @property {object[]} postTokens
 * @property {string[]} logs
 * @property {number} units
 * @property {object[]} inner
 * @property {{program: string, data: Buffer} | null} returned
 */

class History {
  constructor() {
    this.bySignature = new Map();
    this.byAddress = new Map();
  }

  /** @param {Landed} landed */
  add(landed) {
    this.bySignature.set(landed.tx.id, landed);
    for (const key of landed.keys) {
      if (!this.byAddress.has(key)) this.byAddress.set(key, []);
      this.byAddress.get(key).push(landed);
    }
  }

  /** remove forgets what landed last. */
  remove(landed) {
    this.bySignature.delete(landed.tx.id);
    for (const key of landed.keys) this.byAddress.get(key).pop();
  }

  /** find returns what landed under a signature in a block up to an index, else null. */
  find(signature, index) {
    const landed = this.bySignature.get(signature);
    return landed && landed.block.index <= index ? landed : null;
  }

  /**
   * list returns what an account took part in, newest first, up to the block with an index.
   * An unknown `before` leaves nothing, an unknown `until` leaves everything.
   */
  list(address, index, { before, until, limit }) {
    const all = this.byAddress.get(address) ?? [];
    let at = all.length - 1;
    if (before !== undefined) at = all.findIndex((l) => l.tx.id === before) - 1;
    const found = [];
    for (; at >= 0 && found.length < limit; at--) {
      if (all[at].tx.id === until) break;
      if (all[at].block.index <= index) found.push(all[at]);
    }
    return found;
  }
}

module.exports = { History };
