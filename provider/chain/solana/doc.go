// Package solana is a chain.Chain on the real Solana: devnet, mainnet, or any node that speaks
// its JSON-RPC.
//
// [Open] checks the chain that the nodes serve, and returns a [Chain]. A Chain
// keeps nothing that a restart would lose: what must last is in what it returns. It asks one
// node after the other until one answers, and it never calls a payment dead on the word of one
// node when it has two.
//
// docs/solana.md says how custody, fees, finality, expiry and recovery work.
package solana
