'use strict';
// Faults of a node: what becomes of its next calls, and which signatures it denies.

/**
 * @typedef {object} Fault
 * @property {'429' | '503' | 'timeout' | 'reset' | 'garbage' | 'lost' | 'behind'} kind
 * @property {number} calls of how many HTTP requests
 * @property {string[]} [methods] of which methods; of all when it is left out
 * @property {number} [retryAfter] of 429 and 503: the header, in seconds
 */

const kinds = ['429', '503', 'timeout', 'reset', 'garbage', 'lost', 'behind'];

class Faults {
  constructor() {
    this.clear();
  }

  clear() {
    /** @type {Fault[]} */
    this.list = [];
    this.denied = new Set();
  }

  add(fault) {
    this.list.push(fault);
  }

  /** take uses up and returns the first fault that is meant for a request with some methods. */
  take(methods) {
    const i = this.list.findIndex((f) => !f.methods || methods.some((m) => f.methods.includes(m)));
    if (i < 0) return null;
    const fault = this.list[i];
    if (--fault.calls <= 0) this.list.splice(i, 1);
    return fault;
  }
}

/**
 * strike does to a request what a fault says. It returns false when the request has to be
 * answered all the same.
 */
function strike({ kind, retryAfter }, request, response) {
  if (kind === 'lost' || kind === 'behind') return false;
  if (kind === 'timeout') return true; // no answer, and the connection stays
  if (kind === 'reset') {
    request.socket.resetAndDestroy();
    return true;
  }
  if (kind === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body><h1>502 Bad Gateway</h1></body></html>');
    return true;
  }
  const headers = { 'content-type': 'application/json', ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) };
  response.writeHead(Number(kind), headers).end(kind === '503' ? '{}' : 'Too many requests for a specific RPC call');
  return true;
}

module.exports = { Faults, strike, kinds };
