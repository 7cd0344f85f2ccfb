'use strict';
// Methods that a node does not have: they move the chain, issue tokens and order faults.
// Each takes one object.

const { invalid, pubkey, signature, integer, oneOf, list } = require('./params');
const { programs, usdc } = require('../address');
const { depth } = require('../chain');
const { kinds } = require('../faults');

const submit = ({ chain }, tx) => {
  chain.pool.submit(tx, chain.slot + 1);
  return tx.id;
};

/** many is how many slots, blocks or calls one command means at most. */
const many = 1_000_000;

function position({ chain }) {
  const tip = chain.blocks[chain.tip];
  return { slot: chain.slot, block: tip.slot, height: tip.height, waiting: chain.pool.waiting.size };
}

/** settle lets slots pass until nothing waits any more and all that landed is final. */
function settle(chain) {
  for (let slots = 0; isOpen(chain); slots++) {
    if (slots > many) throw invalid('a transaction goes on waiting');
    chain.pass();
  }
}

const isOpen = ({ pool, blocks, root }) => pool.waiting.size > 0 || blocks.slice(root + 1).some(({ landed }) => landed.length > 0);

/** clock has the commands that move the chain. */
const clock = {
  localnet_run({ chain }, { slotMs }) {
    chain.run(integer(slotMs, 'slotMs'));
  },
  localnet_advance(node, { slots }) {
    for (let i = 0; i < integer(slots, 'slots', many); i++) node.chain.pass();
  },
  localnet_produce(node, { blocks }) {
    for (let left = integer(blocks, 'blocks', many); left > 0;) if (node.chain.pass()) left--;
  },
  localnet_skip({ chain }, { slots }) {
    chain.skip(integer(slots, 'slots', many));
  },
  localnet_settle({ chain }) {
    settle(chain);
  },
  localnet_fork({ chain }, { blocks, again = false }) {
    const most = chain.tip - chain.root;
    if (integer(blocks, 'blocks') === 0 || blocks > most) throw invalid(`a fork loses 1 to ${most} blocks: others are final`);
    chain.fork(blocks, () => again);
  },
  localnet_reset({ net }, given) {
    for (const name of ['slotMs', 'skipEvery']) if (given[name] !== undefined) integer(given[name], name);
    net.reset(given);
  },
};

/** issuer has the commands of the faucet. */
const issuer = {
  localnet_airdrop(node, { to, lamports }) {
    return { signature: submit(node, node.net.faucet.airdrop(pubkey(to), integer(lamports, 'lamports'))) };
  },
  localnet_createMint(node, { program = programs.token, decimals = 6 }) {
    oneOf(program, [programs.token, programs.token2022]);
    const { mint, tx } = node.net.faucet.createMint(program, integer(decimals, 'decimals', 255));
    return { mint, signature: submit(node, tx) };
  },
  localnet_mint(node, { mint = usdc, to, amount }) {
    const { faucet } = node.net;
    if (!faucet.mints.has(pubkey(mint))) throw invalid('the localnet did not issue this mint');
    if (!/^\d{1,20}$/.test(amount) || BigInt(amount) >= 2n ** 64n) throw invalid('amount is a text of digits, below 2^64');
    const { account, tx } = faucet.mintTo(mint, pubkey(to), BigInt(amount));
    return { account, signature: submit(node, tx) };
  },
  localnet_freeze(node, { account, frozen }) {
    const tx = node.net.faucet.freeze(pubkey(account), frozen);
    if (!tx) throw invalid('the account holds no tokens');
    return { signature: submit(node, tx) };
  },
};

/** faults has the commands that make things go wrong. */
const faults = {
  localnet_fate({ chain }, { kind, calls = 1, slots, blocks, again = false }) {
    oneOf(kind, ['drop', 'late', 'lose']);
    if (kind === 'late') integer(slots, 'slots', many);
    if (kind === 'lose') integer(blocks, 'blocks', depth.finalized - 1);
    if (integer(calls, 'calls', many) > 0) chain.pool.fates.push({ kind, calls, slots, blocks, again });
  },
  localnet_fault(node, { kind, calls = 1, methods, retryAfter }) {
    oneOf(kind, kinds);
    if (methods !== undefined) list(methods, 100, 'at most 100 methods');
    if (integer(calls, 'calls', many) > 0) node.faults.add({ kind, calls, methods, retryAfter });
  },
  localnet_lag(node, { blocks }) {
    node.view.lag = integer(blocks, 'blocks', 512);
  },
  localnet_deny(node, { signatures }) {
    for (const s of list(signatures, many, '')) node.faults.denied.add(signature(s));
  },
  localnet_mute(node, { muted }) {
    node.muted = muted === true;
  },
  localnet_clear(node) {
    node.mend();
    node.chain.pool.fates = [];
  },
};

const moved = (command) => (node, [given]) => {
  command(node, given ?? {});
  return position(node);
};

const plain = (command) => (node, [given]) => command(node, given ?? {}) ?? null;

const each = (commands, wrap) => Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, wrap(command)]));

const methods = {
  ...each(clock, moved),
  ...each(issuer, plain),
  ...each(faults, plain),

  /** How often each method was called at this node since the last time that a call said reset. */
  localnet_calls(node, [given]) {
    const counted = Object.fromEntries(node.calls);
    if (given?.reset) node.calls.clear();
    return counted;
  },

  /** Starts one more node on the same chain, with faults of its own. */
  localnet_peer: async (node) => ({ url: await node.net.peer() }),

  /** Ends the node that is asked, when it is a peer. */
  localnet_leave(node) {
    if (node === node.net.nodes[0]) throw invalid('the first node ends with its process');
    setImmediate(() => node.net.leave(node));
    return null;
  },
};

module.exports = { methods };
