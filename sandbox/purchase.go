package sandbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
)

// BillOutcome is what the biller does with a purchase.
type BillOutcome string

const (
	// Delivers: the purchase is delivered at once.
	Delivers BillOutcome = "delivered"
	// Refuses: the biller refuses the purchase.
	Refuses BillOutcome = "failed"
	// DeliveredUnanswered: the purchase is delivered, but the answer does not arrive.
	DeliveredUnanswered BillOutcome = "timeout_delivered"
	// UndeliveredUnanswered: the biller neither delivers nor answers. It knows nothing of the
	// purchase afterwards.
	UndeliveredUnanswered BillOutcome = "timeout_undelivered"
	// StaysOpen: the purchase is accepted, and stays so until an outcome is set.
	StaysOpen BillOutcome = "pending"
	// DeliversLate: the purchase is accepted, and its token is known 30 seconds later.
	DeliversLate BillOutcome = "late"
)

// BillOutcomes returns all words that SetBillOutcome takes.
func BillOutcomes() []BillOutcome {
	return []BillOutcome{Delivers, Refuses, DeliveredUnanswered, UndeliveredUnanswered, StaysOpen, DeliversLate}
}

const (
	// deliversAfter is how late a late token is.
	deliversAfter = 30 * time.Second
	refusedReason = "The number cannot be served"
)

// billByEnding is what the last digit of a number decides; any other is delivered.
var billByEnding = map[byte]BillOutcome{
	'9': Refuses, '8': DeliveredUnanswered, '7': UndeliveredUnanswered, '6': StaysOpen, '5': DeliversLate,
}

// The biller's documents: purchases by key, and what it was told to do, by the number of a
// customer or the reference of a purchase.
const (
	purchasePrefix = "biller/purchase/"
	billWillPrefix = "biller/will/"
)

func purchaseKey(key string) string { return named(purchasePrefix, key) }
func billWillKey(by string) string  { return named(billWillPrefix, by) }

// purchase is the document of one purchase.
type purchase struct {
	Key string
	biller.Target
	Kobo      int64
	Reference string
	State     biller.State
	Reason    string
	At        time.Time
	// Then is the state that it reaches at an instant, when that is decided.
	Then   biller.State `json:",omitempty"`
	ThenAt time.Time    `json:",omitzero"`
	// Told is the amount that the biller reports, when that is not what it was asked for.
	Told int64 `json:",omitempty"`
}

// by is the purchase as it is at an instant.
func (p purchase) by(now time.Time) purchase {
	if p.Then != "" && !p.ThenAt.After(now) {
		p.State, p.At = p.Then, p.ThenAt
		p.Then, p.ThenAt = "", time.Time{}
		if p.State == biller.StateFailed {
			p.Reason = refusedReason
		}
	}
	return p
}

// becomes brings a purchase into a state after some time.
func (p *purchase) becomes(state biller.State, now time.Time, after time.Duration) {
	p.Then, p.ThenAt = state, now.Add(after)
}

// follow lets happen to a purchase what the biller will do with it.
func (p *purchase) follow(will BillOutcome, now time.Time) {
	switch will {
	case StaysOpen:
	case Refuses, UndeliveredUnanswered:
		p.becomes(biller.StateFailed, now, 0)
	case DeliversLate:
		p.becomes(biller.StateDelivered, now, deliversAfter)
	default:
		p.becomes(biller.StateDelivered, now, 0)
	}
}

// outcome is the purchase in the form of the port.
func (p purchase) outcome() biller.Outcome {
	o := biller.Outcome{
		Key: p.Key, State: p.State, Provider: p.Provider, Number: p.Number, Amount: money.NGN(cmp.Or(p.Told, p.Kobo)), Reason: p.Reason, At: p.At,
	}
	if p.State != biller.StateDelivered {
		return o
	}
	d := dice(sha256.Sum256([]byte("bill" + p.Key)))
	o.Ref = "SB" + d.digits(16)
	if i := slices.IndexFunc(billProducts, p.isOf); i >= 0 && billProducts[i].Category == biller.Prepaid {
		o.Token = d.digits(20)
		o.Units = fmt.Sprintf("%d.%d kWh", p.Kobo/koboPerUnit, p.Kobo%koboPerUnit*10/koboPerUnit)
	}
	return o
}

// koboPerUnit is what a kilowatt hour costs.
const koboPerUnit = 200_00

// isOf reports whether a purchase is one of a product.
func (p purchase) isOf(product biller.Product) bool {
	return product.Service == p.Service && product.Provider == p.Provider && product.Code == p.Product
}

func (b simBiller) Buy(ctx context.Context, order biller.Purchase) (biller.Outcome, error) {
	var lost bool
	p, err := answered(ctx, b.provider().effect, func(m *moment) (p purchase, err error) {
		lost = false
		found, err := load(m, purchaseKey(order.Key), &p)
		if err == nil && !found {
			p, lost, err = m.buy(order)
		}
		return p.by(m.now), err
	})
	if err == nil && lost {
		err = biller.ErrUnavailable
	}
	if err != nil {
		return biller.Outcome{}, err
	}
	return p.outcome(), nil
}

// buy takes in a purchase that is not known yet. Lost says that the answer does not arrive.
func (m *moment) buy(order biller.Purchase) (p purchase, lost bool, err error) {
	p = purchase{
		Key: order.Key, Target: order.Target, Kobo: order.Amount.Minor(), Reference: order.Reference, State: biller.StateInProgress, At: m.now,
	}
	if reason := p.refused(order.Amount); reason != "" {
		p.State, p.Reason = biller.StateFailed, reason
		return p, false, save(m, purchaseKey(p.Key), p)
	}
	will, err := m.billWill(p)
	if err != nil || will == UndeliveredUnanswered {
		return p, true, err
	}
	struck, err := m.strike(TargetBiller, LateFailure, WrongAmount)
	if err != nil {
		return p, false, err
	}
	switch p.follow(will, m.now); struck {
	case LateFailure:
		p.becomes(biller.StateFailed, m.now, failsAfter)
	case WrongAmount:
		p.Told = p.Kobo + 1_00
	}
	return p, will == DeliveredUnanswered, save(m, purchaseKey(p.Key), p)
}

// refused is why a purchase cannot be made at all, or empty.
func (p purchase) refused(amount money.Amount) string {
	i := slices.IndexFunc(billProducts, p.isOf)
	if i < 0 {
		return "There is no such product"
	}
	product := billProducts[i]
	if amount.Asset() == money.AssetNGN && (amount == product.Price && amount.Sign() > 0 ||
		product.Price.IsZero() && amount.Minor() >= product.Least.Minor() && amount.Minor() <= product.Most.Minor()) {
		return ""
	}
	return "The amount is not valid"
}

// billWill is what the biller does with a purchase.
func (m *moment) billWill(p purchase) (will BillOutcome, err error) {
	for _, by := range []string{p.Reference, p.Number} {
		if found, err := load(m, billWillKey(by), &will); err != nil || found {
			return will, err
		}
	}
	return cmp.Or(billByEnding[ending(p.Number)], Delivers), nil
}

func (b simBiller) Outcome(ctx context.Context, key string) (biller.Outcome, error) {
	var found bool
	p, err := answered(ctx, b.provider().query, func(m *moment) (p purchase, err error) {
		found, err = load(m, purchaseKey(key), &p)
		return p.by(m.now), err
	})
	if err == nil && !found {
		err = biller.ErrUnknownKey
	}
	if err != nil {
		return biller.Outcome{}, err
	}
	return p.outcome(), nil
}

// SetBillOutcome sets what the biller does with purchases for a number or with purchases of a
// reference: with those that it is asked for from now on, and with those that are in progress. It
// returns how many were in progress. Errors: ErrUnknownOutcome.
func (w *World) SetBillOutcome(ctx context.Context, by string, will BillOutcome) (applied int, err error) {
	if !slices.Contains(BillOutcomes(), will) {
		return 0, fmt.Errorf("%w: %q", ErrUnknownOutcome, will)
	}
	return answered(ctx, w.write, func(m *moment) (applied int, err error) {
		if err := save(m, billWillKey(by), will); err != nil {
			return 0, err
		}
		for after := ""; ; {
			page, err := scan[purchase](m, purchasePrefix, after, settlePage)
			if err != nil || len(page) == 0 {
				return applied, err
			}
			for _, at := range page {
				after = at.place
				p := at.doc.by(m.now)
				if p.State != biller.StateInProgress || p.Reference != by && p.Number != by {
					continue
				}
				p.Then, p.ThenAt = "", time.Time{}
				p.follow(will, m.now)
				err, applied = errors.Join(err, save(m, purchaseKey(p.Key), p)), applied+1
			}
			if err != nil {
				return applied, err
			}
		}
	})
}
