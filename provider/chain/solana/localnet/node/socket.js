'use strict';
// The WebSocket of a node: calls as over HTTP, and subscriptions.

const { WebSocketServer } = require('ws');
const { RpcError, required } = require('./rpc/params');
const { kinds } = require('./subscriptions');
const { write, answer, refusal } = require('./json');

const named = /^([a-z]+)(Subscribe|Unsubscribe)$/;

/** serve answers WebSocket connections to the HTTP server of a node. */
function serve(node, server) {
  const sockets = new WebSocketServer({ server, maxPayload: 50 * 1024 });
  sockets.on('connection', (socket) => {
    const send = (message) => socket.send(write(message));
    socket.on('message', (text) => receive(node, socket, text, send));
    socket.on('close', () => node.subscriptions.leave(socket));
    socket.on('error', () => socket.terminate());
  });
  return sockets;
}

async function receive(node, socket, text, send) {
  let id = null;
  try {
    const request = JSON.parse(text);
    id = request?.id ?? null;
    const [, kind, verb] = named.exec(request?.method) ?? [];
    if (!kinds.includes(kind)) return send(await node.answer(request));
    node.count(request.method);
    const params = request.params ?? [];
    if (verb === 'Unsubscribe') return send(answer(id, unsubscribe(node, socket, params)));
    const subscription = node.subscriptions.add(kind, params, socket, send);
    send(answer(id, subscription));
    node.subscriptions.recall(subscription);
  } catch (err) {
    send(refusal(id, err instanceof SyntaxError ? new RpcError(-32700, 'Parse error') : err));
  }
}

function unsubscribe(node, socket, params) {
  required(params, 1);
  if (!node.subscriptions.remove(params[0], socket)) throw new RpcError(-32602, 'Invalid subscription id.');
  return true;
}

module.exports = { serve };
