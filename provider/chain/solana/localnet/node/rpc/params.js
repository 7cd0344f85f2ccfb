'use strict';
// Parameters of calls, and the errors of a node.

const address = require('../address');
const base58 = require('../base58');

/** RpcError is an answer with an error. */
class RpcError extends Error {
  constructor(code, message, data) {
    super(message);
    Object.assign(this, { code, data });
  }
}

const invalid = (message) => new RpcError(-32602, message);

const commitments = ['processed', 'confirmed', 'finalized'];

/** options returns the object that is parameter number i, an empty one when it is left out. */
function options(params, i) {
  const given = params[i] ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) throw invalid('Invalid params: invalid type, expected a configuration object.');
  return given;
}

/** required refuses a call that has not its first n parameters. */
function required(params, n) {
  if (params.length < n || params.slice(0, n).some((p) => p === null)) {
    throw invalid('`params` should have at least ' + n + ' argument(s)');
  }
}

/** commitmentOf returns the commitment that a call asks for; finalized when it asks for none. */
function commitmentOf({ commitment = 'finalized' }) {
  if (!commitments.includes(commitment)) {
    throw invalid(`Invalid params: unknown variant \`${commitment}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`);
  }
  return commitment;
}

/** settled is commitmentOf for methods that do not answer for what is merely processed. */
function settled(given) {
  const commitment = commitmentOf(given);
  if (commitment === 'processed') throw invalid('Method does not support commitment below `confirmed`');
  return commitment;
}

/** at returns the block to answer for, and refuses when the node has not come as far as the call asks. */
function at(node, given) {
  const block = node.view.block(commitmentOf(given));
  if (given.minContextSlot !== undefined && integer(given.minContextSlot, 'minContextSlot') > block.slot) {
    throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: block.slot });
  }
  return block;
}

const apiVersion = '3.0.0';

/** within wraps a value with the slot that it is of. */
const within = (block, value) => ({ context: { apiVersion, slot: block.slot }, value });

function pubkey(text) {
  if (typeof text !== 'string') throw invalid('Invalid params: invalid type, expected a string.');
  if (!address.bytes(text)) throw invalid(base58.decode(text) ? 'Invalid param: WrongSize' : 'Invalid param: Invalid');
  return text;
}

function signature(text) {
  const bytes = typeof text === 'string' && text.length <= 88 ? base58.decode(text) : null;
  if (!bytes) throw invalid('Invalid param: Invalid');
  if (bytes.length !== 64) throw invalid('Invalid param: WrongSize');
  return text;
}

function integer(value, name, max = Number.MAX_SAFE_INTEGER) {
  if (!Number.isSafeInteger(value) || value < 0 || value > max) throw invalid(`Invalid params: invalid value for ${name}: ${JSON.stringify(value)}`);
  return value;
}

function list(value, max, message) {
  if (!Array.isArray(value)) throw invalid('Invalid params: invalid type, expected a sequence.');
  if (value.length > max) throw invalid(message);
  return value;
}

function oneOf(value, allowed) {
  if (!allowed.includes(value)) {
    throw invalid(`Invalid params: unknown variant \`${value}\`, expected one of ${allowed.map((a) => `\`${a}\``).join(', ')}.`);
  }
  return value;
}

module.exports = { RpcError, invalid, options, required, commitmentOf, settled, at, within, apiVersion, pubkey, signature, integer, list, oneOf };
