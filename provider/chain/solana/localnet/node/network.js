'use strict';
// The network: one chain, its faucet, and the nodes that answer for it.

const { VM } = require('./vm');
const { Chain } = require('./chain');
const { Faucet } = require('./faucet');
const { Node } = require('./node');

class Network {
  /** @param {{slotMs: number, skipEvery: number}} options */
  constructor(options) {
    this.options = options;
    this.vm = new VM(); // the only one: a process never gets the memory of a machine back
    this.begin();
    this.nodes = [new Node(this)];
  }

  begin() {
    this.chain = new Chain(this.vm, this.options);
    this.faucet = new Faucet(this.chain);
  }

  /** listen serves the first node. */
  listen(port) {
    return this.nodes[0].listen(port);
  }

  /** peer starts one more node and returns its URL. */
  async peer() {
    const node = new Node(this);
    const url = await node.listen(0);
    this.nodes.push(node);
    return url;
  }

  /** leave ends a peer. */
  leave(node) {
    this.nodes = this.nodes.filter((n) => n !== node);
    node.close();
  }

  /** reset begins a new chain. All nodes follow it, without faults and subscriptions. */
  reset(options) {
    this.options = { ...this.options, ...options };
    this.chain.end();
    this.begin();
    for (const node of this.nodes) node.join();
  }
}

module.exports = { Network };
