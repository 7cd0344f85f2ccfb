package sim

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

var plants = []planted{
	{"balances", "an account has less than is set aside of it", func(_ *testing.T, r *run, _ *owner) {
		r.store = lyingStore{r.store, func(a *ledger.Account) { a.Reserved = money.Of(a.Asset, a.Posted.Minor()+1) }, nil}
		r.committed = true
		r.checkStep()
	}},
	{"books", "an entry has another amount", func(_ *testing.T, r *run, _ *owner) {
		r.store = lyingStore{r.store, nil, func(e *ledger.Entry) { e.Amount = money.Of(e.Amount.Asset(), e.Amount.Minor()+1) }}
		r.checkBooks()
	}},
	{"books", "an account shows another balance", func(_ *testing.T, r *run, _ *owner) {
		r.store = lyingStore{r.store, func(a *ledger.Account) { a.Posted = money.Of(a.Asset, a.Posted.Minor()+1) }, nil}
		r.checkBooks()
	}},
	{"answers", "a status goes back", func(t *testing.T, _ *run, o *owner) {
		reads(the(t, o, fiatTransfer), `{"data":{"status":"processing","amount":1}}`)
	}},
	{"answers", "an amount changes", func(t *testing.T, _ *run, o *owner) {
		reads(the(t, o, fiatTransfer), `{"data":{"status":"success","amount":0.01}}`)
	}},
	{"answers", "a thing disappears", func(t *testing.T, r *run, o *owner) {
		found := the(t, o, payout)
		found.name = "never-asked-for"
		r.checkThing(found.by, found, r.look())
	}},
	{"answers", "what was refused is there", func(t *testing.T, r *run, o *owner) {
		found := the(t, o, payout)
		found.refused = true
		r.checkThing(found.by, found, r.look())
	}},
	{"states", "a success fails", func(t *testing.T, r *run, o *owner) { r.witness.learn(the(t, o, payment), "failed") }},
	{"twins", "a twin gets another answer", func(_ *testing.T, r *run, o *owner) {
		r.checkTwin(&call{by: o, key: "k"}, answer{status: 200, raw: []byte("a")}, answer{status: 200, raw: []byte("b")})
	}},
	{"events", "an event is not signed", func(_ *testing.T, r *run, o *owner) {
		r.receiver.take(o, http.Header{}, []byte(`{"id":"evt_1","type":"x","sequence":1}`))
	}},
	{"events", "an event comes with two bodies", func(_ *testing.T, r *run, o *owner) {
		r.receiver.of(o)["evt_1"] = &event{raw: "another"}
		r.receiver.known(o, "evt_1", []byte("one"))
	}},
	{"events", "an event comes out of its order", func(t *testing.T, r *run, o *owner) {
		found := the(t, o, payment)
		r.witness.hearEvent(found.by, &event{kind: "payment.success", sequence: 99, data: object{"trx_id": found.name}})
	}},
	{"events", "an event tells of what nobody asked for", func(_ *testing.T, r *run, o *owner) {
		r.witness.hearEvent(o, &event{kind: "refund.pending", sequence: 1, data: object{"reference": "nothing"}})
	}},
	{"events", "an event never arrives", func(t *testing.T, r *run, o *owner) {
		for id := range r.receiver.of(o) {
			delete(r.receiver.of(o), id)
			break
		}
		r.checkEvents(o)
	}},
	{"events", "no event tells of the end", func(t *testing.T, r *run, o *owner) {
		found := the(t, o, refund)
		found.told = "processing"
		r.checkEvents(found.by)
	}},
	{"liveness", "something is not final", func(t *testing.T, r *run, o *owner) {
		found := the(t, o, payout)
		unfinished := *payout
		unfinished.ranks = map[string]int{"successful": working}
		found.kind = &unfinished
		r.checkThing(found.by, found, r.look())
	}},
	{"liveness", "something never comes to rest", func(_ *testing.T, r *run, o *owner) {
		r.waiting = append(r.waiting, &call{by: o, method: http.MethodGet, path: "/v1/events"})
		r.servers[0].handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			w.Write([]byte(`{}`)) //nolint:errcheck // a recorder
		})
		r.rest() //nolint:errcheck // noted
	}},
	{"outside", "the bank pays twice", func(t *testing.T, r *run, o *owner) {
		found, out := the(t, o, fiatTransfer), r.look()
		out.times[found.to[0].to]++
		r.checkParts(found.by, found, out)
	}},
	{"outside", "the bank pays less", func(t *testing.T, r *run, o *owner) {
		found, out := the(t, o, payout), r.look()
		out.paid[found.to[0].to]--
		r.checkParts(found.by, found, out)
	}},
	{"outside", "the chain pays twice", func(t *testing.T, r *run, o *owner) {
		found, out := the(t, o, sending), r.look()
		out.held[found.to[0].to] += found.amount
		r.checkParts(found.by, found, out)
	}},
	{"orders", "an order keeps more than its price", func(t *testing.T, r *run, o *owner) {
		found := the(t, o, payment)
		found.by.credits = append(found.by.credits, &credit{account: found.account, session: "new", kobo: 1})
		r.checkOrders(found.by, r.look())
	}},
	{"orders", "a refund does not reach its payer", func(t *testing.T, r *run, o *owner) {
		found := the(t, o, refund)
		found.amount++
		r.checkOrders(found.by, r.look())
	}},
	{"orders", "an order does not show USDC that came", needing(paidInUSDC, func(r *run, found *thing) {
		found.deposits[0].micro++
		r.checkOrders(found.by, r.look())
	})},
	{"orders", "an order keeps more USDC than its price", needing(paidInUSDC, func(r *run, found *thing) {
		found.amount--
		r.checkOrders(found.by, r.look())
	})},
	{"orders", "a link counts another sum", needing(made(link, ""), func(r *run, found *thing) {
		found.by.things = append(found.by.things, &thing{kind: payment, by: found.by, made: true, status: payment.done, of: found})
		r.checkLinks(found.by)
	})},
	{"orders", "a link without a place takes a payment", needing(made(link, ""), func(r *run, found *thing) {
		r.checkPlaces(found.by, found, found.status != "active")
	})},
	{"answers", "a link is there twice", needing(made(link, ""), func(r *run, found *thing) {
		found.by.now(http.MethodPost, "/v1/payment-links", object{"title": "Twin", "currency": "NGN", "type": "open"})
		r.checkLinks(found.by)
	})},
	{"answers", "a customer is there twice", func(_ *testing.T, r *run, o *owner) {
		o.now(http.MethodPost, "/v1/customers", object{
			"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": "twin@example.com", "phone": "+2348011111111",
		})
		r.checkIdentities(o)
	}},
	{"answers", "a customer is verified without the provider's word", needing(made(customer, "verified"), func(r *run, found *thing) {
		found.by.checks = nil
		r.checkIdentities(found.by)
	})},
	{"events", "no event tells that a customer is verified", needing(made(customer, "verified"), func(r *run, found *thing) {
		r.receiver.got[string(found.by.scope.Business)] = nil
		r.checkCustomer(found.by, found)
	})},
	{"orders", "an account shows another sum than it kept", needing(made(reserved, "active"), func(r *run, found *thing) {
		found.by.credits = append(found.by.credits, &credit{account: found.account, session: "new", kobo: 1})
		r.checkParts(found.by, found, r.look())
	})},
	{"events", "no event tells of a credit", needing(made(till, "completed"), func(r *run, found *thing) {
		r.receiver.got[string(found.by.scope.Business)] = nil
		r.checkCollected(found.by, found, r.look())
	})},
	{"outside", "the biller delivers twice", needing(made(bill, "successful"), func(r *run, found *thing) {
		out := r.look()
		out.bought[found.name] = append(out.bought[found.name], out.bought[found.name]...)
		r.checkParts(found.by, found, out)
	})},
	{"outside", "the biller delivers less", needing(made(bill, "successful"), func(r *run, found *thing) {
		found.amount++
		r.checkParts(found.by, found, r.look())
	})},
	{"answers", "a token is missing", needing(made(bill, "successful"), func(r *run, found *thing) {
		found.prepaid = !found.prepaid
		r.checkParts(found.by, found, r.look())
	})},
	{"approvals", "something is done that nobody approved", needing(approved, func(r *run, found *thing) {
		found.approved = false
		r.checkApproval(found.by, found)
	})},
	{"approvals", "something leaves before it is approved", needing(approved, func(r *run, found *thing) {
		r.checkWaits(found)
	})},
	{"keys", "a key works that ended", func(_ *testing.T, r *run, o *owner) {
		o.spare.until, o.spare.refused = r.clock.now, r.clock.now
		r.tryKey(o, o.spare)
	}},
	{"keys", "a key works that was revoked", func(_ *testing.T, r *run, o *owner) {
		o.spare.revoked = r.clock.now.Add(-heardWithin)
		r.tryKey(o, o.spare)
	}},
	{"keys", "a key works where it was revoked", func(_ *testing.T, r *run, o *owner) {
		o.spare.revoked, o.spare.by = r.clock.now, r.servers[1]
		r.tryKey(o, o.spare)
	}},
	{"keys", "a valid key is refused", func(_ *testing.T, r *run, o *owner) {
		o.now(http.MethodPost, "/v1/api-keys/revoke", object{"id": o.spare.id})
		r.tryKey(o, o.spare)
	}},
	{"keys", "a key ends and the answer said another instant", func(_ *testing.T, r *run, o *owner) {
		o.now(http.MethodPost, "/v1/api-keys/revoke", object{"id": o.spare.id})
		o.spare.text = ""
		r.checkKeys(o)
	}},
	{"keys", "a key is there that nobody was told of", func(_ *testing.T, r *run, o *owner) {
		o.now(http.MethodPost, "/v1/api-keys", object{"type": "secret"})
		r.checkKeys(o)
	}},
	{"keys", "a key that was replaced makes another one", func(_ *testing.T, r *run, o *owner) {
		r.checkIntruder(o.spare, answer{status: http.StatusOK})
	}},
	{"events", "a secret signs that ended", func(_ *testing.T, r *run, o *owner) {
		o.secrets[len(o.secrets)-1].until = r.clock.now.Add(-2 * signedWithin)
		o.tested()
	}},
	{"events", "a secret does not sign", func(_ *testing.T, _ *run, o *owner) {
		former := *o.secrets[0]
		former.text, former.until, former.mayEnd = "whsec_test_"+strings.Repeat("A", 44), time.Time{}, time.Time{}
		o.secrets = append([]*hookSecret{&former}, o.secrets[len(o.secrets)-1])
		o.tested()
	}},
	{"events", "an unknown secret signs", func(_ *testing.T, r *run, o *owner) {
		o.now(http.MethodPost, "/v1/webhook/rotate-secret", object{})
		o.tested()
	}},
	{"orders", "a payment is not reversed", func(t *testing.T, r *run, o *owner) {
		o.credits[0].recalled, o.credits[0].of = 1, the(t, o, payment)
		r.checkRecalls(o)
	}},
	{"orders", "a credit that was kept can be taken back in part", needing(recallable, func(r *run, found *thing) {
		c := found.by.keptCredit(found)
		c.kobo++
		found.by.recalls(found, c)
	})},
	{"orders", "naira that needed no rate are in suspense", func(t *testing.T, r *run, _ *owner) {
		require.NoError(t, r.store.Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
			return ledger.Post(ctx, tx.Ledger(), ledger.Posting{
				ID: bankfeed.PostingID(ferry.Test, "planted"), Env: ferry.Test, Kind: "bank_credit", Ref: "planted", At: r.clock.now,
				Legs: []ledger.Leg{
					{Account: ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN), Amount: money.NGN(-1_00)},
					{Account: ledger.SystemAccount(ferry.Test, ledger.Suspense, money.AssetNGN), Amount: money.NGN(1_00)},
				},
			})
		}))
		r.giveBack()
	}},
	{"balances", "a recall does not leave the balance", func(_ *testing.T, r *run, o *owner) {
		o.credits[0].recalled, o.credits[0].of = 1, &thing{kind: till}
		r.checkBalances(o, r.look())
	}},
	{"balances", "the operator claims what was covered", needing(recallable, func(r *run, found *thing) {
		o := found.by
		o.recalls(found, o.keptCredit(found))
		o.spend()
		r.rest() //nolint:errcheck // noted
		for _, c := range o.credits {
			c.short = false
		}
		r.checkRecalls(o)
	})},
	{"outside", "the sender of USDC gets too much back", needing(paidInUSDC, func(r *run, found *thing) {
		found.by.depositFor(found, found.deposits[0].sender, found.by.run.address(), 1)
		found.deposits = found.deposits[:len(found.deposits)-1]
		r.clock.forward(time.Minute)
		r.checkOrders(found.by, r.look())
	})},
	{"balances", "a business has less than came in", func(_ *testing.T, r *run, o *owner) {
		o.credits[0].kobo++
		r.checkBalances(o, r.look())
	}},
	{"reconcile", "the bank has what the books do not", func(_ *testing.T, r *run, o *owner) {
		o.credit(o.source, 1, "")
		r.checkOwn()
	}},
	{"audit", "the books have what never happened", func(t *testing.T, r *run, _ *owner) {
		require.NoError(t, r.store.Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
			return ledger.Post(ctx, tx.Ledger(), ledger.Posting{ID: "planted", Env: ferry.Test, Kind: "planted", At: r.clock.now, Legs: []ledger.Leg{
				{Account: ledger.SystemAccount(ferry.Test, ledger.Suspense, money.AssetUSDC), Amount: money.USDC(1_00)},
				{Account: ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC), Amount: money.USDC(-1_00)},
			}})
		}))
		r.checkOwn()
	}},
}

// TestEveryCheckSeesWhatItIsFor plants something wrong in a run that is at rest. Without that,
// nothing is wrong with it.
func TestEveryCheckSeesWhatItIsFor(t *testing.T) {
	for _, p := range plants {
		t.Run(p.check+" "+p.name, func(t *testing.T) {
			t.Parallel()
			r := p.run(t)
			require.NotNil(t, r.wrong, "nobody saw it")
			require.Equal(t, p.check, r.wrong.Check, "%v", r.wrong)
		})
	}
}

// lyingStore shows the first counted account, or the first entry, as another one.
type lyingStore struct {
	store.Backend
	account func(*ledger.Account)
	entry   func(*ledger.Entry)
}

func (s lyingStore) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	return s.Backend.Read(ctx, func(ctx context.Context, p store.Ports) error { return body(ctx, lyingPorts{p, s}) })
}

type lyingPorts struct {
	store.Ports
	lies lyingStore
}

func (p lyingPorts) Ledger() ledger.Store { return lyingLedger{p.Ports.Ledger(), p.lies} }

type lyingLedger struct {
	ledger.Store
	lies lyingStore
}

func (l lyingLedger) Accounts(ctx context.Context, env ferry.Env, after ledger.AccountID, limit int) ([]ledger.Account, error) {
	page, err := l.Store.Accounts(ctx, env, after, limit)
	for i := range page {
		if a := &page[i]; l.lies.account != nil && !a.Uncounted && a.Control == "" && strings.Contains(string(a.ID), "NGN") {
			l.lies.account(a)
			break
		}
	}
	return page, err
}

func (l lyingLedger) Entries(ctx context.Context, id ledger.AccountID, after ledger.EntryID, limit int) ([]ledger.Entry, error) {
	page, err := l.Store.Entries(ctx, id, after, limit)
	if l.lies.entry != nil && len(page) > 0 {
		l.lies.entry(&page[0])
	}
	return page, err
}
