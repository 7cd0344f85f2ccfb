'use strict';
// JSON-RPC messages as text.

const { rentEpoch } = require('./vm');
const { RpcError } = require('./rpc/params');

// The one number of an answer that a double does not hold is given as text.
const quoted = `"rentEpoch":"${rentEpoch}"`;
const bare = `"rentEpoch":${rentEpoch}`;

/** write returns a message as text. */
function write(message) {
  const text = JSON.stringify(message);
  return text.includes(quoted) ? text.replaceAll(quoted, bare) : text;
}

/** answer wraps a result. */
const answer = (id, result) => ({ jsonrpc: '2.0', result, id });

/** refusal wraps an error; an unknown one goes to stderr, too. */
function refusal(id, err) {
  if (!(err instanceof RpcError)) console.error(err);
  const { code = -32603, message, data } = err instanceof RpcError ? err : { message: `Internal error: ${err.message}` };
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}

module.exports = { write, answer, refusal };
