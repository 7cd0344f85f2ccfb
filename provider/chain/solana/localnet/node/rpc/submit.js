'use strict';
// Submissions, what they cost, and simulations.

const { RpcError, invalid, options, required, commitmentOf, at, within, pubkey, integer, oneOf, list } = require('./params');
const { requireHealthy } = require('./cluster');
const { encoded, reader } = require('./accounts');
const { innerOf, compiled, returnData } = require('./encode');
const { parse, parseMessage, maxBytes, Malformed } = require('../transaction');
const { isTimely, lookUp, life } = require('../landing');
const { feeOf } = require('../fee');
const txerror = require('../txerror');
const base58 = require('../base58');
const { bytes } = require('../address');

const longest = { base58: 1683, base64: 1644 };
const type = 'solana_transaction::versioned::VersionedTransaction';

/** decode reads a transaction from the text of a call. */
function decode(text, encoding = 'base58') {
  oneOf(encoding, ['base58', 'base64']);
  if (typeof text !== 'string') throw invalid('Invalid params: invalid type, expected a string.');
  if (text.length > longest[encoding]) {
    throw invalid(`${encoding} encoded ${type} too large: ${text.length} bytes (max: encoded/raw ${longest[encoding]}/${maxBytes})`);
  }
  const raw = encoding === 'base64' ? fromBase64(text) : base58.decode(text);
  if (!raw) throw invalid(`invalid ${encoding} encoding`);
  if (raw.length > maxBytes) throw invalid(`decoded ${type} too large: ${raw.length} bytes (max: ${maxBytes} bytes)`);
  return wellFormed(() => parse(raw), type);
}

function fromBase64(text) {
  const raw = Buffer.from(text, 'base64');
  return raw.toString('base64') === text ? raw : null;
}

function wellFormed(read, what) {
  try {
    return read();
  } catch (err) {
    if (err instanceof Malformed) throw invalid(`failed to deserialize ${what}: ${err.message}`);
    throw err;
  }
}

/** failed is a simulation that ended before any program ran. */
const failed = (err) => ({ err, logs: [], units: 0, inner: [], returned: null });

/**
 * simulate executes a transaction on the state of a block.
 * @returns {import('../vm').Outcome}
 */
function simulate(chain, tx, block, { sigVerify }) {
  if (!isTimely(chain, tx.message, block.index)) return failed('BlockhashNotFound');
  if (chain.history.find(tx.id, block.index)) return failed('AlreadyProcessed');
  const loaded = lookUp(tx.message, (a) => chain.state.at(a, block.index));
  if (!loaded) return failed('AddressLookupTableNotFound');
  const touched = [...tx.message.keys, ...loaded.writable, ...loaded.readonly];
  return chain.state.asOf(block.index, touched, () => chain.vm.simulate(tx, sigVerify));
}

/** simulated writes an outcome as answers and refusals have it. */
function simulated({ err, logs, units, returned }, more) {
  return {
    err, logs, unitsConsumed: units, returnData: returned && returnData(returned), accounts: null, innerInstructions: null, ...more,
  };
}

/** preflight refuses a transaction that would fail after the block of a commitment. */
function preflight(node, tx, given) {
  const block = at(node, { commitment: given.preflightCommitment, minContextSlot: given.minContextSlot });
  requireHealthy(node);
  const outcome = simulate(node.chain, tx, block, { sigVerify: true });
  if (outcome.err === 'SignatureFailure') throw new RpcError(-32003, 'Transaction signature verification failure');
  if (outcome.err === null) return;
  throw new RpcError(-32002, `Transaction simulation failed: ${txerror.text(outcome.err)}`, simulated(outcome));
}

/** changed returns the accounts that a call for a simulation asks for, as they are afterwards. */
function changed(node, block, outcome, { accounts }) {
  if (!accounts) return null;
  const { get, mintOf } = reader(node, block);
  const after = outcome.err === null ? outcome.after() : new Map();
  return list(accounts.addresses, 100, 'Too many accounts provided; max 100').map((address) => {
    const account = outcome.err !== null ? null : after.get(pubkey(address)) ?? get(address);
    return encoded(account && account.lamports > 0n ? account : null, { encoding: accounts.encoding ?? 'base64' }, mintOf);
  });
}

/** withHash is a transaction with another blockhash. */
function withHash(tx, hash) {
  const raw = Buffer.from(tx.bytes);
  const { version, keys, bytes: message } = tx.message;
  const header = (version === 'legacy' ? 3 : 4) + (keys.length < 128 ? 1 : 2);
  bytes(hash).copy(raw, raw.length - message.length + header + 32 * keys.length);
  return parse(raw);
}

const methods = {
  getFeeForMessage(node, params) {
    required(params, 1);
    const block = at(node, options(params, 1));
    const raw = typeof params[0] === 'string' ? fromBase64(params[0]) : null;
    if (!raw) throw invalid('invalid base64 encoding');
    const message = wellFormed(() => parseMessage(raw), 'solana_message::versions::VersionedMessage');
    return within(block, isTimely(node.chain, message, block.index) ? feeOf(message) : null);
  },

  sendTransaction(node, params) {
    required(params, 1);
    const given = options(params, 1);
    const tx = decode(params[0], given.encoding);
    commitmentOf({ commitment: given.preflightCommitment });
    if (!given.skipPreflight) preflight(node, tx, given);
    node.chain.pool.submit(tx, node.chain.slot + 1);
    return tx.id;
  },

  simulateTransaction(node, params) {
    required(params, 1);
    const given = options(params, 1);
    let tx = decode(params[0], given.encoding);
    const { sigVerify = false, replaceRecentBlockhash = false } = given;
    if (sigVerify && replaceRecentBlockhash) throw invalid('sigVerify may not be used with replaceRecentBlockhash');
    const block = at(node, given);
    const replacementBlockhash = replaceRecentBlockhash ? { blockhash: block.hash, lastValidBlockHeight: block.height + life } : null;
    if (replacementBlockhash) tx = withHash(tx, block.hash);
    const outcome = simulate(node.chain, tx, block, { sigVerify });
    if (outcome.err === 'SignatureFailure') throw new RpcError(-32003, 'Transaction signature verification failure');
    return within(block, simulated(outcome, {
      accounts: changed(node, block, outcome, given),
      innerInstructions: given.innerInstructions ? innerOf(outcome.inner, compiled) : null,
      replacementBlockhash,
    }));
  },

  requestAirdrop(node, params) {
    required(params, 2);
    const tx = node.net.faucet.airdrop(pubkey(params[0]), integer(params[1], 'lamports'));
    node.chain.pool.submit(tx, node.chain.slot + 1);
    return tx.id;
  },
};

module.exports = { methods };
