'use strict';
// Addresses: those of the programs, and those that programs derive.

const { createHash } = require('node:crypto');
const base58 = require('./base58');

const programs = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associated: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  budget: 'ComputeBudget111111111111111111111111111111',
  lookup: 'AddressLookupTab1e1111111111111111111111111',
};

/** usdc is the address that USDC has on devnet. */
const usdc = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';

/** @returns {boolean} whether a program keeps tokens */
const isTokenProgram = (program) => program === programs.token || program === programs.token2022;

const cached = new Map();

/**
 * bytes returns the 32 bytes of an address, and null when it is none.
 * @param {string} address
 * @returns {Buffer | null}
 */
function bytes(address) {
  let known = cached.get(address);
  if (known) return known;
  if (typeof address !== 'string' || address.length > 44) return null;
  known = base58.decode(address);
  if (!known || known.length !== 32) return null;
  if (cached.size > 100_000) cached.clear();
  cached.set(address, known);
  return known;
}

const names = new Map();

/** name writes the 32 bytes of an address. The same few addresses come again and again. */
function name(point) {
  const raw = Buffer.from(point.buffer, point.byteOffset, point.byteLength).toString('latin1');
  let known = names.get(raw);
  if (known) return known;
  known = base58.encode(point);
  if (names.size > 100_000) names.clear();
  names.set(raw, known);
  return known;
}

const p = 2n ** 255n - 19n;
const mod = (n) => ((n % p) + p) % p;

function power(base, exponent) {
  let result = 1n;
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = (b * b) % p) if (e & 1n) result = (result * b) % p;
  return result;
}

const d = mod(-121665n * power(121666n, p - 2n));

/** isOnCurve reports whether 32 bytes are a point of the curve, thus may be a public key. */
function isOnCurve(point) {
  const y = mod(BigInt('0x' + Buffer.from(point).reverse().toString('hex')) & (2n ** 255n - 1n));
  const y2 = (y * y) % p;
  const x2 = mod((y2 - 1n) * power(d * y2 + 1n, p - 2n));
  return x2 === 0n || power(x2, (p - 1n) / 2n) === 1n;
}

/** derive finds the address that a program derives from seeds. */
function derive(seeds, program) {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    const point = hash.update(Buffer.from([bump])).update(bytes(program)).update('ProgramDerivedAddress').digest();
    if (!isOnCurve(point)) return base58.encode(point);
  }
  throw new Error('no address can be derived');
}

/** associated returns the associated token account of an owner for a mint. */
function associated(owner, mint, program) {
  return derive([bytes(owner), bytes(program), bytes(mint)], programs.associated);
}

module.exports = { programs, usdc, isTokenProgram, bytes, name, associated };
