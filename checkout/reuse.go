package checkout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
)

// throughWindow answers an order of dialect A by the session of the newest equal one,
// while that may be reused, and else makes one.
func (s *Service) throughWindow(ctx context.Context, tx Tx, scope ferry.Scope, ready Prepared) (Created, error) {
	window, err := tx.Checkout().Window(ctx, scope, ready.windowKey())
	if err != nil {
		return Created{}, err
	}
	if window.Session != "" {
		former, err := tx.Checkout().Session(ctx, scope, window.Session)
		if err != nil {
			return Created{}, err
		}
		open, err := openIn(ctx, tx, former)
		if err != nil {
			return Created{}, err
		}
		if open && s.young(tx, former) {
			former, err = leadIn(ctx, tx, former, ready.params.Redirects)
			return Created{former, true, ready.params.TrxID}, err
		}
	}
	made, err := s.fresh(ctx, tx, scope, ready, links.Link{})
	if err != nil {
		return Created{}, err
	}
	window.Session, window.At = made.Session.ID, tx.Now()
	return made, tx.Checkout().PutWindow(ctx, window)
}

// again judges an order whose trx_id is known. An equal one of dialect A reuses the
// session; one of either dialect goes on with a session that has no account yet,
// because its answer was lost. Any other is refused. The redirects of an order are no
// part of what makes it equal: the payer is sent where the newest one asks.
func (s *Service) again(ctx context.Context, tx Tx, known Session, ready Prepared) (Created, error) {
	p := ready.params
	open, err := openIn(ctx, tx, known)
	if err != nil {
		return Created{}, err
	}
	equal := known.Link == "" && known.Variant == p.Variant && known.windowKey() == ready.windowKey()
	reused := p.Variant == business.DialectA && s.young(tx, known)
	if !open || !equal || !reused && !known.NeedsAccount() {
		return Created{}, payments.ErrDuplicateTrxID
	}
	known, err = leadIn(ctx, tx, known, p.Redirects)
	return Created{known, reused, p.TrxID}, err
}

// young reports whether a session was made so lately that equal orders reuse it.
func (s *Service) young(tx Tx, former Session) bool {
	return tx.Now().Sub(former.CreatedAt) < s.config.Reuse
}

// windowKey is a digest of what makes two orders equal: customer, amount, currency,
// amount type, asset, and the methods on offer.
func (r Prepared) windowKey() string {
	return windowKey(r.params.Email, r.params.Amount, r.params.Pair, r.methods)
}

func (s Session) windowKey() string {
	return windowKey(s.Customer.Email, s.Amount(), s.Pricing.Pair, s.Methods)
}

func windowKey(email string, amount money.Amount, pair Pair, methods []business.PaymentMethod) string {
	parts := []string{email, amount.String(), string(pair)}
	for _, m := range methods {
		parts = append(parts, string(m))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:])
}
