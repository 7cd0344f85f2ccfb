package operation_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

func isEnded(err error) bool {
	return errors.Is(err, ledger.ErrReservationEnded) || errors.Is(err, ledger.ErrPosted)
}

func TestARepeatedKeyIsAnsweredWithTheFirstAnswer(t *testing.T) {
	d := newToy(t)
	first, err := d.pay(t.Context(), "key", 100)
	require.NoError(t, err)
	require.Equal(t, ledger.Settled, first.State)
	d.once("prepare", func() error { t.Error("a replay prepares nothing"); return nil })
	again, err := d.pay(t.Context(), "key", 100)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.EqualValues(t, 900, d.left())

	delete(d.at, "prepare")
	other, err := d.pay(t.Context(), "another", 100)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, other.ID)
	require.EqualValues(t, 800, d.left())
}

func TestAKeyThatComesWithAnotherRequestIsRefused(t *testing.T) {
	d := newToy(t)
	d.once("acted", func() error {
		_, err := d.pay(t.Context(), "key", 200)
		require.ErrorIs(t, err, idempotency.ErrConflict, "while the first one works")
		return nil
	})
	_, err := d.pay(t.Context(), "key", 100)
	require.NoError(t, err)
	_, err = d.pay(t.Context(), "key", 200)
	require.ErrorIs(t, err, idempotency.ErrConflict, "when the first one has ended")
	require.EqualValues(t, 900, d.left())
}

func TestARunWaitsForAnotherOneWithItsKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newToy(t)
		d.once("act", func() error { time.Sleep(3 * time.Second); return nil })
		answers := make(chan payout, 3)
		for range cap(answers) {
			go func() {
				out, err := d.pay(t.Context(), "key", 100)
				if err != nil {
					t.Error(err)
				}
				answers <- out
			}()
		}
		first := <-answers
		require.Equal(t, ledger.Settled, first.State)
		for range cap(answers) - 1 {
			require.Equal(t, first, <-answers)
		}
		require.Equal(t, 1, d.asked())
	})
}

func TestARunWaitsForAnotherOneOnlyAsLongAsItsPatienceLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, ended := newToy(t), make(chan struct{})
		d.once("act", func() error { time.Sleep(10 * time.Second); return nil })
		go func() {
			_, _ = d.pay(t.Context(), "key", 100)
			close(ended)
		}()
		synctest.Wait()
		claim := d.claim("key", 100)
		claim.Patience = 2 * time.Second
		began := time.Now()
		_, err := operation.Once(t.Context(), d.payOp(100), claim)
		require.ErrorIs(t, err, idempotency.ErrInProgress)
		require.Equal(t, claim.Patience, time.Since(began))

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = d.pay(ctx, "key", 100)
		require.ErrorIs(t, err, idempotency.ErrInProgress, "the context ends")
		<-ended
		require.Equal(t, 1, d.asked())
	})
}

func TestAnErrorBeforeAnythingWasRecordedLeavesTheKeyFree(t *testing.T) {
	for _, place := range []string{"prepare", "record", "recorded"} {
		d := newToy(t)
		d.once(place, func() error { return errRefused })
		_, err := d.pay(t.Context(), "key", 100)
		require.ErrorIs(t, err, errRefused, place)
		require.EqualValues(t, 1000, d.left(), place)
		_, err = d.pay(t.Context(), "key", 200)
		require.NoError(t, err, "%s: also for another request", place)
		require.EqualValues(t, 800, d.left(), place)
	}
}

func TestARefusalThatWasConcludedIsTheAnswerOfItsKey(t *testing.T) {
	d := newToy(t)
	d.once("act", func() error { return errRefused.Saying("Not today") })
	for range 2 {
		_, err := d.pay(t.Context(), "key", 100)
		require.ErrorIs(t, err, errRefused)
		require.ErrorContains(t, err, "Not today")
	}
	require.Zero(t, d.asked())
	require.EqualValues(t, 900, d.left(), "what was recorded is not abandoned: the key keeps it")
}

func TestAnOutageIsNoAnswerAndTheRetryGoesOnAtOnce(t *testing.T) {
	d := newToy(t)
	d.once("act", func() error { return errDown })
	_, err := d.pay(t.Context(), "key", 100)
	require.ErrorIs(t, err, errDown)
	paid, err := d.pay(t.Context(), "key", 100)
	require.NoError(t, err)
	require.Equal(t, ledger.Settled, paid.State)
	require.EqualValues(t, 900, d.left())
}

// ways are the ways in which a run can be cut off without an answer.
var ways = map[string]func() error{
	"an error": func() error { return errors.New("the disk is full") },
	"a panic":  func() error { panic("a bug") },
	"an exit":  func() error { runtime.Goexit(); return nil },
}

func TestARunThatIsCutOffAnywhereIsFinishedByTheRetry(t *testing.T) {
	for _, place := range []string{"prepare", "record", "recorded", "act", "acted", "conclude", "concluded"} {
		for name, way := range ways {
			if name == "an error" && (place == "act" || place == "acted") {
				continue // act returns none
			}
			t.Run(place+", "+name, func(t *testing.T) {
				d := newToy(t)
				d.once(place, way)
				cutOff(func() { _, _ = d.pay(t.Context(), "key", 100) })
				d.pass(idempotency.Busy)
				for range 2 {
					paid, err := d.pay(t.Context(), "key", 100)
					require.NoError(t, err)
					require.Equal(t, ledger.Settled, paid.State)
				}
				require.Equal(t, 1, d.asked(), "for one payout, however often")
				before := []string{"prepare", "record", "recorded"}
				require.Equal(t, slices.Contains(before, place), d.resumed == "", "the payout that was recorded")
				require.EqualValues(t, 900, d.left())
			})
		}
	}
}

// cutOff runs something that may panic or exit.
func cutOff(run func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		run()
	}()
	<-done
}

func TestAPanicOfAStepReachesTheCaller(t *testing.T) {
	for _, key := range []string{"", "key"} {
		for _, place := range []string{"prepare", "record", "act", "conclude"} {
			d := newToy(t)
			d.once(place, func() error { panic("a bug") })
			require.PanicsWithValue(t, "a bug", func() { _, _ = d.pay(t.Context(), key, 100) }, place)
		}
	}
}

func TestTheFirstAnswerStaysWhenARunWasTakenOver(t *testing.T) {
	d := newToy(t)
	var quicker payout
	d.once("acted", func() (err error) {
		d.pass(idempotency.Busy)
		quicker, err = d.pay(t.Context(), "key", 100)
		require.NoError(t, err)
		return nil
	})
	slow, err := d.pay(t.Context(), "key", 100)
	require.NoError(t, err)
	require.Equal(t, quicker, slow)
	require.EqualValues(t, 900, d.left())
}

func TestARefusalThatAnotherRunOfTheKeyCausedIsOverruledByItsAnswer(t *testing.T) {
	d := newToy(t)
	var first payout
	d.once("prepare", func() (err error) {
		first, err = d.pay(t.Context(), "key", 600)
		require.NoError(t, err)
		return errRefused // by what the other run did
	})
	answer, err := d.pay(t.Context(), "key", 600)
	require.NoError(t, err)
	require.Equal(t, first, answer)
	require.EqualValues(t, 400, d.left())
}

func TestAnOutcomeIsRecordedWhenTheCallerHasGone(t *testing.T) {
	for _, key := range []string{"", "key"} {
		d := newToy(t)
		ctx, leave := context.WithCancel(t.Context())
		d.once("acted", func() error { leave(); return nil })
		paid, err := d.pay(ctx, key, 100)
		require.NoError(t, err)
		require.Equal(t, ledger.Settled, paid.State)
	}
}

func TestAnOutcomeMayTakeAsLongToBeRecordedAsTheCallerWaits(t *testing.T) {
	for _, key := range []string{"", "key"} {
		synctest.Test(t, func(t *testing.T) {
			d := newToy(t)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			d.once("conclude", func() error { time.Sleep(29 * time.Second); return nil }) // as many others write
			paid, err := d.pay(ctx, key, 100)
			require.NoError(t, err)
			require.Equal(t, ledger.Settled, paid.State)
		})
	}
}

func TestAnOutcomeIsGivenUpSomeTimeAfterTheCallerHasGone(t *testing.T) {
	for wait, gone := range map[time.Duration]error{3 * time.Second: nil, 5 * time.Second: context.Canceled} {
		synctest.Test(t, func(t *testing.T) {
			d := newToy(t)
			ctx, leave := context.WithCancel(t.Context())
			d.once("acted", func() error { leave(); return nil })
			d.once("conclude", func() error { time.Sleep(wait); return nil })
			_, err := d.pay(ctx, "key", 100)
			require.ErrorIs(t, err, gone)
		})
	}
}

func TestAKeyIsFreeAgainOnceItWasForgotten(t *testing.T) {
	d := newToy(t)
	first, err := d.pay(t.Context(), "key", 100)
	require.NoError(t, err)
	d.forgetKeys()
	second, err := d.pay(t.Context(), "key", 200)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, second.ID)
}

func TestARunWhoseKeyIsForgottenMeanwhileStillAnswers(t *testing.T) {
	d := newToy(t)
	d.once("acted", func() error { d.forgetKeys(); return nil })
	paid, err := d.pay(t.Context(), "key", 100)
	require.NoError(t, err)
	require.Equal(t, ledger.Settled, paid.State)
}

// forgetKeys lets the retention of all keys end.
func (d *toy) forgetKeys() {
	d.pass(idempotency.Retention + time.Second)
	require.NoError(d.t, d.write(func(ctx context.Context, tx store.Tx) error {
		_, err := idempotency.RecordKind.Purge(ctx, tx, home.Env, tx.Now().Add(-idempotency.Retention), 10)
		return err
	}))
}

func TestWithoutAKeyEachRunIsWorkOfItsOwn(t *testing.T) {
	d := newToy(t)
	for range 2 {
		_, err := d.pay(t.Context(), "", 100)
		require.NoError(t, err)
	}
	require.EqualValues(t, 800, d.left())
	require.Equal(t, 2, d.asked())
}

func TestWithoutAKeyWhatDidNotSucceedIsAbandoned(t *testing.T) {
	for place, reason := range map[string]error{"act": errDown, "conclude": errors.New("the disk is full")} {
		d := newToy(t)
		d.once(place, func() error { return reason })
		_, err := d.pay(t.Context(), "", 100)
		require.ErrorIs(t, err, reason)
		require.EqualValues(t, 1000, d.left())
	}
	d, fault := newToy(t), errors.New("the disk is full")
	d.once("act", func() error { return errDown })
	d.once("abandon", func() error { return fault })
	_, err := d.pay(t.Context(), "", 100)
	require.ErrorIs(t, err, fault, "what could not be abandoned is reported")
	require.EqualValues(t, 900, d.left())
}

func TestBodiesOfUnitsMayRunTwice(t *testing.T) {
	for _, key := range []string{"", "key"} {
		d := newToyOn(t, storefault.Rerun(memstore.New()))
		paid, err := d.pay(t.Context(), key, 100)
		require.NoError(t, err)
		require.Equal(t, ledger.Settled, paid.State)
		require.Equal(t, 1, d.asked())
		require.EqualValues(t, 900, d.left())
	}
}
