package localnet

import "strconv"

// Token programs, one of which every mint belongs to.
const (
	TokenProgram     = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
	Token2022Program = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
)

// Minted is a submission that mints tokens.
type Minted struct {
	Account   string // the token account that they come to
	Signature string
}

// Airdrop submits a transfer of lamports from the faucet, which has 8 million SOL, and
// returns its signature.
func (n *Node) Airdrop(to string, lamports uint64) (signature string) {
	n.t.Helper()
	var submitted struct{ Signature string }
	n.ask(&submitted, "localnet_airdrop", map[string]any{"to": to, "lamports": lamports})
	return submitted.Signature
}

// MintUSDC submits a transaction that mints USDC, in millionths. When the address is not
// that of a token account by now, the USDC come to the associated token account of the
// address, which the transaction creates if it is missing.
func (n *Node) MintUSDC(to string, amount uint64) Minted {
	n.t.Helper()
	return n.Mint(USDC, to, amount)
}

// Mint is MintUSDC for a mint that NewMint made, in its smallest unit.
func (n *Node) Mint(mint, to string, amount uint64) (minted Minted) {
	n.t.Helper()
	n.ask(&minted, "localnet_mint", map[string]any{"mint": mint, "to": to, "amount": strconv.FormatUint(amount, 10)})
	return minted
}

// NewMint submits a transaction that makes a mint of a token program and returns its
// address. With TokenProgram and 6 decimals it looks like USDC in all but its address.
func (n *Node) NewMint(program string, decimals uint8) (mint string) {
	n.t.Helper()
	var made struct{ Mint string }
	n.ask(&made, "localnet_createMint", map[string]any{"program": program, "decimals": decimals})
	return made.Mint
}

// Freeze submits a transaction by which the issuer freezes a token account, and returns its
// signature. What the account holds then stays where it is until Thaw.
func (n *Node) Freeze(account string) (signature string) {
	n.t.Helper()
	return n.freeze(account, true)
}

// Thaw submits a transaction that undoes Freeze, and returns its signature.
func (n *Node) Thaw(account string) (signature string) {
	n.t.Helper()
	return n.freeze(account, false)
}

func (n *Node) freeze(account string, frozen bool) string {
	n.t.Helper()
	var submitted struct{ Signature string }
	n.ask(&submitted, "localnet_freeze", map[string]any{"account": account, "frozen": frozen})
	return submitted.Signature
}
