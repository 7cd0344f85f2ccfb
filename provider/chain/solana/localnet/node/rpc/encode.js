'use strict';
// Transactions as answers have them.

const base58 = require('../base58');
const { isWritable } = require('../transaction');
const { RpcError, oneOf } = require('./params');
const { parsed } = require('./parsed');

/** requireVersion refuses a transaction of a version that the caller does not name. */
function requireVersion({ message }, { maxSupportedTransactionVersion: max }) {
  if (message.version === 'legacy' || max >= message.version) return;
  throw new RpcError(-32015, `Transaction version (${message.version}) is not supported by the requesting client. ` +
    `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${message.version}`);
}

/**
 * transaction returns a landed transaction and its meta in an encoding.
 * @param {import('../history').Landed} landed
 */
function transaction(landed, given) {
  const encoding = oneOf(given.encoding ?? 'json', ['json', 'jsonParsed', 'base58', 'base64']);
  requireVersion(landed.tx, given);
  const meta = metaOf(landed, encoding === 'jsonParsed');
  const result = { transaction: body(landed, encoding), meta };
  if (given.maxSupportedTransactionVersion !== undefined) result.version = landed.tx.message.version;
  return result;
}

function body(landed, encoding) {
  const { tx } = landed;
  if (encoding === 'base64') return [tx.bytes.toString('base64'), 'base64'];
  if (encoding === 'base58') return [base58.encode(tx.bytes), 'base58'];
  const message = encoding === 'json' ? plainMessage(tx.message) : parsedMessage(landed);
  return { signatures: tx.signatures, message };
}

function plainMessage({ version, header, keys, blockhash, instructions, lookups }) {
  const message = {
    header: {
      numRequiredSignatures: header.signatures,
      numReadonlySignedAccounts: header.readonlySigned,
      numReadonlyUnsignedAccounts: header.readonlyUnsigned,
    },
    accountKeys: keys,
    recentBlockhash: blockhash,
    instructions: instructions.map((i) => compiled({ ...i, stackHeight: 1 })),
  };
  if (version !== 'legacy') message.addressTableLookups = tables(lookups);
  return message;
}

const tables = (lookups) => lookups.map((l) => ({ accountKey: l.table, writableIndexes: l.writable, readonlyIndexes: l.readonly }));

const compiled = ({ program, accounts, data, stackHeight }) => ({
  programIdIndex: program, accounts, data: base58.encode(data), stackHeight,
});

/** accounts lists the accounts of a landed transaction with what it may do to each. */
function accounts({ tx: { message }, keys, loaded }) {
  return keys.map((pubkey, i) => ({
    pubkey,
    signer: i < message.header.signatures,
    writable: isWritable(message, i, loaded),
    source: i < message.keys.length ? 'transaction' : 'lookupTable',
  }));
}

function parsedMessage(landed) {
  const { message } = landed.tx;
  return {
    accountKeys: accounts(landed),
    recentBlockhash: message.blockhash,
    instructions: message.instructions.map((i) => parsed(i, landed.keys, 1)),
    ...(message.version === 'legacy' ? {} : { addressTableLookups: tables(message.lookups) }),
  };
}

/** metaOf returns what a node tells of a transaction's effects. */
function metaOf(landed, inWords) {
  const { err, fee, pre, post, preTokens, postTokens, inner, logs, units, loaded, returned, keys } = landed;
  const meta = {
    err,
    status: statusOf(err),
    fee,
    preBalances: pre.map(Number),
    postBalances: post.map(Number),
    innerInstructions: innerOf(inner, (i) => (inWords ? parsed(i, keys, i.stackHeight) : compiled(i))),
    logMessages: logs,
    preTokenBalances: preTokens,
    postTokenBalances: postTokens,
    rewards: [],
    computeUnitsConsumed: units,
    costUnits: units,
  };
  if (!inWords) meta.loadedAddresses = loaded;
  if (returned) meta.returnData = returnData(returned);
  return meta;
}

const statusOf = (err) => (err === null ? { Ok: null } : { Err: err });

const innerOf = (inner, write) => inner.map(({ index, instructions }) => ({ index, instructions: instructions.map(write) }));

const returnData = (returned) => ({ programId: returned.program, data: [returned.data.toString('base64'), 'base64'] });

/** memoOf returns the memos of a transaction as lists of signatures have them. */
function memoOf({ tx: { message }, keys }) {
  const memos = message.instructions.filter((i) => isMemo(keys[i.program])).map((i) => `[${i.data.length}] ${i.data.toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ');
}

const isMemo = (program) => program.startsWith('Memo');

module.exports = { transaction, accounts, metaOf, requireVersion, statusOf, innerOf, compiled, returnData, memoOf };
