package hosted

import (
	"net/url"
	"slices"

	"github.com/ferrypay/ferry/money"
)

// An order that was paid in part is paid in full by USDC only: what arrived adds up there.
// A bank transfer or a card pays the whole, and what arrived in USDC is held then until the
// business decides (docs/api.md, "Payments"). So those methods warn before they ask.

// arrived is the USDC that came for a session that is not paid in full yet.
func (s subject) arrived() money.Amount {
	if s.phase.over() || s.Payment.Received.Asset() != money.AssetUSDC {
		return money.USDC(0)
	}
	return s.Payment.Received
}

// toldPart says what arrived, and what is left; empty when nothing did.
func (v *visit) toldPart(s subject) (string, error) {
	came := s.arrived()
	if came.Sign() <= 0 || s.Credited.Sign() <= 0 {
		return "", nil
	}
	left, err := s.Payment.Amount.Sub(s.Credited)
	if err != nil {
		return "", err
	}
	key, counts := "part.face", ""
	if s.Credited.Asset() != came.Asset() {
		key, counts = "part.worth", v.words.Money(s.Credited)
	}
	return v.words.Say(key, "amount", v.words.Money(came), "counts", counts, "left", v.words.Money(left)), nil
}

// wholeBlock warns that a method pays the whole of an order of which a part is there.
type wholeBlock struct {
	Warning string
	// Rest is the method that pays the rest, if it can be used, and Whole is where the
	// warned payer goes on; it is empty on that page.
	Rest  *methodLink
	Whole string
}

// whole is the parameter of an address by which a warned payer asks for the whole.
const whole = "whole"

// wantsWhole reports whether the payer was warned.
func (v *visit) wantsWhole() bool { return v.http.URL.Query().Has(whole) }

// wholeBlock is the warning of a method, or nil when nothing arrived or the method adds up.
func (v *visit) wholeBlock(page *checkoutPage, s subject, method string) *wholeBlock {
	came := s.arrived()
	if came.Sign() <= 0 || method == methodUSDC {
		return nil
	}
	price := s.Payment.Amount
	if offer := s.Naira(); offer.StandsAt(v.now(s)) {
		price = offer.Amount()
	}
	block := &wholeBlock{
		Warning: v.words.Say("part."+method, "amount", v.words.Money(price), "received", v.words.Money(came), "shop", s.business.Name),
	}
	if at := slices.IndexFunc(page.Methods, func(m methodLink) bool { return m.Key == methodUSDC }); at >= 0 {
		block.Rest = &page.Methods[at]
	}
	if !v.wantsWhole() {
		block.Whole = v.path(s.ID, url.Values{"method": {method}, whole: {"1"}})
	}
	return block
}
