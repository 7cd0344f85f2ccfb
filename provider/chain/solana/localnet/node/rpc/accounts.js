'use strict';
// Accounts and tokens, as of the commitment that a call asks for.

const { invalid, options, required, at, within, pubkey, list, oneOf, integer, RpcError } = require('./params');
const base58 = require('../base58');
const token = require('../token');
const { programs, isTokenProgram } = require('../address');
const { rentEpoch } = require('../vm');

/** encoded returns an account as an answer has it. mintOf finds the mint of a token account. */
function encoded(account, { encoding = 'binary', dataSlice }, mintOf) {
  if (!account) return null;
  const { lamports, owner, executable } = account;
  const common = { lamports: Number(lamports), owner, executable, rentEpoch: `${rentEpoch}`, space: account.data.length };
  const parsed = encoding === 'jsonParsed' ? parse(account, mintOf) : null;
  return { ...common, data: parsed ?? binary(sliced(account.data, dataSlice), encoding) };
}

function sliced(data, slice) {
  if (!slice) return data;
  const offset = integer(slice.offset, 'offset');
  return data.subarray(offset, offset + integer(slice.length, 'length'));
}

function binary(data, encoding) {
  oneOf(encoding, ['binary', 'base58', 'base64', 'jsonParsed']);
  if (encoding === 'base64' || encoding === 'jsonParsed') return [data.toString('base64'), 'base64'];
  if (data.length > 128) throw new RpcError(-32600, 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.');
  return encoding === 'binary' ? base58.encode(data) : [base58.encode(data), 'base58'];
}

/** parse writes the accounts of token programs in words, and null for any other. */
function parse(account, mintOf) {
  const parsed = parsedHolder(account, mintOf) ?? parsedMint(token.mint(account));
  if (!parsed) return null;
  return { program: account.owner === programs.token ? 'spl-token' : 'spl-token-2022', parsed, space: account.data.length };
}

function parsedHolder(account, mintOf) {
  const held = token.holder(account);
  const mint = held && mintOf(held.mint);
  if (!mint) return null;
  const { isNative, delegate, delegatedAmount, closeAuthority } = token.rights(account);
  const info = { isNative, mint: held.mint, owner: held.owner, state: held.state, tokenAmount: token.ui(held.amount, mint.decimals) };
  if (delegate) Object.assign(info, { delegate, delegatedAmount: token.ui(delegatedAmount, mint.decimals) });
  if (closeAuthority) info.closeAuthority = closeAuthority;
  return { type: 'account', info };
}

function parsedMint(mint) {
  if (!mint) return null;
  const { mintAuthority, freezeAuthority, decimals, supply } = mint;
  return { type: 'mint', info: { decimals, freezeAuthority, isInitialized: true, mintAuthority, supply: supply.toString() } };
}

/** reader reads accounts as of a block. */
function reader(node, block) {
  const get = (address) => node.chain.state.at(address, block.index);
  return { get, mintOf: (address) => token.mint(get(address)) };
}

/** wanted returns the accounts that an owner's call for its token accounts means. */
function wanted({ mint, programId }, mintOf) {
  if (mint !== undefined) {
    if (!mintOf(pubkey(mint))) throw invalid('Invalid param: could not find mint');
    return ({ held }) => held.mint === mint;
  }
  if (!isTokenProgram(pubkey(programId))) throw invalid('Invalid param: unrecognized Token program id');
  return ({ account }) => account.owner === programId;
}

const methods = {
  getBalance(node, params) {
    required(params, 1);
    const block = at(node, options(params, 1));
    return within(block, Number(reader(node, block).get(pubkey(params[0]))?.lamports ?? 0n));
  },

  getAccountInfo(node, params) {
    required(params, 1);
    const given = options(params, 1);
    const block = at(node, given);
    const { get, mintOf } = reader(node, block);
    return within(block, encoded(get(pubkey(params[0])), given, mintOf));
  },

  getMultipleAccounts(node, params) {
    required(params, 1);
    const given = { encoding: 'base64', ...options(params, 1) };
    const addresses = list(params[0], 100, 'Too many inputs provided; max 100').map(pubkey);
    const block = at(node, given);
    const { get, mintOf } = reader(node, block);
    return within(block, addresses.map((a) => encoded(get(a), given, mintOf)));
  },

  getTokenAccountBalance(node, params) {
    required(params, 1);
    const block = at(node, options(params, 1));
    const { get, mintOf } = reader(node, block);
    const account = get(pubkey(params[0]));
    if (!account) throw invalid('Invalid param: could not find account');
    const held = token.holder(account);
    if (!held) throw invalid('Invalid param: not a Token account');
    const mint = mintOf(held.mint);
    if (!mint) throw invalid('Invalid param: could not find mint');
    return within(block, token.ui(held.amount, mint.decimals));
  },

  getTokenAccountsByOwner(node, params) {
    required(params, 2);
    const given = options(params, 2);
    const block = at(node, given);
    const { mintOf } = reader(node, block);
    const owner = pubkey(params[0]);
    const found = node.chain.state.heldBy(owner, block.index).filter(wanted(options(params, 1), mintOf));
    return within(block, found.map(({ address, account }) => ({ pubkey: address, account: encoded(account, given, mintOf) })));
  },
};

module.exports = { methods, encoded, reader };
