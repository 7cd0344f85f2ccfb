'use strict';
// All methods by their name.

const groups = [
  require('./cluster'), require('./accounts'), require('./transactions'), require('./blocks'), require('./submit'), require('./control'),
];

/** methods take a node and the list of parameters, and return a result or throw an RpcError. */
const methods = new Map(groups.flatMap(({ methods: group }) => Object.entries(group)));

module.exports = { methods };
