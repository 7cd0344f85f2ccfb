package operation_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/store"
)

// forget lets the clock go on until no key is remembered, as when the time of a sandbox is
// moved.
func (d *toy) forget() {
	d.pass(idempotency.Retention + time.Hour)
	require.NoError(d.t, d.write(func(ctx context.Context, tx store.Tx) error {
		_, err := idempotency.RecordKind.Purge(ctx, tx, home.Env, tx.Now().Add(-idempotency.Retention), 10)
		return err
	}))
}

func TestARunThatOutlivesItsKeyHasItsOwnAnswer(t *testing.T) {
	for _, kobo := range []int64{200, 100} { // another request, and the same one
		d := newToy(t)
		var next payout
		d.once("acted", func() (err error) {
			d.forget()
			next, err = d.pay(t.Context(), "key", kobo)
			require.NoError(t, err)
			return nil
		})
		first, err := d.pay(t.Context(), "key", 100)
		require.NoError(t, err)
		require.EqualValues(t, 100, first.Amount.Minor())
		require.NotEqual(t, next.ID, first.ID)
		require.EqualValues(t, 1000-100-kobo, d.left())
	}
}

func TestARunThatOutlivesItsKeyDoesNotAnswerTheNextOne(t *testing.T) {
	for place, answer := range map[string]error{"acted": nil, "act": errDown} {
		d := newToy(t)
		claim := d.claim("key", 200)
		d.once(place, func() error {
			d.forget()
			require.NoError(t, d.write(func(ctx context.Context, tx store.Tx) error {
				_, err := idempotency.Begin(ctx, tx, tx.Now(), d.Now(), claim.Key.Record(claim.Fingerprint))
				return err
			}))
			return answer
		})
		_, err := d.pay(t.Context(), "key", 100)
		require.ErrorIs(t, err, answer)
		require.NoError(t, d.write(func(ctx context.Context, tx store.Tx) error {
			record, err := idempotency.RecordKind.Get(ctx, tx, claim.Key.Scope, claim.Key.ID())
			require.False(t, record.Finished, place)
			require.Empty(t, record.Resource, place)
			require.False(t, record.BusyUntil.IsZero(), place)
			return err
		}))
	}
}
