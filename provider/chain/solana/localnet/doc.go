// Package localnet runs a Solana chain for tests: the JSON-RPC and the WebSocket of a node
// on LiteSVM, a real Solana virtual machine with the real System, Token, Token-2022,
// Associated Token Account, Memo, Address Lookup Table and Compute Budget programs. It needs
// Node.js 20 on Linux (x64), and no network.
//
//	n := localnet.Start(t, localnet.Options{Frozen: true})
//	client := rpc.New(n.URL)     // any client of Solana
//	n.MintUSDC(owner, 25_000_000)
//	n.Settle()                   // it landed, and is final
//
// Slots pass by a timer, or on command in a frozen chain. Some have no block. A block is
// confirmed when 2 blocks follow it and final when 32 do, and every answer is as of the
// commitment that the call asks for. The README beside this package says what else it
// keeps true, and how to use it by hand.
//
// What a test needs:
//
//   - [Start] and [Options]: a [Node] of a chain that no other test sees
//   - [Node.Settle], [Node.Advance], [Node.Skip] and [Node.Fork]: the chain moves
//   - [Node.Airdrop], [Node.MintUSDC], [Node.NewMint] and [Node.Freeze]: the faucet and the issuer
//   - [Node.Drop], [Node.Delay] and [Node.Lose]: what becomes of the next submissions
//   - [Node.Fail], [Node.Lag], [Node.Deny] and [Node.Mute]: what becomes of calls
//   - [Node.Peer]: a second node of the same chain, with faults of its own
//   - [Node.Calls]: how often each method was called
package localnet
