'use strict';
// One node: an address on which the chain is asked over HTTP and WebSocket, with a view,
// faults and call counters of its own.

const http = require('node:http');
const { View } = require('./view');
const { Faults, strike } = require('./faults');
const { Subscriptions } = require('./subscriptions');
const { methods } = require('./rpc');
const { RpcError } = require('./rpc/params');
const { write, answer, refusal } = require('./json');
const socket = require('./socket');

/** most is the size of a request in bytes. */
const most = 50 * 1024;

const own = (method) => typeof method === 'string' && method.startsWith('localnet_');

class Node {
  /** @param {import('./network').Network} net */
  constructor(net) {
    this.net = net;
    this.faults = new Faults();
    this.calls = new Map();
    this.heard = { block: () => this.subscriptions.advance(), fork: (tip) => this.subscriptions.back(tip.index) };
    this.join();
  }

  get chain() {
    return this.net.chain;
  }

  /** join follows the present chain of the network, without faults and from its tip. */
  join() {
    this.view = new View(this.chain);
    this.calls.clear();
    this.mend();
    this.subscriptions ??= new Subscriptions(this);
    this.subscriptions.start();
    this.chain.on('block', this.heard.block).on('fork', this.heard.fork);
  }

  /** mend ends all faults of the node. */
  mend() {
    this.faults.clear();
    this.view.lag = 0;
    this.muted = false;
  }

  /** denies reports whether the node says of a signature that it knows nothing of it. */
  denies(signature) {
    return this.faults.denied.has(signature);
  }

  /** listen serves on a port, 0 for a free one, and returns the URL. */
  async listen(port) {
    this.server = http.createServer((request, response) => {
      this.serve(request, response).catch(() => request.destroy()); // the caller has gone
    });
    this.server.keepAliveTimeout = 60_000; // milliseconds, as load balancers before nodes do
    this.sockets = socket.serve(this, this.server);
    await new Promise((resolve, reject) => this.server.once('error', reject).listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this.url;
  }

  close() {
    for (const client of this.sockets.clients) client.terminate();
    this.server.close();
    this.server.closeAllConnections();
    this.chain.off('block', this.heard.block).off('fork', this.heard.fork);
  }

  async serve(request, response) {
    if (request.method === 'GET' && request.url === '/health') return response.end(this.health());
    if (request.method !== 'POST') return response.writeHead(405).end('Used HTTP Method is not allowed. POST or OPTIONS is required\n');
    const body = await read(request);
    if (body === null) return response.writeHead(413).end();
    const calls = parse(body);
    const names = [calls].flat().map((call) => call?.method);
    const fault = names.every(own) ? null : this.faults.take(names);
    if (fault) names.forEach((name) => this.count(name));
    if (fault && strike(fault, request, response)) return undefined;
    const text = fault?.kind === 'behind' ? this.behind(calls) : await this.respond(calls, fault !== null);
    if (fault?.kind === 'lost') return request.socket.destroy();
    return response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(text);
  }

  health() {
    return this.view.behind > 128 ? 'behind' : 'ok';
  }

  /** behind is the answer of a node that follows the chain from afar. */
  behind(calls) {
    const refused = new RpcError(-32005, 'Node is behind by 200 slots', { numSlotsBehind: 200 });
    const one = (call) => refusal(call?.id ?? null, refused);
    return write(Array.isArray(calls) ? calls.map(one) : one(calls));
  }

  /** respond answers a call or a batch of calls. */
  async respond(calls, counted) {
    if (calls === undefined) return write(refusal(null, new RpcError(-32700, 'Parse error')));
    if (!Array.isArray(calls)) return write(await this.answer(calls, counted));
    if (calls.length === 0) return write(refusal(null, new RpcError(-32600, 'Invalid request')));
    const answers = [];
    for (const call of calls) answers.push(await this.answer(call, counted));
    return write(answers);
  }

  /** answer answers one call. */
  async answer(call, counted = false) {
    const id = call?.id ?? null;
    if (typeof call?.method !== 'string' || call.jsonrpc !== '2.0') return refusal(id, new RpcError(-32600, 'Invalid request'));
    if (!counted) this.count(call.method);
    try {
      const method = methods.get(call.method);
      if (!method) throw new RpcError(-32601, 'Method not found');
      if (call.params !== undefined && call.params !== null && !Array.isArray(call.params)) {
        throw new RpcError(-32602, 'Invalid params: invalid type, expected a sequence.');
      }
      return answer(id, await method(this, call.params ?? []));
    } catch (err) {
      return refusal(id, err);
    }
  }

  /** count counts a call of a method that a real node has, or lacks. */
  count(method) {
    if (!own(method)) this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
  }
}

/** read returns the body of a request, null when it is too large. */
async function read(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    parts.push(part);
    size += part.length;
    if (size > most) return null;
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

module.exports = { Node };
