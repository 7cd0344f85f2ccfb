'use strict';
// The faucet: an account with lamports for whoever asks, and the issuer of all tokens. What
// it does are transactions like those of others, which land in the next block.

const { createHash, createPrivateKey, createPublicKey, sign } = require('node:crypto');
const base58 = require('./base58');
const token = require('./token');
const { programs, usdc, bytes, associated } = require('./address');
const { parse } = require('./transaction');

const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** keyFrom makes a pair of keys whose secret is the hash of a text. */
function keyFrom(text) {
  const secret = createPrivateKey({ key: Buffer.concat([prefix, createHash('sha256').update(text).digest()]), format: 'der', type: 'pkcs8' });
  const point = createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { secret, address: base58.encode(point) };
}

const u32 = (n) => Buffer.from(new Uint32Array([n]).buffer);
const u64 = (n) => Buffer.from(new BigUint64Array([BigInt(n)]).buffer);

const signer = (address) => ({ address, signs: true, writes: true });
const writes = (address) => ({ address, writes: true });
const reads = (address) => ({ address });
const by = (address) => ({ address, signs: true });

/** compile signs a transaction whose first key pays. */
function compile(keys, blockhash, instructions) {
  const metas = new Map();
  const note = ({ address, signs = false, writes: w = false }) => {
    const was = metas.get(address) ?? { address, signs: false, writes: false };
    metas.set(address, { address, signs: was.signs || signs, writes: was.writes || w });
  };
  note(signer(keys[0].address));
  for (const { program, accounts } of instructions) [...accounts, reads(program)].forEach(note);
  const rank = ({ signs, writes: w }) => (signs ? 0 : 2) + (w ? 0 : 1);
  const all = [...metas.values()].sort((a, b) => rank(a) - rank(b));
  const place = (address) => all.findIndex((m) => m.address === address);
  const count = (wanted) => all.filter((m) => rank(m) === wanted).length;
  const message = Buffer.concat([
    Buffer.from([count(0) + count(1), count(1), count(3), all.length]), ...all.map((m) => bytes(m.address)), bytes(blockhash),
    Buffer.from([instructions.length]),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Buffer.from([place(program), accounts.length, ...accounts.map((a) => place(a.address)), data.length]), data,
    ]),
  ]);
  const signatures = all.filter((m) => m.signs).map((m) => sign(null, message, keys.find((k) => k.address === m.address).secret));
  return parse(Buffer.concat([Buffer.from([signatures.length]), ...signatures, message]));
}

class Faucet {
  /** @param {import('./chain').Chain} chain */
  constructor(chain) {
    this.chain = chain;
    this.key = keyFrom('faucet');
    this.count = 0;
    chain.vm.set(this.key.address, { lamports: 8n * 10n ** 15n, data: Buffer.alloc(0), owner: programs.system, executable: false });
    const data = token.mintData(6, bytes(this.key.address));
    this.mints = new Map([[usdc, { program: programs.token, decimals: 6 }]]); // those that it issues
    chain.vm.set(usdc, { lamports: chain.vm.rentExempt(data.length), data, owner: programs.token, executable: false });
  }

  /** transaction signs instructions; a memo makes it one of its kind. */
  transaction(instructions, ...more) {
    const memo = { program: programs.memo, accounts: [], data: Buffer.from(`localnet ${++this.count}`) };
    return compile([this.key, ...more], this.chain.blocks[this.chain.tip].hash, [...instructions, memo]);
  }

  /** airdrop gives lamports to an address. */
  airdrop(to, lamports) {
    const data = Buffer.concat([u32(2), u64(lamports)]);
    return this.transaction([{ program: programs.system, accounts: [signer(this.key.address), writes(to)], data }]);
  }

  /** createMint makes a mint that looks like any other, of a token program. */
  createMint(program, decimals) {
    const key = keyFrom(`mint ${++this.count}`);
    const authority = bytes(this.key.address);
    const create = Buffer.concat([u32(0), u64(this.chain.vm.rentExempt(token.mintSize)), u64(token.mintSize), bytes(program)]);
    const initialize = Buffer.concat([Buffer.from([20, decimals]), authority, Buffer.from([1]), authority]);
    const tx = this.transaction([
      { program: programs.system, accounts: [signer(this.key.address), signer(key.address)], data: create },
      { program, accounts: [writes(key.address)], data: initialize },
    ], key);
    this.mints.set(key.address, { program, decimals });
    return { mint: key.address, tx };
  }

  /** mintTo mints to a token account; for any other address it mints to its associated account, which it creates. */
  mintTo(mint, to, amount) {
    const { program, decimals } = this.mints.get(mint);
    const owner = token.holder(this.chain.vm.get(to)) ? null : to;
    const account = owner ? associated(owner, mint, program) : to;
    const instructions = owner ? [{
      program: programs.associated,
      accounts: [signer(this.key.address), writes(account), reads(owner), reads(mint), reads(programs.system), reads(program)],
      data: Buffer.from([1]),
    }] : [];
    const data = Buffer.concat([Buffer.from([14]), u64(amount), Buffer.from([decimals])]);
    instructions.push({ program, accounts: [writes(mint), writes(account), by(this.key.address)], data });
    return { account, tx: this.transaction(instructions) };
  }

  /** freeze has the issuer freeze a token account, or thaw it; null when it is none. */
  freeze(account, frozen) {
    const found = this.chain.vm.get(account);
    const held = token.holder(found);
    if (!held) return null;
    const program = found.owner;
    const data = Buffer.from([frozen ? 10 : 11]);
    return this.transaction([{ program, accounts: [writes(account), reads(held.mint), by(this.key.address)], data }]);
  }
}

module.exports = { Faucet };
