'use strict';
// What one node knows of the chain: all of it, or what there was some blocks ago.

const { depth } = require('./chain');

class View {
  /** @param {import('./chain').Chain} chain */
  constructor(chain) {
    this.chain = chain;
    this.lag = 0; // in blocks
  }

  /** tip is the index of the newest block that the node knows. */
  get tip() {
    return Math.max(0, this.chain.tip - this.lag);
  }

  /** index returns the index of the newest block of a commitment. */
  index(commitment) {
    const { root } = this.chain;
    const deep = Math.max(0, this.tip - depth.finalized);
    const final = this.lag === 0 ? root : Math.min(root, deep);
    return commitment === 'finalized' ? final : Math.max(final, this.tip - depth[commitment]);
  }

  block(commitment) {
    return this.chain.blocks[this.index(commitment)];
  }

  /** reached returns the highest commitment of a block that the node knows. */
  reached(block) {
    if (block.index <= this.index('finalized')) return 'finalized';
    return block.index <= this.index('confirmed') ? 'confirmed' : 'processed';
  }

  /** behind is how many slots the node is behind the chain. */
  get behind() {
    return this.chain.blocks[this.chain.tip].slot - this.chain.blocks[this.tip].slot;
  }
}

module.exports = { View };
