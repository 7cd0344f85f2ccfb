'use strict';
// A transaction as it travels: signatures and a message. What passes parse is well formed:
// the virtual machine ends the process when it is given bytes that are not.

const base58 = require('./base58');
const { name } = require('./address');

/** maxBytes is the size of a packet. */
const maxBytes = 1232;

/** Malformed says why bytes are no transaction. */
class Malformed extends Error {}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(n) {
    if (this.at + n > this.bytes.length) throw new Malformed('io error: unexpected end of file');
    this.at += n;
    return this.bytes.subarray(this.at - n, this.at);
  }

  byte() {
    return this.take(1)[0];
  }

  /** length reads a number of at most 16 bits that takes one to three bytes. */
  length() {
    let n = 0;
    for (let i = 0; i < 3; i++) {
      const b = this.byte();
      if (i > 0 && b === 0) throw new Malformed('alias encoding');
      n |= (b & 127) << (7 * i);
      if (b < 128) {
        if (n > 65535) break;
        return n;
      }
    }
    throw new Malformed('length is too long');
  }

  many(read) {
    return Array.from({ length: this.length() }, read);
  }

  end() {
    if (this.at !== this.bytes.length) throw new Malformed('bytes are left over');
  }
}

/**
 * @typedef {object} Message
 * @property {Buffer} bytes
 * @property {'legacy' | 0} version
 * @property {{signatures: number, readonlySigned: number, readonlyUnsigned: number}} header
 * @property {string[]} keys
 * @property {string} blockhash
 * @property {{program: number, accounts: number[], data: Buffer}[]} instructions
 * @property {{table: string, writable: number[], readonly: number[]}[]} lookups
 *
 * @typedef {object} Transaction
 * @property {Buffer} bytes
 * @property {string[]} signatures
 * @property {string} id the first signature
 * @property {Message} message
 */

/**
 * parseMessage reads a message, legacy or version 0.
 * @param {Buffer} bytes
 * @returns {Message}
 */
function parseMessage(bytes) {
  const r = new Reader(bytes);
  let version = 'legacy';
  let signatures = r.byte();
  if (signatures & 128) {
    version = signatures & 127;
    if (version !== 0) throw new Malformed('invalid value: integer `' + version + '`, expected a valid transaction message version');
    signatures = r.byte();
  }
  const header = { signatures, readonlySigned: r.byte(), readonlyUnsigned: r.byte() };
  const keys = r.many(() => name(r.take(32)));
  const blockhash = name(r.take(32));
  const instructions = r.many(() => ({ program: r.byte(), accounts: r.many(() => r.byte()), data: r.take(r.length()) }));
  const lookups = version === 'legacy' ? [] : r.many(() => ({
    table: name(r.take(32)), writable: r.many(() => r.byte()), readonly: r.many(() => r.byte()),
  }));
  r.end();
  const message = { bytes, version, header, keys, blockhash, instructions, lookups };
  sanitize(message);
  return message;
}

/** sanitize refuses a message whose indices point nowhere. */
function sanitize({ header, keys, instructions, lookups }) {
  const loaded = lookups.reduce((n, l) => n + l.writable.length + l.readonly.length, 0);
  const all = keys.length + loaded;
  const bad = header.signatures === 0 || header.readonlySigned >= header.signatures ||
    header.signatures + header.readonlyUnsigned > keys.length || all > 256 ||
    lookups.some((l) => l.writable.length + l.readonly.length === 0) ||
    instructions.some((i) => i.program === 0 || i.program >= keys.length || i.accounts.some((a) => a >= all));
  if (bad) throw new Malformed('invalid transaction: Transaction failed to sanitize accounts offsets correctly');
}

/**
 * parse reads a transaction.
 * @param {Buffer} bytes
 * @returns {Transaction}
 */
function parse(bytes) {
  const r = new Reader(bytes);
  const signatures = r.many(() => base58.encode(r.take(64)));
  const message = parseMessage(bytes.subarray(r.at));
  if (signatures.length !== message.header.signatures) {
    throw new Malformed('invalid transaction: Transaction failed to sanitize accounts offsets correctly');
  }
  return { bytes, signatures, id: signatures[0], message };
}

/** isWritable reports whether a message lets a program write to its key number i. */
function isWritable(message, i, loaded) {
  const { header, keys } = message;
  if (i >= keys.length) return i - keys.length < loaded.writable.length;
  if (i < header.signatures) return i < header.signatures - header.readonlySigned;
  return i < keys.length - header.readonlyUnsigned;
}

module.exports = { maxBytes, Malformed, parse, parseMessage, isWritable };
