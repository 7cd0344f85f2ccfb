'use strict';
// Subscriptions of the WebSocket of one node.

const { invalid, options, required, commitmentOf, pubkey, signature, within, list } = require('./rpc/params');
const { encoded } = require('./rpc/accounts');
const token = require('./token');
const { programs } = require('./address');
const { depth } = require('./chain');

const gone = { lamports: 0n, data: Buffer.alloc(0), owner: programs.system, executable: false };

/** kinds have what is subscribed to, and what each block of the commitment tells of it. */
const kinds = {
  account: {
    read([address, given]) {
      return { address: pubkey(address), commitment: commitmentOf(given), given };
    },
    tell(node, block, { address, given }) {
      if (!block.before.has(address)) return [];
      const get = (a) => node.chain.state.at(a, block.index);
      return [within(block, encoded(get(address) ?? gone, given, (m) => token.mint(get(m))))];
    },
  },
  signature: {
    once: true,
    read([id, given]) {
      return { id: signature(id), commitment: commitmentOf(given) };
    },
    tell(node, block, { id }) {
      const landed = node.denies(id) ? null : block.landed.find(({ tx }) => tx.id === id);
      return landed ? [within(block, { err: landed.err })] : [];
    },
  },
  logs: {
    read([filter, given]) {
      return { mentions: mentioned(filter), commitment: commitmentOf(given) };
    },
    tell(node, block, { mentions }) {
      const told = block.landed.filter(({ tx, keys }) => !node.denies(tx.id) && (!mentions || keys.includes(mentions)));
      return told.map(({ tx, err, logs }) => within(block, { signature: tx.id, err, logs }));
    },
  },
  slot: {
    read: () => ({ commitment: 'processed' }),
    tell: (node, block) => [{ parent: block.parent?.slot ?? 0, root: node.view.block('finalized').slot, slot: block.slot }],
  },
};

function mentioned(filter) {
  if (filter === 'all' || filter === 'allWithVotes') return null;
  const addresses = list(filter?.mentions, 1, 'Invalid Request: Only 1 address supported');
  if (addresses.length === 0) throw invalid('Invalid Request: Only 1 address supported');
  return pubkey(addresses[0]);
}

class Subscriptions {
  /** @param {import('./node').Node} node */
  constructor(node) {
    this.node = node;
    this.count = 0;
    this.all = new Map();
    this.start();
  }

  /** start tells of the blocks that follow from now on. */
  start() {
    this.all.clear();
    this.told = Object.fromEntries(Object.keys(depth).map((c) => [c, this.node.view.index(c)]));
  }

  /** add subscribes somebody who is told through send. It returns the number of the subscription. */
  add(kind, params, owner, send) {
    if (kind !== 'slot') required(params, 1);
    const wanted = kinds[kind].read([params[0], options(params, 1)]);
    const id = ++this.count;
    this.all.set(id, { id, kind, wanted, owner, send });
    return id;
  }

  /** remove ends a subscription of an owner and reports whether there was one. */
  remove(id, owner) {
    return this.all.get(id)?.owner === owner && this.all.delete(id);
  }

  /** leave ends all subscriptions of an owner. */
  leave(owner) {
    for (const s of [...this.all.values()]) if (s.owner === owner) this.all.delete(s.id);
  }

  /** recall tells of a signature that landed before somebody subscribed to it. */
  recall(id) {
    const subscription = this.all.get(id);
    if (subscription?.kind !== 'signature') return;
    const { view, chain } = this.node;
    const landed = chain.history.find(subscription.wanted.id, view.index(subscription.wanted.commitment));
    if (landed) this.tell(subscription, landed.block);
  }

  /** advance tells of the blocks that have reached each commitment since the last time. */
  advance() {
    const { view, chain } = this.node;
    for (const commitment of Object.keys(depth)) {
      const to = view.index(commitment);
      for (let i = this.told[commitment] + 1; i <= to; i++) this.publish(commitment, chain.blocks[i]);
      this.told[commitment] = Math.max(this.told[commitment], to);
    }
  }

  /** back forgets what was told of blocks that were lost. */
  back(tip) {
    for (const commitment of Object.keys(depth)) this.told[commitment] = Math.min(this.told[commitment], tip);
  }

  publish(commitment, block) {
    for (const subscription of [...this.all.values()]) {
      if (subscription.wanted.commitment === commitment) this.tell(subscription, block);
    }
  }

  tell({ id, kind, wanted, send }, block) {
    for (const result of kinds[kind].tell(this.node, block, wanted)) {
      if (!this.node.muted) send({ jsonrpc: '2.0', method: `${kind}Notification`, params: { result, subscription: id } });
      if (kinds[kind].once) this.all.delete(id);
    }
  }
}

module.exports = { Subscriptions, kinds: Object.keys(kinds) };
