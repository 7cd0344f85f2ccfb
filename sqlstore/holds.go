package sqlstore

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// errNoHold is the absence of a hold, which the port shows as a zero one.
var errNoHold = errors.New("sqlstore: nothing was ever held")

var holdTable = define(table[wallets.Hold]{
	name: "wallet_holds",
	key:  []string{"env"},
	fields: func(h *wallets.Hold) []field {
		return []field{
			col("env", &h.Env),
			col("held", &h.Held),
			col("reason", &h.Reason),
			col("since", instant(&h.Since)),
			col("height", heightField{&h.Height}),
			col("round", &h.Round),
			col("after_address", &h.After),
			col("matched_at", instant(&h.Matched)),
		}
	},
	version: func(h *wallets.Hold) *int64 { return &h.Version },
	missing: errNoHold,
})

func (s walletStore) Hold(ctx context.Context, env ferry.Env) (wallets.Hold, error) {
	h, err := holdTable.get(ctx, s.unit, env)
	if errors.Is(err, errNoHold) {
		return wallets.Hold{Env: env}, nil
	}
	return h, err
}

func (s walletStore) PutHold(ctx context.Context, h wallets.Hold) error {
	return holdTable.put(ctx, s.unit, h)
}

// sentRow is the place reached in the list of what was sent.
type sentRow struct {
	env     ferry.Env
	cursor  chain.Cursor
	version int64
}

// errNothingSent is the absence of a place, which the port shows as an empty one.
var errNothingSent = errors.New("sqlstore: what was sent was not read yet")

var sentTable = define(table[sentRow]{
	name: "wallet_sent",
	key:  []string{"env"},
	fields: func(r *sentRow) []field {
		return []field{
			col("env", &r.env),
			col("cursor", &r.cursor),
		}
	},
	version: func(r *sentRow) *int64 { return &r.version },
	missing: errNothingSent,
})

func (s walletStore) SentCursor(ctx context.Context, env ferry.Env) (chain.Cursor, error) {
	r, err := s.sent(ctx, env)
	return r.cursor, err
}

func (s walletStore) PutSentCursor(ctx context.Context, env ferry.Env, c chain.Cursor) error {
	r, err := s.sent(ctx, env)
	if err != nil {
		return err
	}
	r.cursor = c
	return sentTable.put(ctx, s.unit, r)
}

// sent returns the row of an environment, new when there is none.
func (s walletStore) sent(ctx context.Context, env ferry.Env) (sentRow, error) {
	r, err := sentTable.get(ctx, s.unit, env)
	if errors.Is(err, errNothingSent) {
		return sentRow{env: env}, nil
	}
	return r, err
}

var outflowTable = define(table[wallets.Outflow]{
	name: "wallet_outflows",
	key:  []string{"env", "signature"},
	fields: func(o *wallets.Outflow) []field {
		return []field{
			col("env", &o.Env),
			col("signature", &o.Signature),
			col("from_address", &o.From),
			col("to_address", &o.To),
			col("amount", usdc(&o.Amount)),
			col("memo", &o.Memo),
			col("transfer", &o.Transfer),
			col("attempt", &o.Attempt),
			col("sent", &o.Sent),
			col("parts", document(&o.Parts)),
			col("booked", usdc(&o.Booked)),
			col("suspended", document(&o.Suspended)),
			col("at", instant(&o.At)),
			col("found_at", instant(&o.FoundAt)),
			col("adopted_at", instant(&o.AdoptedAt)),
		}
	},
	version: func(o *wallets.Outflow) *int64 { return &o.Version },
	missing: wallets.ErrOutflowNotFound,
	exists:  wallets.ErrOutflowExists,
})

func (s walletStore) InsertOutflow(_ context.Context, o wallets.Outflow) error {
	return outflowTable.insert(s.unit, o)
}

func (s walletStore) Outflow(ctx context.Context, env ferry.Env, signature chain.Signature) (wallets.Outflow, error) {
	return outflowTable.get(ctx, s.unit, env, signature)
}

func (s walletStore) UpdateOutflow(ctx context.Context, o wallets.Outflow) error {
	return outflowTable.update(ctx, s.unit, o)
}

func (s walletStore) OpenOutflows(ctx context.Context, env ferry.Env, after chain.Signature, limit int) ([]wallets.Outflow, error) {
	return outflowTable.read(ctx, s.unit, "env = ? AND adopted_at IS NULL AND signature > ? ORDER BY signature LIMIT ?", []any{env, after, limit})
}
