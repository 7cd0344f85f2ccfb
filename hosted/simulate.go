package hosted

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// In the sandbox a click stands for money: each tab can be paid exactly, with too little, with
// too much, twice, and after the order has ended, so that a developer sees what a payer sees.

// simulation is money that a click sends.
type simulation string

const (
	sendExact simulation = "exact"
	sendLess  simulation = "less"
	sendMore  simulation = "more"
	sendTwice simulation = "twice"
	// sendLate ends the order first, as its payer may.
	sendLate simulation = "late"
)

// simulations are those of an order that may be paid. One that has ended takes sendLate only.
var simulations = []simulation{sendExact, sendLess, sendMore, sendTwice, sendLate}

// errNoSimulation refuses what the page does not offer.
var errNoSimulation = ferry.ErrValidation.About("send", "Must be exact, less, more, twice or late")

// simulateBlock is a form with a button for each simulation.
type simulateBlock struct {
	Method  string
	Buttons []simulation
}

// simulates reports whether a click stands for money: in the sandbox, on the payer's own page,
// and for USDC on a simulated chain only.
func (v *visit) simulates(s subject, method string) bool {
	if s.Scope.Env != ferry.Test || v.engine.Production() || v.found != nil {
		return false
	}
	switch method {
	case methodBank:
		return !s.NeedsAccount() && s.Account.AccountNumber != ""
	case methodUSDC:
		return s.Current != nil && !v.engine.RealChain()
	}
	return false
}

// simulateBlock is the form for a method, or nil.
func (v *visit) simulateBlock(s subject, method string) *simulateBlock {
	if !v.simulates(s, method) {
		return nil
	}
	if s.phase.over() {
		return &simulateBlock{method, []simulation{sendLate}}
	}
	return &simulateBlock{method, simulations}
}

// endedMethod is the method by which money may still be sent to a session that has ended.
func (v *visit) endedMethod(s subject) string {
	if v.simulates(s, methodBank) {
		return methodBank
	}
	return methodUSDC
}

// simulate sends the money of a click.
func (p *pages) simulate(v *visit, w http.ResponseWriter, s subject) error {
	method, send := v.http.PostFormValue("method"), simulation(v.http.PostFormValue("send"))
	block := v.simulateBlock(s, method)
	if block == nil {
		return checkout.ErrNotFound
	}
	due, err := v.simulated(s, method)
	if err != nil {
		return err
	}
	sums, err := send.sums(due)
	if err != nil {
		return err
	}
	ctx := v.http.Context()
	if send == sendLate && !s.phase.over() {
		if _, err := p.engine.Checkout.Cancel(ctx, s.Scope, s.Ref()); err != nil && !errors.Is(err, ferry.Conflict) {
			return err
		}
	}
	for _, sum := range sums {
		if err := p.sendMoney(ctx, s, method, sum); err != nil {
			return err
		}
	}
	v.lead(w, s.ID, url.Values{"method": {method}})
	return nil
}

// simulated is what a click sends exactly: what the page asks for, at a price that stands.
func (v *visit) simulated(s subject, method string) (money.Amount, error) {
	if method == methodUSDC {
		if s.phase.over() {
			return s.Current.Amount, nil
		}
		state, err := v.engine.Checkout.Crypto(v.http.Context(), s.Scope, s.Ref(), "")
		if err != nil {
			return money.Amount{}, err
		}
		*s.Current = *state.Current
		request, err := s.Current.PaymentRequest("")
		return request.Amount, err
	}
	if s.phase.over() {
		return s.Naira().Amount(), nil
	}
	state, err := v.engine.Checkout.RenewNaira(v.http.Context(), s.Scope, s.Ref())
	return state.Naira().Amount(), err
}

// sums are what a simulation sends, given what is asked for.
func (s simulation) sums(due money.Amount) ([]money.Amount, error) {
	half := money.Of(due.Asset(), due.Minor()/2)
	switch s {
	case sendExact, sendLate:
		return []money.Amount{due}, nil
	case sendTwice:
		return []money.Amount{due, due}, nil
	case sendLess:
		if half.Sign() <= 0 {
			return nil, errNoSimulation // there is no less
		}
		return []money.Amount{half}, nil
	case sendMore:
		more, err := due.Add(money.Of(due.Asset(), max(1, half.Minor())))
		return []money.Amount{more}, err
	}
	return nil, errNoSimulation
}

// sendMoney lets money arrive. Naira are booked when it returns; USDC is on its way, and passes
// the steps of the page.
func (p *pages) sendMoney(ctx context.Context, s subject, method string, sum money.Amount) error {
	err := p.arrive(ctx, s, method, sum)
	if errors.Is(err, sandbox.ErrAmount) || errors.Is(err, sandbox.ErrNoAccount) || errors.Is(err, chain.ErrInvalidAddress) {
		return ferry.ErrValidation.About("send", "The sandbox cannot send it").Because(err)
	}
	return err
}

func (p *pages) arrive(ctx context.Context, s subject, method string, sum money.Amount) error {
	if method == methodUSDC {
		_, err := p.engine.World.Deposit(ctx, sandbox.DepositParams{To: s.Current.Deposit, Amount: sum})
		return err
	}
	notice, err := p.engine.World.Credit(ctx, sandbox.CreditParams{AccountNumber: s.Account.AccountNumber, Amount: sum})
	if err == nil {
		_, err = p.engine.AwaitCredit(ctx, s.Scope.Env, notice.SessionID)
	}
	return err
}
