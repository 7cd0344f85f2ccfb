package operation_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/store"
)

// eager is the operation of a toy as an eager one, whose visits of "prepare" and "record"
// are counted.
func (d *toy) eager(kobo int64, prepares, records *int) ferry.Operation[store.Tx, payout] {
	op := d.payOp(kobo)
	begin := op.Begin
	op.Begin = func() ferry.Steps[store.Tx, payout] {
		steps := begin()
		steps.Eager = true
		prepare, record := steps.Prepare, steps.Record
		steps.Prepare = func(ctx context.Context, resource string) error { *prepares++; return prepare(ctx, resource) }
		steps.Record = func(ctx context.Context, tx store.Tx, resource string) (ferry.Step[payout], error) {
			*records++
			return record(ctx, tx, resource)
		}
		return steps
	}
	return op
}

// payEagerly runs an eager operation under a key, without one when it is empty.
func (d *toy) payEagerly(key string, op ferry.Operation[store.Tx, payout]) (payout, error) {
	if key == "" {
		return operation.Run(d.t.Context(), op)
	}
	return operation.Once(d.t.Context(), op, d.claim(key, op.Params.(int64)))
}

func TestAnEagerOperationIsRefusedAtOnce(t *testing.T) {
	for _, key := range []string{"", "key"} {
		d, prepares, records := newToy(t), 0, 0
		d.once("record", func() error { return errRefused })
		_, err := d.payEagerly(key, d.eager(100, &prepares, &records))
		require.ErrorIs(t, err, errRefused)
		require.Equal(t, 1, records)
		require.Zero(t, prepares)
		require.EqualValues(t, 1000, d.left())
	}
}

func TestAnEagerOperationThatIsNotPreparedIsPreparedAndRecorded(t *testing.T) {
	for _, key := range []string{"", "key"} {
		d, prepares, records := newToy(t), 0, 0
		d.once("record", func() error { return errRefused.Because(ferry.ErrUnprepared) })
		_, err := d.payEagerly(key, d.eager(100, &prepares, &records))
		require.NoError(t, err)
		require.Equal(t, 2, records)
		require.Equal(t, 1, prepares)
		require.EqualValues(t, 900, d.left())
	}
}

func TestAnOperationIsPreparedAgainWhenWhatItFoundHasChanged(t *testing.T) {
	for _, key := range []string{"", "key"} {
		d := newToy(t)
		d.once("record", func() error { return ferry.ErrUnprepared })
		_, err := d.pay(t.Context(), key, 100)
		require.NoError(t, err)
		require.EqualValues(t, 900, d.left())
	}
}

func TestAnOperationThatNeverStaysPreparedMayBeTriedAgain(t *testing.T) {
	for _, key := range []string{"", "key"} {
		d := newToy(t)
		var changes func() error
		changes = func() error {
			d.once("record", changes)
			return ferry.ErrUnprepared
		}
		d.once("record", changes)
		_, err := d.pay(t.Context(), key, 100)
		require.ErrorIs(t, err, ferry.Unavailable)
		require.EqualValues(t, 1000, d.left())

		d.once("record", nil)
		_, err = d.pay(t.Context(), key, 100)
		require.NoError(t, err)
		require.EqualValues(t, 900, d.left())
	}
}

// A retry goes on with what was recorded, even where a new operation would be refused.
func TestAnEagerRetryGoesOnWhereANewOperationIsRefused(t *testing.T) {
	d, prepares, records := newToy(t), 0, 0
	d.once("act", func() error { panic("a bug") })
	cutOff(func() { _, _ = d.payEagerly("key", d.eager(100, &prepares, &records)) })
	d.pass(idempotency.Busy)
	d.once("record", func() error { return errRefused })
	_, err := d.payEagerly("key", d.eager(100, &prepares, &records))
	require.NoError(t, err)
	require.EqualValues(t, 900, d.left())
	require.Equal(t, 1, d.asked())
}

// lost are units whose first commit happens and is reported as unknown.
type lost struct {
	ferry.Units[store.Tx]
	err error
}

func (l *lost) Write(ctx context.Context, body func(context.Context, store.Tx) error) error {
	err := l.Units.Write(ctx, body)
	if err == nil {
		err, l.err = l.err, nil
	}
	return err
}

func TestAnEagerOperationWhoseCommitIsUnknownIsNotRecordedAgain(t *testing.T) {
	d, prepares, records := newToy(t), 0, 0
	unknown := errors.New("it is not known whether the unit was committed")
	op := d.eager(100, &prepares, &records)
	op.Units = &lost{op.Units, unknown}
	_, err := d.payEagerly("", op)
	require.ErrorIs(t, err, unknown)
	require.Equal(t, 1, records)
	require.EqualValues(t, 900, d.left())
}

func TestWhatIsConcludedIsFollowedOnceItIsCommitted(t *testing.T) {
	for _, key := range []string{"", "key"} {
		for _, place := range []string{"", "record", "conclude"} {
			d, followed := newToy(t), 0
			if place != "" {
				d.once(place, func() error { return errors.New("the disk is full") })
			}
			op := d.payOp(100)
			begin := op.Begin
			op.Begin = func() ferry.Steps[store.Tx, payout] {
				steps := begin()
				steps.Follow = func(context.Context) { followed++ }
				return steps
			}
			_, err := d.payEagerly(key, op)
			require.Equal(t, place == "", err == nil)
			require.Equal(t, place == "", followed == 1)
		}
	}
}
