package checkout

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets"
)

// byName finds a session of a scope by TrxID and Public, byNumber one of any business
// of an environment by the number of its account.
var (
	byName   = &records.Unique{Columns: []string{"env", "business", "trx_id"}, Taken: statement.ErrDuplicateTrxID}
	byNumber = &records.Unique{Columns: []string{"env", "number"}}
)

// SessionKind is what a session is as a row.
var SessionKind = records.Define(records.Kind[ID, Session]{
	Name: "checkout_sessions",
	Columns: func(s *Session) []records.Column {
		return []records.Column{
			records.ID(&s.ID), records.Owner(&s.Scope), records.Version(&s.Version),
			records.Marked("trx_id", &s.TrxID, &s.Public, statement.PublicMark),
			records.Text("variant", &s.Variant),
			records.Word("status", &s.Status, Lifecycle.States()...),
			records.Text("payment", &s.Payment),
			records.Text("customer", &s.Customer.ID),
			records.Text("email", &s.Customer.Email),
			records.Text("phone", &s.Customer.Phone),
			records.Text("payer", &s.Customer.Name),
			records.Word("amount_type", &s.Pricing.Type, InFiat, InCrypto),
			records.Text("pair", &s.Pricing.Pair),
			records.Amount("base", &s.Pricing.Base, money.AssetNGN),
			records.Amount("platform_fee", &s.Pricing.Fees.Platform, money.AssetNGN),
			records.Amount("processing_fee", &s.Pricing.Fees.Processing, money.AssetNGN),
			records.Bool("customer_pays", &s.Pricing.CustomerPays),
			records.Amount("fiat", &s.Pricing.Fiat, money.AssetNGN),
			records.Amount("requested", &s.Pricing.Requested, money.AssetUSDC),
			records.Amount("crypto", &s.Pricing.Crypto, money.AssetUSDC),
			records.Text("price", &s.Pricing.Price),
			records.Time("rate_until", &s.Pricing.RateUntil),
			records.Document("methods", &s.Methods),
			records.Text("crypto_error", &s.CryptoError),
			records.Text("settlement", &s.Settlement),
			records.Text("mismatch", &s.Mismatch),
			records.Text("redirect_url", &s.Redirects.Redirect),
			records.Text("success_url", &s.Redirects.Success),
			records.Text("cancel_url", &s.Redirects.Cancel),
			records.Text("timeout_url", &s.Redirects.Timeout),
			records.Text("title", &s.Customizations.Title),
			records.Text("description", &s.Customizations.Description),
			records.Text("logo", &s.Customizations.Logo),
			records.Document("metadata", &s.Metadata),
			records.Text("link", &s.Link),
			records.Text("bank_code", &s.Account.BankCode),
			records.Text("bank_name", &s.Account.BankName),
			records.Optional("number", &s.Account.AccountNumber),
			records.Text("name", &s.Account.AccountName),
			records.Text("instruction", &s.Instruction),
			records.Document("renewed", &s.Renewed),
			records.Time("expires_at", &s.ExpiresAt),
			records.Time("ended_at", &s.EndedAt),
			records.CreatedAt(&s.CreatedAt), records.Time("updated_at", &s.UpdatedAt),
			records.Money("credited", &s.Credited),
		}
	},
	Scope:   func(s *Session) ferry.Scope { return s.Scope },
	Unique:  []*records.Unique{byName, byNumber},
	Fixed:   []string{"trx_id", "payment"},
	Lists:   [][]string{{}, {"status"}},
	Search:  []string{"trx_id", "email", "payer"},
	Missing: ErrNotFound,
})

// Query selects the sessions that the filter keeps.
func (f Filter) Query() records.Query {
	q := records.Where(records.Is("email", f.Email))
	if f.Asset != 0 {
		q = q.And(records.Is("amount_type", typeOf(f.Asset)))
	}
	switch byB := records.Is("variant", business.DialectB); f.Status {
	case Failed: // which a session of B that was cancelled is, as Session.Seen says
		q = q.Or([]records.Match{records.Is("status", Failed)}, []records.Match{records.Is("status", Cancelled), byB})
	case Cancelled:
		q = q.And(records.Is("status", Cancelled), records.Not(byB))
	default:
		q = q.And(records.Is("status", f.Status))
	}
	return q.During(f.Range).Searching(f.Search)
}

// typeOf is how an order is priced that is priced in an asset.
func typeOf(asset money.Asset) AmountType {
	if asset == money.AssetUSDC {
		return InCrypto
	}
	return InFiat
}

// InstructionKind is what an instruction is as a row: one an address.
var InstructionKind = records.Define(records.Kind[wallets.AddressID, Instruction]{
	Name: "checkout_instructions",
	Columns: func(i *Instruction) []records.Column {
		return []records.Column{
			records.Text("address", &i.Address), records.Owner(&i.Scope), records.Version(&i.Version),
			records.Text("holder", &i.Holder),
			records.Text("session", &i.Session),
			records.Text("pair", &i.Pair),
			records.Text("deposit", &i.Deposit),
			records.Amount("amount", &i.Amount, money.AssetUSDC),
			records.Text("price", &i.Price),
			records.Amount("received", &i.Received, money.AssetUSDC),
			records.Text("status", &i.Status),
			records.Time("expires_at", &i.ExpiresAt),
			records.CreatedAt(&i.CreatedAt), records.Time("updated_at", &i.UpdatedAt),
		}
	},
	Key:     []string{"address"},
	Scope:   func(i *Instruction) ferry.Scope { return i.Scope },
	Fixed:   []string{"session"},
	Groups:  []records.Group{{By: []string{"session"}}},
	Missing: ErrInstructionNotFound,
})

// ofSession selects the instructions of a session.
func ofSession(id ID) records.Query { return records.Where(records.Is("session", id)) }

// errNoSlot is the absence of a slot: no order of that kind was made.
var errNoSlot = ferry.NewError(ferry.NotFound, "checkout_not_found", "No order of that kind was made")

// ReuseSlotKind is what a slot is as a row: one for each kind of order of a scope.
var ReuseSlotKind = records.Define(records.Kind[string, ReuseSlot]{
	Name: "checkout_windows",
	Columns: func(w *ReuseSlot) []records.Column {
		return []records.Column{
			records.Text("key", &w.Key), records.Owner(&w.Scope), records.Version(&w.Version),
			records.Text("session", &w.Session),
			records.Time("at", &w.At),
		}
	},
	Key:     []string{"env", "business", "key"},
	Scope:   func(w *ReuseSlot) ferry.Scope { return w.Scope },
	Missing: errNoSlot,
})

// slotOf returns the slot of a key, or an empty one of version 0.
func slotOf(ctx context.Context, tx Tx, scope ferry.Scope, key string) (ReuseSlot, error) {
	return ReuseSlotKind.GetOr(ctx, tx, ReuseSlot{Scope: scope, Key: key})
}

// sessionNamed is a session as byName finds it.
func sessionNamed(scope ferry.Scope, n statement.Name) Session {
	return Session{Scope: scope, TrxID: n.TrxID, Public: n.Public}
}

// sessionNumbered is a session as byNumber finds it.
func sessionNumbered(env ferry.Env, number string) (s Session) {
	s.Scope.Env, s.Account.AccountNumber = env, number
	return s
}
