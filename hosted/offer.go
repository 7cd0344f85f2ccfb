package hosted

import (
	"html/template"
	"net/url"
	"slices"
	"time"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/payments"
)

type methodLink struct {
	Key, URL string
	Current  bool
	// Post says that the link is a form, because following it creates something.
	Post bool
}

type bankBlock struct {
	Amount, Digits, Number, Bank, Name string
	// Once says what becomes of another amount.
	Once string
	// Worth is the rate by which the amount of an order in USDC was converted, and
	// Deadline until when it is valid. Stale says that it is valid no longer.
	Worth    string
	Deadline *deadline
	Stale    bool
	// Missing says that the bank has not opened the account yet.
	Missing bool
}

type usdcBlock struct {
	Amount, Digits, Address string
	// How says how to pay, or how to get an address before one was made.
	How  string
	Rate string
	QR   qrCode
	Link template.URL
	// Deadline is until when the rate stands, for an order that has one.
	Deadline *deadline
	// Stale says that the price has expired. Missing says that no address was made yet.
	Stale, Missing bool
}

// offer adds the methods, and what the chosen one asks for.
func (v *visit) offer(page *checkoutPage, s subject) error {
	methods := v.methods(s)
	if len(methods) == 0 {
		page.Advice = v.words.Say("unserved", "shop", s.business.Name)
	}
	chosen := v.chosenMethod(s, methods)
	for _, m := range methods {
		page.Methods = append(page.Methods, methodLink{
			Key: m, URL: v.path(s.ID, url.Values{"method": {m}}), Current: m == chosen,
			Post: m == methodUSDC && !v.valid(s) && m != chosen,
		})
	}
	if v.origin != "" || v.chosen || len(methods) > 1 {
		page.Again = v.path(s.ID, v.again(chosen))
	}
	v.head(page, s, chosen)
	if page.Whole = v.wholeBlock(page, s, chosen); page.Whole != nil && page.Whole.Whole != "" {
		return nil
	}
	var err error
	page.Simulate = v.simulateBlock(s, chosen)
	switch chosen {
	case methodBank:
		page.Bank = v.bankBlock(s)
	case methodUSDC:
		page.USDC, err = v.usdcBlock(s)
	case methodCard:
		page.Card = true
	}
	if page.Bank.shown() || page.USDC.shown() {
		v.saySent(page, s, chosen)
	}
	return err
}

// shown reports whether there is an account to pay into.
func (b *bankBlock) shown() bool { return b != nil && !b.Missing && !b.Stale }

// shown reports whether there is an address to pay to.
func (b *usdcBlock) shown() bool { return b != nil && !b.Missing && !b.Stale }

// head heads the page with the method, while nothing else is to be said: the shop and the
// amount stand beside it.
func (v *visit) head(page *checkoutPage, s subject, chosen string) {
	if chosen == "" {
		return
	}
	page.How = v.words.Say(chosen + ".title")
	if s.phase == waiting {
		page.Heading, page.How = page.How, ""
		page.Title = page.Heading + " · " + s.business.Name
	}
	if chosen == methodUSDC {
		page.Steps = s.phase.steps()
	}
}

// again are the parameters of the page that is shown.
func (v *visit) again(method string) url.Values {
	query := url.Values{"method": {method}}
	if v.wantsWhole() {
		query.Set(whole, "1")
	}
	if v.wantsSent() {
		query.Set(sent, "1")
	}
	return query
}

// methods are what the payer may switch among, the default first.
func (v *visit) methods(s subject) []string {
	var all []string
	for _, m := range s.Available() {
		all = append(all, map[business.PaymentMethod]string{business.BankTransfer: methodBank, business.Crypto: methodUSDC}[m])
	}
	if s.Pricing.Type == checkout.InCrypto {
		slices.Reverse(all) // its own asset first
	}
	if v.found == nil && v.takesTestCard(s) {
		all = append(all, methodCard)
	}
	return all
}

// chosenMethod is the one that the address names, or else that of the attempt that was
// seen, or else the default.
func (v *visit) chosenMethod(s subject, methods []string) string {
	attempted := map[payments.Method]string{payments.USDC: methodUSDC, payments.BankTransfer: methodBank}[s.Payment.Method]
	for _, want := range []string{v.http.URL.Query().Get("method"), attempted} {
		if slices.Contains(methods, want) {
			return want
		}
	}
	if len(methods) == 0 {
		return ""
	}
	return methods[0]
}

func (v *visit) bankBlock(s subject) *bankBlock {
	if s.NeedsAccount() {
		return &bankBlock{Missing: true}
	}
	offer := s.Naira()
	if !offer.StandsAt(v.now(s)) {
		return &bankBlock{Stale: true}
	}
	block := &bankBlock{
		Amount: v.words.Money(offer.Amount()), Digits: digits(offer.Amount()),
		Number: s.Account.AccountNumber, Bank: s.Account.BankName, Name: s.Account.AccountName,
		Once: v.words.Say("bank.once."+string(s.Mismatch), "shop", s.business.Name),
	}
	if s.Pricing.Type == checkout.InCrypto {
		block.Worth = v.words.Say("bank.worth", "amount", block.Amount, "usdc", v.words.Money(s.Pricing.Crypto), "rate", v.rate(offer.Price))
		block.Deadline = v.deadline(s.Scope.Env, "usdc.deadline", offer.From, offer.Until)
	}
	return block
}

// rate says what one USDC costs.
func (v *visit) rate(price string) string {
	return v.words.Say("usdc.rate", "rate", v.words.Say("money.ngn", "amount", v.words.Number(price)))
}

// now is the time of a session.
func (v *visit) now(s subject) time.Time { return v.engine.Clock(s.Scope.Env).Now() }

// valid reports whether the session has an instruction that may be shown. USDC for an order
// in USDC counts at its face, whatever the price: its instruction is shown while it is offered.
func (v *visit) valid(s subject) bool {
	return s.Current != nil && (s.Current.ValidAt(v.now(s)) || s.Pricing.Type == checkout.InCrypto && s.Current.Offered())
}

func (v *visit) usdcBlock(s subject) (*usdcBlock, error) {
	if !v.valid(s) {
		how := v.words.Say("usdc.missing")
		if s.Pricing.Type == checkout.InCrypto {
			how = v.words.Say("usdc.missing.own", "amount", v.words.Money(s.Pricing.Crypto))
		}
		return &usdcBlock{How: how, Missing: s.Current == nil, Stale: s.Current != nil}, nil
	}
	i := *s.Current
	request, err := i.PaymentRequest(v.engine.Mint(s.Scope.Env))
	if err != nil {
		return nil, err
	}
	request.Label = shortened(s.business.Name, maxLabel)
	left, url := request.Amount, request.URL()
	code, err := newQR(url, onScreen)
	if err != nil {
		return nil, err
	}
	block := &usdcBlock{
		Amount: v.words.Money(left), Digits: digits(left), Address: string(i.Deposit), QR: code, Link: deepLink(url),
		How: v.words.Say("usdc.how"),
	}
	if s.Pricing.Type == checkout.InFiat {
		block.Rate = v.rate(i.Price)
		block.Deadline = v.deadline(s.Scope.Env, "usdc.deadline", i.CreatedAt, i.ExpiresAt)
	}
	if s.arrived().Sign() > 0 {
		block.How = v.words.Say("usdc.rest", "left", block.Amount)
	}
	return block, nil
}
