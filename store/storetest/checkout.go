package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func testCheckout(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("sessions", func(t *testing.T) { sessionRows.test(t, open) })
	t.Run("names", func(t *testing.T) { testSessionNames(t, open) })
	t.Run("lists", func(t *testing.T) { testSessionLists(t, open) })
	t.Run("search", func(t *testing.T) { searchedSessions.test(t, open) })
	t.Run("standings", func(t *testing.T) { testSessionStandings(t, open) })
	t.Run("instructions", func(t *testing.T) { testInstructions(t, open) })
	t.Run("windows", func(t *testing.T) { testWindows(t, open) })
}

// session is the n-th session of a scope, with no field empty.
func session(scope ferry.Scope, n int) checkout.Session {
	return checkout.Session{
		ID: checkout.ID(idOf(checkout.Prefix, n)), Scope: scope, TrxID: fmt.Sprintf("order-%d", n),
		Variant: business.DialectA, Status: checkout.Pending, Payment: payments.ID(idOf(payments.Prefix, n)),
		Customer: payments.Customer{ID: "cus_1", Email: "ada@example.com", Phone: "08012345678", Name: "Ada"},
		Pricing: checkout.Pricing{
			Type: checkout.InCrypto, Pair: checkout.SolanaUSDC, Base: money.NGN(15_000_00),
			Fees: payments.Fees{Platform: money.NGN(100), Processing: money.NGN(10)}, CustomerPays: true,
			Fiat: money.NGN(15_001_10), Requested: money.USDC(10_000_000), Crypto: money.USDC(10_000_733),
			Price: "1500.25", RateUntil: after(n + 900),
		},
		Methods:     []business.PaymentMethod{business.BankTransfer, business.Crypto},
		CryptoError: "none", Settlement: business.Convert, Mismatch: business.Accept,
		Redirects: checkout.Redirects{
			Redirect: "https://a.example.com", Success: "https://b.example.com",
			Cancel: "https://c.example.com", Timeout: "https://d.example.com",
		},
		Customizations: checkout.Customizations{Title: "T", Description: "D", Logo: "https://e.example.com"},
		Metadata:       ferry.Metadata{"cart": json.Number("1.50")}, Link: "plink_1",
		Account:     provider.Account{BankCode: "999", BankName: "Bank", AccountNumber: fmt.Sprintf("%s%09d", scope.Env[:1], n), AccountName: "Shop"},
		Instruction: wallets.AddressID("addr_1"), Credited: money.USDC(3),
		Renewed:   []checkout.NairaOffer{{Kobo: 15_002_20, Price: "1500.35", From: after(n + 1000), Until: after(n + 1900)}},
		ExpiresAt: after(n + 86400), EndedAt: after(n + 5), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var sessionRows = owned[checkout.Session]{
	row: session,
	insert: func(ctx context.Context, p store.Ports, row checkout.Session) error {
		paid := payment(row.Scope, 1)
		paid.ID, paid.Reference = row.Payment, string(row.Payment)
		if _, err := p.Payments().Get(ctx, row.Scope, paid.ID); errors.Is(err, payments.ErrNotFound) {
			if err := p.Payments().Insert(ctx, paid); err != nil {
				return err
			}
		}
		return p.Checkout().Insert(ctx, row)
	},
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row checkout.Session) (checkout.Session, error) {
		return p.Checkout().Session(ctx, scope, row.ID)
	},
	update: func(ctx context.Context, p store.Ports, row checkout.Session) error {
		return p.Checkout().Update(ctx, row)
	},
	version: func(s *checkout.Session) *int64 { return &s.Version },
	change: func(s *checkout.Session) {
		s.Status, s.Account, s.Credited = checkout.Completed, provider.Account{}, money.NGN(4)
		s.Variant, s.Pricing.Type = business.DialectB, checkout.InFiat
		s.Renewed = append(s.Renewed, checkout.NairaOffer{Kobo: 1, Price: "0.01", From: after(2000), Until: after(2900)})
	},
	missing: checkout.ErrNotFound,
	fixed:   []string{"TrxID", "Public", "Payment", "CreatedAt"},
}

var searchedSessions = searched[checkout.Session]{
	owned: sessionRows, id: func(s checkout.Session) string { return string(s.ID) },
	places: map[string]func(*checkout.Session, string){
		"trx_id":        func(s *checkout.Session, is string) { s.TrxID = is },
		"payer's email": func(s *checkout.Session, is string) { s.Customer.Email = is },
		"payer's name":  func(s *checkout.Session, is string) { s.Customer.Name = is },
	},
	put: func(s *checkout.Session, is string) { s.Customer.Name = is },
	list: func(ctx context.Context, p store.Ports, scope ferry.Scope, search string, page ferry.Page) (ferry.List[checkout.Session], error) {
		return p.Checkout().List(ctx, scope, checkout.Filter{Search: search}, page)
	},
}

func testSessionNames(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a session is found by each of its names", func(t *testing.T) {
		b := open(t)
		row := session(away, 1)
		write(t, b, sessionRows.inserted(row))
		want := sessionRows.stored(row, 1)
		for name, find := range map[string]func(context.Context, store.Ports) (checkout.Session, error){
			"by trx_id": func(ctx context.Context, p store.Ports) (checkout.Session, error) {
				return p.Checkout().ByName(ctx, away, payments.Name{TrxID: "order-1"})
			},
			"by number, whosever it is": func(ctx context.Context, p store.Ports) (checkout.Session, error) {
				return p.Checkout().ByNumber(ctx, ferry.Test, row.Account.AccountNumber)
			},
			"by id, whosever it is": func(ctx context.Context, p store.Ports) (checkout.Session, error) {
				return p.Checkout().Anywhere(ctx, row.ID)
			},
		} {
			require.Equal(t, want, look(t, b, find), name)
		}
		missing(t, b, checkout.ErrNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := p.Checkout().ByName(ctx, home, payments.Name{TrxID: "order-1"})
			return err
		})
		missing(t, b, checkout.ErrNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := p.Checkout().ByNumber(ctx, ferry.Live, row.Account.AccountNumber)
			return err
		})
	})
	t.Run("a name that came with a public key and one of the shop's are two", func(t *testing.T) {
		b := open(t)
		own, public := session(home, 1), session(home, 2)
		public.TrxID, public.Public = own.TrxID, true
		write(t, b, sessionRows.inserted(own))
		write(t, b, sessionRows.inserted(public))
		for _, row := range []checkout.Session{own, public} {
			found := look(t, b, func(ctx context.Context, p store.Ports) (checkout.Session, error) {
				return p.Checkout().ByName(ctx, home, row.Name())
			})
			require.Equal(t, sessionRows.stored(row, 1), found)
		}
		again := session(home, 3)
		again.TrxID, again.Public = own.TrxID, true
		refuse(t, b, payments.ErrDuplicateTrxID, sessionRows.inserted(again))
	})
	t.Run("an account that is attached later is found, and sessions without one do not meet", func(t *testing.T) {
		b := open(t)
		for n := 1; n <= 2; n++ {
			row := session(home, n)
			row.Account = provider.Account{}
			write(t, b, sessionRows.inserted(row))
		}
		row := sessionRows.stored(session(home, 1), 1)
		write(t, b, sessionRows.updated(row))
		found := look(t, b, func(ctx context.Context, p store.Ports) (checkout.Session, error) {
			return p.Checkout().ByNumber(ctx, ferry.Test, row.Account.AccountNumber)
		})
		require.Equal(t, row.ID, found.ID)
	})
	t.Run("a trx_id is taken once in a scope", func(t *testing.T) {
		b := open(t)
		write(t, b, sessionRows.inserted(session(home, 1)))
		again := session(home, 2)
		again.TrxID = "order-1"
		refuse(t, b, payments.ErrDuplicateTrxID, sessionRows.inserted(again))
	})
}

func testSessionLists(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n := 1; n <= 4; n++ {
		row := session(home, n)
		if n%2 == 0 {
			row.Status, row.Pricing.Type, row.Customer.Email = checkout.Completed, checkout.InFiat, "bola@example.com"
		}
		write(t, b, sessionRows.inserted(row))
	}
	write(t, b, sessionRows.inserted(session(away, 5)))
	for name, c := range map[string]struct {
		filter checkout.Filter
		want   []string
	}{
		"all, newest first":      {want: []string{"order-4", "order-3", "order-2", "order-1"}},
		"that are paid":          {checkout.Filter{Status: checkout.Completed}, []string{"order-4", "order-2"}},
		"priced in naira":        {checkout.Filter{Asset: money.AssetNGN}, []string{"order-4", "order-2"}},
		"priced in USDC":         {checkout.Filter{Asset: money.AssetUSDC}, []string{"order-3", "order-1"}},
		"of a payer":             {checkout.Filter{Email: "ada@example.com"}, []string{"order-3", "order-1"}},
		"of a part and a payer":  {checkout.Filter{Search: "order-", Email: "bola@example.com"}, []string{"order-4", "order-2"}},
		"of a part and a status": {checkout.Filter{Search: "order-", Status: checkout.Pending}, []string{"order-3", "order-1"}},
		"of a range":             {checkout.Filter{Range: ferry.Range{From: after(2), To: after(3)}}, []string{"order-3", "order-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[checkout.Session], error) {
				return p.Checkout().List(ctx, home, c.filter, ferry.Page{})
			})
			refs := []string{}
			for _, row := range found.Data {
				refs = append(refs, row.TrxID)
			}
			require.Equal(t, c.want, refs)
			require.Equal(t, len(c.want), found.Total)
		})
	}
}

func testInstructions(t *testing.T, open func(*testing.T) store.Backend) {
	to := address(1)
	row := checkout.Instruction{
		Address: to.ID, Scope: home, Holder: home.Business, Session: session(home, 1).ID, Pair: checkout.SolanaUSDC,
		Deposit: to.Address, Amount: money.USDC(10), Price: "1500", Received: money.USDC(3), Status: checkout.Detected,
		ExpiresAt: after(900), CreatedAt: after(1), UpdatedAt: after(1),
	}
	insert := func(i checkout.Instruction) body {
		return func(ctx context.Context, p store.Ports) error { return p.Checkout().InsertInstruction(ctx, i) }
	}
	update := func(i checkout.Instruction) body {
		return func(ctx context.Context, p store.Ports) error { return p.Checkout().UpdateInstruction(ctx, i) }
	}
	of := func(ctx context.Context, p store.Ports) (checkout.Instruction, error) {
		return p.Checkout().Instruction(ctx, to.ID)
	}
	ready := func(t *testing.T) store.Backend {
		b := open(t)
		write(t, b, insertWallet(custodyWallet(1)))
		write(t, b, insertAddress(to))
		write(t, b, sessionRows.inserted(session(home, 1)))
		return b
	}
	t.Run("an instruction comes back as it went in, once for an address", func(t *testing.T) {
		b := ready(t)
		missing(t, b, checkout.ErrInstructionNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := of(ctx, p)
			return err
		})
		write(t, b, insert(row))
		want := row
		want.Version = 1
		require.Equal(t, want, look(t, b, of))
		require.Error(t, b.Write(t.Context(), insert(row)))
	})
	t.Run("a change raises the version, and of what has moved on is refused", func(t *testing.T) {
		b := ready(t)
		write(t, b, insert(row))
		changed := row
		changed.Version, changed.Status, changed.Received = 1, checkout.Confirmed, money.USDC(10)
		write(t, b, update(changed))
		refuse(t, b, ferry.ErrStale, update(changed))
		changed.Version = 2
		require.Equal(t, changed, look(t, b, of))
	})
	t.Run("the instructions of a session are listed, oldest first", func(t *testing.T) {
		b := ready(t)
		write(t, b, sessionRows.inserted(session(home, 2)))
		for n, of := range map[int]int{2: 1, 3: 2, 4: 1} {
			write(t, b, insertAddress(address(n)))
			other := row
			other.Address, other.Deposit, other.Session = address(n).ID, address(n).Address, session(home, of).ID
			other.CreatedAt = after(-n)
			write(t, b, insert(other))
		}
		write(t, b, insert(row))
		list := func(id checkout.ID) (addresses []wallets.AddressID) {
			for _, i := range look(t, b, func(ctx context.Context, p store.Ports) ([]checkout.Instruction, error) {
				return p.Checkout().Instructions(ctx, id)
			}) {
				addresses = append(addresses, i.Address)
			}
			return addresses
		}
		require.Equal(t, []wallets.AddressID{address(4).ID, address(2).ID, row.Address}, list(session(home, 1).ID))
		require.Equal(t, []wallets.AddressID{address(3).ID}, list(session(home, 2).ID))
		require.Empty(t, list("sess_3"))
	})
	readOnly(t, open, map[string]body{"InsertInstruction": insert(row), "UpdateInstruction": update(row)})
}

func testWindows(t *testing.T, open func(*testing.T) store.Backend) {
	of := func(ctx context.Context, p store.Ports) (checkout.Window, error) {
		return p.Checkout().Window(ctx, home, "key")
	}
	put := func(w checkout.Window) body {
		return func(ctx context.Context, p store.Ports) error { return p.Checkout().PutWindow(ctx, w) }
	}
	full := checkout.Window{Scope: home, Key: "key", Session: "sess_1", At: after(1)}
	t.Run("a key without a window has an empty one", func(t *testing.T) {
		require.Equal(t, checkout.Window{Scope: home, Key: "key"}, look(t, open(t), of))
	})
	t.Run("a window comes back as it was put, and one that moved on is refused", func(t *testing.T) {
		b := open(t)
		write(t, b, put(full))
		want := full
		want.Version = 1
		require.Equal(t, want, look(t, b, of))
		refuse(t, b, ferry.ErrStale, put(full))
	})
	t.Run("of those who open one window at once, all see the first session", func(t *testing.T) {
		b := open(t)
		sessions := make([]checkout.ID, 8)
		for _, err := range race(8, func(i int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				w, err := p.Checkout().Window(ctx, home, "key")
				if err != nil {
					return err
				}
				if sessions[i] = w.Session; w.Session != "" {
					return nil
				}
				w.Session, w.At = checkout.ID(idOf(checkout.Prefix, i)), after(1)
				sessions[i] = w.Session
				return p.Checkout().PutWindow(ctx, w)
			})
		}) {
			require.NoError(t, err)
		}
		for _, id := range sessions {
			require.Equal(t, sessions[0], id)
		}
	})
	readOnly(t, open, map[string]body{"PutWindow": put(full)})
}
