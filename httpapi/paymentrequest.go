package httpapi

import "github.com/ferrypay/ferry/checkout"

// withRequest adds what a payer's wallet is asked for to an instruction to pay in USDC, unless
// nothing may be paid through it now.
func (a *api) withRequest(view blocksView, state checkout.State) error {
	if view.Crypto == nil || !state.Current.ValidAt(a.engine.Clock(state.Scope.Env).Now()) {
		return nil
	}
	request, err := state.Current.PaymentRequest(a.engine.Mint(state.Scope.Env))
	view.Crypto.PaymentURL = optionalText(request.URL())
	return err
}
