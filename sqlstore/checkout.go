package sqlstore

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
)

const sessionRows = "checkout_sessions"

// The unique indexes of sessions.
const (
	sessionByName = iota
	sessionByNumber
)

var sessionTable = define(table[checkout.Session]{
	name: sessionRows,
	key:  []string{"id"},
	fields: func(s *checkout.Session) []field {
		naira := money.AssetNGN
		fields := []field{
			col("id", &s.ID),
			col("env", &s.Scope.Env),
			col("business", &s.Scope.Business),
			col("trx_id", orderName{&s.TrxID, &s.Public}),
			col("variant", &s.Variant),
			col("status", &s.Status),
			col("payment", &s.Payment),
			col("customer", &s.Customer.ID),
			col("email", &s.Customer.Email),
			col("phone", &s.Customer.Phone),
			col("payer", &s.Customer.Name),
			col("amount_type", &s.Pricing.Type),
			col("pair", &s.Pricing.Pair),
			col("base", amount(&s.Pricing.Base, &naira)),
			col("platform_fee", amount(&s.Pricing.Fees.Platform, &naira)),
			col("processing_fee", amount(&s.Pricing.Fees.Processing, &naira)),
			col("customer_pays", &s.Pricing.CustomerPays),
			col("fiat", amount(&s.Pricing.Fiat, &naira)),
			col("requested", usdc(&s.Pricing.Requested)),
			col("crypto", usdc(&s.Pricing.Crypto)),
			col("price", &s.Pricing.Price),
			col("rate_until", instant(&s.Pricing.RateUntil)),
			col("methods", document(&s.Methods)),
			col("crypto_error", &s.CryptoError),
			col("settlement", &s.Settlement),
			col("mismatch", &s.Mismatch),
			col("redirect_url", &s.Redirects.Redirect),
			col("success_url", &s.Redirects.Success),
			col("cancel_url", &s.Redirects.Cancel),
			col("timeout_url", &s.Redirects.Timeout),
			col("title", &s.Customizations.Title),
			col("description", &s.Customizations.Description),
			col("logo", &s.Customizations.Logo),
			col("metadata", document(&s.Metadata)),
			col("link", &s.Link),
			col("bank_code", &s.Account.BankCode),
			col("bank_name", &s.Account.BankName),
			col("number", optional(&s.Account.AccountNumber)),
			col("name", &s.Account.AccountName),
			col("instruction", &s.Instruction),
			col("renewed", document(&s.Renewed)),
			col("expires_at", instant(&s.ExpiresAt)),
			col("ended_at", instant(&s.EndedAt)),
			col("created_at", instant(&s.CreatedAt)),
			col("updated_at", instant(&s.UpdatedAt)),
			col("search", folded(s)),
		}
		return append(fields, anySum("credited", &s.Credited)...)
	},
	version: func(s *checkout.Session) *int64 { return &s.Version },
	scope:   func(s checkout.Session) ferry.Scope { return s.Scope },
	unique: []unique[checkout.Session]{
		sessionByName:   {columns: []string{"env", "business", "trx_id"}, taken: payments.ErrDuplicateTrxID},
		sessionByNumber: {columns: []string{"env", "number"}},
	},
	lists: func(s checkout.Session) []string {
		return []string{listName(sessionRows, s.Scope), listName(sessionRows, s.Scope, string(s.Status))}
	},
	missing: checkout.ErrNotFound,
	keep: func(stored checkout.Session, s *checkout.Session) {
		s.TrxID, s.Public, s.Payment, s.CreatedAt = stored.TrxID, stored.Public, stored.Payment, stored.CreatedAt
	},
})

var instructionTable = define(table[checkout.Instruction]{
	name: "checkout_instructions",
	key:  []string{"address"},
	fields: func(i *checkout.Instruction) []field {
		return []field{
			col("address", &i.Address),
			col("env", &i.Scope.Env),
			col("business", &i.Scope.Business),
			col("holder", &i.Holder),
			col("session", &i.Session),
			col("pair", &i.Pair),
			col("deposit", &i.Deposit),
			col("amount", usdc(&i.Amount)),
			col("price", &i.Price),
			col("received", usdc(&i.Received)),
			col("status", &i.Status),
			col("expires_at", instant(&i.ExpiresAt)),
			col("created_at", instant(&i.CreatedAt)),
			col("updated_at", instant(&i.UpdatedAt)),
		}
	},
	version: func(i *checkout.Instruction) *int64 { return &i.Version },
	scope:   func(i checkout.Instruction) ferry.Scope { return i.Scope },
	missing: checkout.ErrInstructionNotFound,
	keep: func(stored checkout.Instruction, i *checkout.Instruction) {
		i.Session, i.CreatedAt = stored.Session, stored.CreatedAt
	},
})

// errNoWindow is the absence of a window, which the port shows as an empty one.
var errNoWindow = errors.New("sqlstore: no order of that kind")

var windowTable = define(table[checkout.Window]{
	name: "checkout_windows",
	key:  []string{"env", "business", "key"},
	fields: func(w *checkout.Window) []field {
		return []field{
			col("env", &w.Scope.Env),
			col("business", &w.Scope.Business),
			col("key", &w.Key),
			col("session", &w.Session),
			col("at", instant(&w.At)),
		}
	},
	version: func(w *checkout.Window) *int64 { return &w.Version },
	missing: errNoWindow,
})

type checkoutStore struct{ *unit }

var _ checkout.Store = checkoutStore{}

// Checkout returns the port of checkout sessions.
func (u *unit) Checkout() checkout.Store { return checkoutStore{u} }

func (s checkoutStore) Insert(_ context.Context, row checkout.Session) error {
	return sessionTable.insert(s.unit, row)
}

func (s checkoutStore) Session(ctx context.Context, scope ferry.Scope, id checkout.ID) (checkout.Session, error) {
	return sessionTable.owned(ctx, s.unit, scope, id)
}

func (s checkoutStore) Anywhere(ctx context.Context, id checkout.ID) (checkout.Session, error) {
	return sessionTable.get(ctx, s.unit, id)
}

func (s checkoutStore) ByName(ctx context.Context, scope ferry.Scope, name payments.Name) (checkout.Session, error) {
	return sessionTable.find(ctx, s.unit, sessionByName, scope.Env, scope.Business, storedName(name))
}

func (s checkoutStore) ByNumber(ctx context.Context, env ferry.Env, number string) (checkout.Session, error) {
	return sessionTable.find(ctx, s.unit, sessionByNumber, env, number)
}

func (s checkoutStore) Update(ctx context.Context, row checkout.Session) error {
	return sessionTable.update(ctx, s.unit, row)
}

// sessionSeen is what checkout.Session.Seen names otherwise than it is stored.
var sessionSeen = map[checkout.Status]string{
	checkout.Failed:    "(status = 'failed' OR status = 'cancelled' AND variant = 'B')",
	checkout.Cancelled: "status = 'cancelled' AND variant <> 'B'",
}

func (s checkoutStore) List(ctx context.Context, scope ferry.Scope, f checkout.Filter, page ferry.Page) (ferry.List[checkout.Session], error) {
	rows := inScope(scope).equal("email", f.Email).searching(f.Search, shownName("trx_id"), "email", "payer")
	if seen, otherwise := sessionSeen[f.Status]; otherwise {
		rows.and(seen)
	} else {
		rows.equal("status", string(f.Status))
	}
	if f.Asset != 0 {
		priced := checkout.InFiat
		if f.Asset == money.AssetUSDC {
			priced = checkout.InCrypto
		}
		rows.equal("amount_type", string(priced))
	}
	switch {
	case !f.OnlyListed():
		rows.within(f.Range)
	case f.Status == "":
		rows.counted(listName(sessionRows, scope))
	default:
		rows.counted(listName(sessionRows, scope, string(f.Status)))
	}
	return sessionTable.page(ctx, s.unit, rows, page)
}

func (s checkoutStore) InsertInstruction(_ context.Context, i checkout.Instruction) error {
	return instructionTable.insert(s.unit, i)
}

func (s checkoutStore) Instruction(ctx context.Context, id wallets.AddressID) (checkout.Instruction, error) {
	return instructionTable.get(ctx, s.unit, id)
}

func (s checkoutStore) Instructions(ctx context.Context, of checkout.ID) ([]checkout.Instruction, error) {
	return instructionTable.read(ctx, s.unit, "session = ? ORDER BY created_at, address", []any{of})
}

func (s checkoutStore) UpdateInstruction(ctx context.Context, i checkout.Instruction) error {
	return instructionTable.update(ctx, s.unit, i)
}

func (s checkoutStore) Window(ctx context.Context, scope ferry.Scope, key string) (checkout.Window, error) {
	w, err := windowTable.get(ctx, s.unit, scope.Env, scope.Business, key)
	if errors.Is(err, errNoWindow) {
		return checkout.Window{Scope: scope, Key: key}, nil
	}
	return w, err
}

func (s checkoutStore) PutWindow(ctx context.Context, w checkout.Window) error {
	return windowTable.put(ctx, s.unit, w)
}
