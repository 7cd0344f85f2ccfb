package chain

import (
	"net/url"
	"strings"

	"github.com/ferrypay/ferry/money"
)

// PaymentRequest asks a payer's wallet for a payment of USDC. It has no reference, because a
// deposit is recognised by its address.
type PaymentRequest struct {
	// To is the address of the receiver, never its token account.
	To Address
	// Mint is that of USDC: Mint of [Minted].
	Mint Address
	// Amount is what to pay. Zero: the payer decides.
	Amount money.Amount
	// Label says who asks, and Message for what. The wallet shows them. Empty: they are left out.
	Label, Message string
}

// URL is the request as a Solana Pay URL, for a link or a QR code:
//
//	solana:ADDRESS?amount=10.5&spl-token=MINT&label=Ada%20Stores&message=Order%2017
//
// amount is in full units, with a zero before the point, without an exponent, and with at most 6
// decimals. label and message are percent-encoded. Without a mint, no wallet knows which
// token is meant: then URL is the bare address, which is no link.
func (r PaymentRequest) URL() string {
	if r.Mint == "" {
		return string(r.To)
	}
	var members []string
	if r.Amount.Sign() > 0 {
		members = append(members, "amount="+r.Amount.Major())
	}
	members = append(members, "spl-token="+string(r.Mint))
	if r.Label != "" {
		members = append(members, "label="+percentEncoded(r.Label))
	}
	if r.Message != "" {
		members = append(members, "message="+percentEncoded(r.Message))
	}
	return "solana:" + string(r.To) + "?" + strings.Join(members, "&")
}

// percentEncoded writes a space as %20: not every wallet takes a plus for one.
func percentEncoded(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
