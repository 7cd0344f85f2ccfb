package checkout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/statement"
)

// throughSlot answers an order of dialect A by the session of the newest equal one
// that offers what it asks for, while that may be reused, and else makes one.
func (s *Service) throughSlot(ctx context.Context, tx Tx, scope ferry.Scope, ready prepared) (Created, error) {
	for _, methods := range offering(ready.methods) {
		slot, err := slotOf(ctx, tx, scope, ready.slotKey(methods))
		if err != nil {
			return Created{}, err
		}
		found, ok, err := reusable(ctx, tx, slot)
		if err != nil {
			return Created{}, err
		}
		if ok {
			return s.reusedIn(ctx, tx, found, ready)
		}
	}
	made, err := s.fresh(ctx, tx, scope, ready, links.Link{})
	if err != nil {
		return Created{}, err
	}
	slot, err := slotOf(ctx, tx, scope, made.Session.slotKey())
	if err != nil {
		return Created{}, err
	}
	slot.Session, slot.At = made.Session.ID, tx.Now()
	return made, ReuseSlotKind.Put(ctx, tx, slot)
}

// offering are what sessions may offer that can be paid by all of some methods: these
// alone, or all that there are.
func offering(methods []business.PaymentMethod) [][]business.PaymentMethod {
	all := business.AllMethods()
	if len(methods) == len(all) {
		return [][]business.PaymentMethod{all}
	}
	return [][]business.PaymentMethod{methods, all}
}

// reusable returns the session of a slot when an equal order may still take it.
func reusable(ctx context.Context, tx Tx, w ReuseSlot) (Session, bool, error) {
	if w.Session == "" {
		return Session{}, false, nil
	}
	former, err := SessionKind.Get(ctx, tx, w.Scope, w.Session)
	if err != nil {
		return Session{}, false, err
	}
	open, err := openIn(ctx, tx, former)
	return former, open && young(tx, former), err
}

// again judges an order whose trx_id is known. An equal one of dialect A reuses the
// session; one of either dialect goes on with a session that has no account yet,
// because its answer was lost, under B only the very same one. Any other is refused. The
// redirects of an order of A are no part of what makes it equal: the payer is sent where
// the first one asked, so that no later one leads them elsewhere.
func (s *Service) again(ctx context.Context, tx Tx, known Session, ready prepared) (Created, error) {
	p := ready.params
	open, err := openIn(ctx, tx, known)
	if err != nil {
		return Created{}, err
	}
	equal := known.Link == "" && known.Variant == p.Variant && known.offersAll(ready.methods) &&
		known.slotKey() == ready.slotKey(known.Methods)
	ofA := p.Variant == business.DialectA
	if !open || !equal || !(ofA && young(tx, known)) && !known.NeedsAccount() {
		return Created{}, statement.ErrDuplicateTrxID
	}
	if ofA {
		return s.reusedIn(ctx, tx, known, ready)
	}
	if !known.repeats(p) {
		return Created{}, statement.ErrDuplicateTrxID
	}
	return Created{Session: known, Requested: p.TrxID}, nil
}

// repeats reports whether an order with the slotKey of the session is the very same: it
// asks for the same redirects, texts of the page and metadata.
func (s Session) repeats(p CreateParams) bool {
	return s.Redirects == p.Redirects && s.Customizations == p.Customizations &&
		slices.Equal(metadataParts(s.Metadata), metadataParts(ferry.Metadata(nil).Merge(p.Metadata)))
}

// reusedIn answers an order by a session that is there. When it asks for USDC alone, the
// session has a valid instruction from then on, as one of its own would have.
func (s *Service) reusedIn(ctx context.Context, tx Tx, known Session, ready prepared) (Created, error) {
	made := Created{Session: known, Reused: true, Requested: ready.params.TrxID, Methods: ready.methods}
	if slices.Contains(ready.methods, business.BankTransfer) {
		return made, nil
	}
	wish := refresh{scope: known.Scope, ref: known.Ref(), asked: true, rate: ready.rate, keys: ready.keys}
	_, err := s.refreshIn(ctx, tx, wish)
	if err != nil {
		return Created{}, err
	}
	made.Session, err = SessionKind.Get(ctx, tx, known.Scope, known.ID)
	return made, err
}

// young reports whether a session was made so lately that equal orders reuse it.
func young(tx Tx, former Session) bool {
	return tx.Now().Sub(former.CreatedAt) < reuse
}

// offersAll reports whether the payer may choose each of some methods.
func (s Session) offersAll(methods []business.PaymentMethod) bool {
	return !slices.ContainsFunc(methods, func(m business.PaymentMethod) bool { return !s.Offers(m) })
}

// slotKey is a digest of what makes two orders equal: the kind of key, customer,
// amount, currency, amount type, asset; and of the methods that the session offers. A
// customer is email, name and phone, so a session shows only personal data that an equal
// order has too. With a public key, the digest has also what the page shows of the order,
// and its metadata, so the texts of one person never become part of the order of another.
func (r prepared) slotKey(offered []business.PaymentMethod) string {
	p := r.params
	return slotKey(Session{
		Public: p.Public, Customer: payments.Customer{Email: p.Email, Name: p.Name, Phone: p.Phone},
		Customizations: p.Customizations, Metadata: ferry.Metadata(nil).Merge(p.Metadata),
	}, p.Amount, p.Pair, offered)
}

func (s Session) slotKey() string { return slotKey(s, s.Amount(), s.Pricing.Pair, s.Methods) }

func slotKey(of Session, amount money.Amount, pair Pair, offered []business.PaymentMethod) string {
	parts := []string{strconv.FormatBool(of.Public), of.Customer.Email, of.Customer.Name, of.Customer.Phone, amount.String(), string(pair)}
	for _, m := range offered {
		parts = append(parts, string(m))
	}
	if of.Public {
		parts = append(parts, of.Customizations.parts()...)
		parts = append(parts, metadataParts(of.Metadata)...)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:])
}

// parts are quoted, so that no text is taken for two.
func (c Customizations) parts() []string {
	return []string{strconv.Quote(c.Title), strconv.Quote(c.Description), strconv.Quote(c.Logo)}
}

// metadataParts are the keys in order, each with the type and the text of its value.
func metadataParts(m ferry.Metadata) []string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%q %T %q", key, m[key], fmt.Sprint(m[key])))
	}
	return parts
}
