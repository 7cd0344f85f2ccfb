'use strict';
// Base 58, in which Solana writes addresses, hashes and signatures.

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const values = new Int8Array(128).fill(-1);
for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i;

/**
 * encode writes bytes in base 58.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
function encode(bytes) {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const digits = [];
  for (let i = zeros; i < bytes.length; i++) {
    let carry = bytes[i];
    for (let j = 0; j < digits.length; j++) {
      carry += digits[j] << 8;
      digits[j] = carry % 58;
      carry = (carry / 58) | 0;
    }
    for (; carry > 0; carry = (carry / 58) | 0) digits.push(carry % 58);
  }
  let text = '1'.repeat(zeros);
  for (let i = digits.length - 1; i >= 0; i--) text += alphabet[digits[i]];
  return text;
}

/**
 * decode reads base 58. It returns null for a text that is none.
 * @param {string} text
 * @returns {Buffer | null}
 */
function decode(text) {
  let zeros = 0;
  while (zeros < text.length && text[zeros] === '1') zeros++;
  const digits = [];
  for (let i = zeros; i < text.length; i++) {
    const code = text.charCodeAt(i);
    let carry = code < 128 ? values[code] : -1;
    if (carry < 0) return null;
    for (let j = 0; j < digits.length; j++) {
      carry += digits[j] * 58;
      digits[j] = carry & 255;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) digits.push(carry & 255);
  }
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(digits.reverse())]);
}

module.exports = { encode, decode };
