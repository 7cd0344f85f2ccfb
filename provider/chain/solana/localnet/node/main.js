'use strict';
// The localnet as a program. Its first line is JSON and means that it answers; it ends when
// its standard input ends.
//
//   node main.js [--port 0] [--slot-ms 20] [--skip-every 8] [--explain]

const { parseArgs } = require('node:util');

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'slot-ms': { type: 'string', default: '20' },
    'skip-every': { type: 'string', default: '8' },
    explain: { type: 'boolean', default: false },
  },
});

function load() {
  try {
    return require('./network');
  } catch (err) {
    if (err.code !== 'MODULE_NOT_FOUND') throw err;
    console.error(`localnet: ${err.message.split('\n')[0]}: npm ci brings it, for Linux on x64 with glibc`);
    return process.exit(1);
  }
}

async function main() {
  const { Network } = load();
  const { usdc } = require('./address');
  const net = new Network({ slotMs: Number(values['slot-ms']), skipEvery: Number(values['skip-every']) });
  const url = await net.listen(Number(values.port));
  console.log(JSON.stringify({ url, genesisHash: net.chain.genesisHash, usdc, faucet: net.faucet.key.address }));
  if (values.explain) console.log(explained(url, usdc));
  process.stdin.resume().on('end', () => process.exit(0)).on('error', () => process.exit(0));
}

const explained = (url, usdc) => `
A Solana test chain answers at ${url} and ${url.replace('http', 'ws')}, until Ctrl-C.

SOL:   curl -s ${url} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"requestAirdrop","params":["ADDRESS",1000000000]}'
USDC:  curl -s ${url} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"localnet_mint","params":[{"to":"ADDRESS","amount":"25000000"}]}'
       (25 USDC to the associated token account of ADDRESS; the mint is ${usdc})`;

main();
