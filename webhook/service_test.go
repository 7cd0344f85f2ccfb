package webhook_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func TestASecretIsMadeOnceAndKeptSealed(t *testing.T) {
	b := setup(t)
	encoded, ok := strings.CutPrefix(b.secret, "whsec_test_")
	require.True(t, ok)
	key, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	require.Len(t, key, 32)
	require.NotContains(t, string(b.row().Secrets[0].Sealed), encoded)

	again, err := b.EnsureEndpoint(t.Context(), owner)
	require.NoError(t, err)
	require.Empty(t, again)
}

func TestDuringARotationBothSecretsSignTheStandardHeader(t *testing.T) {
	b := setup(t)
	overlap := time.Hour
	rotated, err := b.RotateSecret(t.Context(), owner, webhook.RotateSecretParams{Overlap: &overlap})
	require.NoError(t, err)
	require.Equal(t, start.Add(time.Hour), rotated.PreviousValidUntil)
	require.NotEqual(t, b.secret, rotated.Secret)
	verifier := webhook.Verifier{Now: b.clock.Now}
	deliver := func() delivery {
		b.emit("a")
		b.pass()
		got := b.take()
		require.Len(t, got, 1)
		return got[0]
	}

	d := deliver()
	require.NoError(t, verifier.Verify(d.Raw, d.header, b.secret))
	require.NoError(t, verifier.Verify(d.Raw, d.header, rotated.Secret))
	require.Equal(t, webhook.Sign(rotated.Secret, d.Raw), d.header.Get("X-Service-Signature"), "the specified header has the new one")

	b.clock.set(start.Add(time.Hour))
	d = deliver()
	require.ErrorIs(t, verifier.Verify(d.Raw, d.header, b.secret), webhook.ErrSignature)
	require.NoError(t, verifier.Verify(d.Raw, d.header, rotated.Secret))
}

func TestARotationWithoutOverlapEndsTheFormerSecretAtOnce(t *testing.T) {
	b := setup(t)
	none := time.Duration(0)
	rotated, err := b.RotateSecret(t.Context(), owner, webhook.RotateSecretParams{Overlap: &none})
	require.NoError(t, err)
	b.emit("a")
	b.pass()
	d := b.take()[0]
	require.NotContains(t, d.header.Get("Webhook-Signature"), " ")
	require.NoError(t, webhook.Verifier{Now: b.clock.Now}.Verify(d.Raw, d.header, rotated.Secret))
}

func TestRotationsKeepAtMostThreeSecretsAndNeverProlongOne(t *testing.T) {
	b := setup(t)
	short := time.Minute
	for i := range 5 {
		p := webhook.RotateSecretParams{}
		if i == 0 {
			p.Overlap = &short
		}
		_, err := b.RotateSecret(t.Context(), owner, p)
		require.NoError(t, err)
		if i == 1 {
			require.Equal(t, start.Add(short), b.row().Secrets[2].ValidUntil)
			require.Equal(t, start.Add(24*time.Hour), b.row().Secrets[1].ValidUntil, "a day by default")
		}
	}
	require.Len(t, b.row().Secrets, 3)
	require.Equal(t, 6, b.row().Secrets[0].Number)
}

func TestAnOverlapHasBounds(t *testing.T) {
	b := setup(t)
	for _, d := range []time.Duration{-1, webhook.MaxOverlap + 1} {
		_, err := b.RotateSecret(t.Context(), owner, webhook.RotateSecretParams{Overlap: &d})
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
	_, err := b.RotateSecret(t.Context(), ferry.Scope{Business: "biz_9", Env: ferry.Test}, webhook.RotateSecretParams{})
	require.ErrorIs(t, err, webhook.ErrEndpointNotFound)
}

func TestTheUnderscoreSpellingCanBeTurnedOff(t *testing.T) {
	b := setup(t)
	off := false
	e, err := b.Configure(t.Context(), owner, webhook.ConfigureParams{Underscore: &off})
	require.NoError(t, err)
	require.Equal(t, target, e.URL, "what is not named stays")
	b.emit("a")
	b.pass()
	header := b.take()[0].header
	require.NotEmpty(t, header.Get("X-Service-Signature"))
	require.Empty(t, header.Get("X_service_signature"))
}

func TestTheSpecifiedHeaderCanHaveAnotherName(t *testing.T) {
	b := setup(t, func(c *webhook.Config) { c.SignatureHeader = "x-acme-signature" })
	b.emit("a")
	b.pass()
	d := b.take()[0]
	require.Equal(t, webhook.Sign(b.secret, d.Raw), d.header.Get("X-Acme-Signature"))
	require.Equal(t, webhook.Sign(b.secret, d.Raw), d.header.Get("X_acme_signature"))
}

func TestTheStatusOfAnEndpoint(t *testing.T) {
	b := setup(t)
	require.Equal(t, webhook.Active, b.row().Status())
	b.setURL(owner, "")
	require.Equal(t, webhook.NotConfigured, b.row().Status())
	_, err := b.Endpoint(t.Context(), ferry.Scope{Business: "biz_9", Env: ferry.Test})
	require.ErrorIs(t, err, webhook.ErrEndpointNotFound)
}

func TestTheBodyOfAnEvent(t *testing.T) {
	b := setup(t)
	b.emit("thing_1")
	b.pass()
	d := b.take()[0]
	require.Equal(t, fmt.Sprintf(`{"id":%q,"type":"thing.changed","event":"thing.changed","created_at":"2026-03-02T09:00:00.000Z",`+
		`"sequence":1,"api_version":"v1","data":{"resource":"thing_1"}}`, d.ID), string(d.Raw), "to the byte: a later release may repeat an attempt of this one")
	require.Equal(t, string(d.Raw), b.body(d.ID))
}

func TestTheBodyIsFixedBeforeTheFirstAttempt(t *testing.T) {
	b := setup(t)
	b.answers(0)
	b.emit("a")
	b.pass()
	first := b.take()[0]
	require.Equal(t, string(first.Raw), b.body(first.ID))
	b.answers(200)
	b.run(10 * time.Second)
	require.Equal(t, first.Raw, b.take()[0].Raw)
	require.Equal(t, string(first.Raw), b.body(first.ID))
}

// body is the body of an event, as a client may ask for it.
func (b *bench) body(id string) string {
	b.t.Helper()
	body, err := b.EventBody(b.t.Context(), owner, id)
	require.NoError(b.t, err)
	return string(body)
}

// A release after this one may have written it, and this one does not know its bytes.
func TestAnEventOfAnotherVersionIsNotSent(t *testing.T) {
	b := setup(t)
	b.emit("a")
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		e := webhook.Event{ID: "evt_new", Scope: owner, Type: "x", Resource: "b", CreatedAt: start, Data: "{}", APIVersion: "v2", State: webhook.Pending}
		if err := tx.Outbox().Insert(ctx, e); err != nil {
			return err
		}
		return tx.Leases().Schedule(ctx, webhook.QueueStreams.In(ferry.Test), lease.RecordKey(owner, "b"), start)
	}))
	_, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err, "it is logged")
	require.Len(t, b.take(), 1, "the other event is sent")
	require.Equal(t, []webhook.State{webhook.Delivered, webhook.Pending}, b.states())
	_, err = b.EventBody(t.Context(), owner, "evt_new")
	require.ErrorContains(t, err, `event evt_new has the API version "v2"`)
}

// An attempt that is not recorded leaves nothing behind.
func TestAnAttemptAfterOneThatWasNotRecordedHasTheSameBytes(t *testing.T) {
	b := setup(t)
	post := b.book()
	chain := ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC)
	deposit := func(id string) {
		post(id, ledger.Leg{Account: chain, Amount: money.USDC(-5)}, ledger.Leg{Account: "one", Amount: money.USDC(5)})
	}
	deposit("deposit/1")
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return webhook.Emit(ctx, tx, webhook.Change{Scope: owner, Type: "x", Resource: "a", Data: struct{}{}, Entry: "deposit/1/1"})
	}))
	b.answersBy(func(delivery) (int, http.Header) { // another worker takes the claim away meanwhile
		require.NoError(t, b.units.In(ferry.Test).Write(context.Background(), func(ctx context.Context, tx store.Tx) error {
			return tx.Leases().Retry(ctx, lease.Claim{Queue: webhook.QueueStreams.In(ferry.Test), Key: "test/biz_1/a", Fence: 1, Round: 1}, start.Add(time.Hour))
		}))
		return 200, nil
	})
	b.pass()
	require.Empty(t, b.attempts())
	deposit("deposit/2")
	b.answers(200)
	b.run(2 * time.Hour)
	sent := b.take()
	require.Len(t, sent, 2)
	require.Equal(t, string(sent[0].Raw), string(sent[1].Raw))
	require.Equal(t, string(sent[0].Raw), b.body(sent[0].ID))
}

// book opens a wallet with two addresses and returns a function that posts.
func (b *bench) book() func(id string, legs ...ledger.Leg) {
	b.t.Helper()
	write := func(body func(ctx context.Context, tx store.Tx) error) {
		require.NoError(b.t, b.units.In(ferry.Test).Write(b.t.Context(), body))
	}
	write(func(ctx context.Context, tx store.Tx) error {
		wallet := ledger.Account{ID: "wallet", Scope: owner, Asset: money.AssetUSDC}
		for _, a := range append(ledger.SystemAccounts(ferry.Test), wallet,
			ledger.Account{ID: "one", Scope: owner, Asset: money.AssetUSDC, Control: "wallet"},
			ledger.Account{ID: "two", Scope: owner, Asset: money.AssetUSDC, Control: "wallet"},
			ledger.Account{ID: "alone", Scope: owner, Asset: money.AssetUSDC},
		) {
			if err := tx.Ledger().OpenAccount(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
	return func(id string, legs ...ledger.Leg) {
		b.t.Helper()
		write(func(ctx context.Context, tx store.Tx) error {
			p := ledger.Posting{ID: ledger.PostingID(id), Env: ferry.Test, Kind: "test", Ref: id, Legs: legs, At: tx.Now()}
			return ledger.Post(ctx, tx.Ledger(), p)
		})
	}
}

func TestAnEventIsCompletedWithTheBalancesAroundItsPosting(t *testing.T) {
	b := setup(t)
	post := b.book()
	chain := ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC)
	fees := ledger.SystemAccount(ferry.Test, ledger.NetworkFees, money.AssetUSDC)
	usdc := func(micro int64) money.Amount { return money.USDC(micro) }
	post("deposit/1", ledger.Leg{Account: chain, Amount: usdc(-74_495_000)}, ledger.Leg{Account: "one", Amount: usdc(74_495_000)})
	post("deposit/2", ledger.Leg{Account: chain, Amount: usdc(-25_505_000)}, ledger.Leg{Account: "two", Amount: usdc(25_505_000)})
	post("sent", ledger.Leg{Account: "two", Amount: usdc(-25_500_000)}, ledger.Leg{Account: "two", Amount: usdc(-5_000)},
		ledger.Leg{Account: chain, Amount: usdc(25_500_000)}, ledger.Leg{Account: fees, Amount: usdc(5_000)})
	post("between", ledger.Leg{Account: "one", Amount: usdc(-1)}, ledger.Leg{Account: "two", Amount: usdc(1)})
	post("alone", ledger.Leg{Account: "one", Amount: usdc(-4_495_000)}, ledger.Leg{Account: "alone", Amount: usdc(4_495_000)})

	for name, c := range map[string]struct {
		entry string
		data  any
		want  string
	}{
		"a first deposit":                   {"deposit/1/1", map[string]int{"a": 1}, `{"a":1,"balance_before":0,"balance_after":74.495}`},
		"a deposit to another address":      {"deposit/2/1", struct{}{}, `{"balance_before":74.495,"balance_after":100}`},
		"a transfer with its fee":           {"sent/0", map[string]any{}, `{"balance_before":100,"balance_after":74.495}`},
		"the fee of a transfer":             {"sent/1", map[string]any{}, `{"balance_before":100,"balance_after":74.495}`},
		"between addresses of one wallet":   {"between/1", struct{}{}, `{"balance_before":74.495,"balance_after":74.495}`},
		"an account that has no control":    {"alone/1", struct{}{}, `{"balance_before":0,"balance_after":4.495}`},
		"the other side of the same moving": {"alone/0", struct{}{}, `{"balance_before":74.495,"balance_after":70}`},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
				return webhook.Emit(ctx, tx, webhook.Change{Scope: owner, Type: "x", Resource: name, Data: c.data, Entry: c.entry})
			}))
			feed, err := b.Events(t.Context(), owner, "", 100)
			require.NoError(t, err)
			b.pass()
			d := b.take()[0]
			require.Equal(t, c.want, string(d.Data))
			require.Equal(t, string(d.Raw), string(feed.Bodies[len(feed.Bodies)-1]), "the feed shows the bytes that are sent later")
		})
	}
}

func TestTheFeedHasNoGapsAndNoEnd(t *testing.T) {
	b := setup(t)
	for i := range 7 {
		b.emit(fmt.Sprint("r", i%2))
	}
	var got []json.RawMessage
	cursor := ""
	for {
		feed, err := b.Events(t.Context(), owner, cursor, 3)
		require.NoError(t, err)
		require.NotEmpty(t, feed.Next)
		cursor = feed.Next
		if len(feed.Bodies) == 0 {
			break
		}
		got = append(got, feed.Bodies...)
	}
	require.Len(t, got, 7)

	b.emit("later")
	feed, err := b.Events(t.Context(), owner, cursor, 0)
	require.NoError(t, err)
	require.Len(t, feed.Bodies, 1)
	require.Contains(t, string(feed.Bodies[0]), "later")

	b.pass()
	first, err := b.Events(t.Context(), owner, "", 100)
	require.NoError(t, err)
	require.Equal(t, got, first.Bodies[:7], "delivery changes no byte")
}

func TestTheFeedRefusesWhatIsNoCursorOrLimit(t *testing.T) {
	b := setup(t)
	for _, after := range []string{"1", "ZXZlbnRzOg", "ZXZlbnRzOi0x", "b3RoZXI6MQ", "!", "ZXZlbnRzOjE="} {
		_, err := b.Events(t.Context(), owner, after, 0)
		require.ErrorIs(t, err, ferry.ErrValidation, after)
	}
	for _, limit := range []int{-1, 101} {
		_, err := b.Events(t.Context(), owner, "", limit)
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
}

func TestAttemptsAreListedNewestFirstAndFiltered(t *testing.T) {
	b := setup(t)
	b.answers(500)
	b.emit("a")
	b.pass()
	b.answers(200)
	b.run(10 * time.Second)
	_, err := b.SendTest(t.Context(), owner)
	require.NoError(t, err)
	b.pass()

	all := b.attempts()
	require.Len(t, all, 3)
	require.Equal(t, webhook.TestType, all[0].Type)
	yes, no := true, false
	for name, c := range map[string]struct {
		filter webhook.AttemptFilter
		want   int
	}{
		"by event":                {webhook.AttemptFilter{EventID: all[1].EventID}, 2},
		"by type":                 {webhook.AttemptFilter{Type: webhook.TestType}, 1},
		"by resource":             {webhook.AttemptFilter{Resource: "a"}, 2},
		"by resource and types":   {webhook.AttemptFilter{Resource: "a", Types: []string{"none"}}, 0},
		"by resource and outcome": {webhook.AttemptFilter{Resource: "a", Sent: &yes}, 1},
		"no resource":             {webhook.AttemptFilter{Resource: "b"}, 0},
		"by types":                {webhook.AttemptFilter{Types: []string{webhook.TestType, "none"}}, 1},
		"sent":                    {webhook.AttemptFilter{Sent: &yes}, 2},
		"failed":                  {webhook.AttemptFilter{Sent: &no}, 1},
		"by instant":              {webhook.AttemptFilter{Range: ferry.Range{To: start}}, 1},
		"unknown":                 {webhook.AttemptFilter{EventID: "evt_x"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := b.Attempts(t.Context(), owner, c.filter, ferry.Page{})
			require.NoError(t, err)
			require.Equal(t, c.want, list.Total)
			require.Len(t, list.Data, c.want)
		})
	}
}
