package business_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// clock is a clock that only a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// counted counts the units that a service opens.
type counted struct {
	ferry.Units[business.Tx]
	mu    sync.Mutex
	reads int
}

func (c *counted) Read(ctx context.Context, body func(context.Context, business.Tx) error) error {
	c.mu.Lock()
	c.reads++
	c.mu.Unlock()
	return c.Units.Read(ctx, body)
}

type bench struct {
	*business.Service
	*clock
	units *counted
	first business.Created
	scope ferry.Scope
}

func setup(t *testing.T) *bench {
	t.Helper()
	c := &clock{now: start}
	wide := store.Open(memstore.New(), ferry.OneClock(c), ferry.NewIDs(bytes.NewReader(make([]byte, 1<<20))))
	units := &counted{Units: ferry.Narrow(wide, func(tx store.Tx) business.Tx { return tx }).In(ferry.Test)}
	b := &bench{clock: c, units: units}
	b.Service = b.another()
	var err error
	b.first, err = b.Create(t.Context(), ferry.Scope{Env: ferry.Test}, business.CreateParams{Name: " Acme "})
	require.NoError(t, err)
	b.scope = b.first.Business.Scope
	return b
}

// another returns a service of another process on the same store.
func (b *bench) another() *business.Service {
	return business.New(ferry.UnitsOf[business.Tx](b.units, b.units), business.Config{Pepper: business.Pepper("pepper"), Clocks: ferry.OneClock(b.clock)})
}

func (b *bench) usable(t *testing.T, secret string) bool {
	t.Helper()
	_, err := b.Authenticate(t.Context(), secret)
	if err != nil {
		require.Equal(t, business.ErrUnauthorized, err, "there is one answer to every bad credential")
	}
	return err == nil
}

func TestANewBusinessHasDefaultsAndOneKeyOfEachType(t *testing.T) {
	b := setup(t)
	got, err := b.Business(t.Context(), b.scope)
	require.NoError(t, err)
	require.Regexp(t, `^biz_[0-9a-f]{32}$`, string(got.Scope.Business))
	require.Equal(t, "Acme", got.Name)
	require.Equal(t, business.DefaultPreferences(), got.Preferences)
	require.Equal(t, start, got.CreatedAt)

	for secret, want := range map[string]business.Minted{"sk_test_": b.first.Secret, "pk_test_": b.first.Public, "rwpk_test_": b.first.Widget} {
		require.Regexp(t, "^"+secret+"[A-Za-z0-9_-]{48}$", want.Secret)
		require.Equal(t, secret, want.Key.Prefix)
		require.Equal(t, want.Secret[len(want.Secret)-4:], want.Key.LastFour)
		key, err := b.Authenticate(t.Context(), want.Secret)
		require.NoError(t, err)
		require.Equal(t, want.Key.ID, key.ID)
		require.Equal(t, b.scope, key.Scope)
	}
}

func TestTheSameBusinessMayLiveInBothEnvironments(t *testing.T) {
	b := setup(t)
	live := ferry.Scope{Business: b.scope.Business, Env: ferry.Live}
	created, err := b.Create(t.Context(), live, business.CreateParams{Name: "Acme"})
	require.NoError(t, err)
	require.Equal(t, live, created.Business.Scope)
	require.True(t, strings.HasPrefix(created.Secret.Secret, "sk_live_"))

	_, err = b.Create(t.Context(), live, business.CreateParams{Name: "Acme"})
	require.ErrorIs(t, err, business.ErrExists)
	keys, err := b.Keys(t.Context(), b.scope)
	require.NoError(t, err)
	require.Len(t, keys, 3, "keys of the other environment are apart")
}

func TestTheKeysOfABusinessComeNewestFirst(t *testing.T) {
	b := setup(t)
	other, err := b.Create(t.Context(), ferry.Scope{Env: ferry.Test}, business.CreateParams{Name: "Other"})
	require.NoError(t, err)
	var made []business.KeyID
	for range 9 {
		b.advance(time.Second)
		for _, scope := range []ferry.Scope{b.scope, other.Business.Scope} {
			key, err := b.CreateKey(t.Context(), scope, business.CreateKeyParams{Type: business.SecretKey})
			require.NoError(t, err)
			if scope == b.scope {
				made = append(made, key.Key.ID)
			}
		}
	}
	keys, err := b.Keys(t.Context(), b.scope)
	require.NoError(t, err)
	require.Len(t, keys, 3+len(made))
	slices.Reverse(made)
	for n, id := range made {
		require.Equal(t, id, keys[n].ID)
	}
	require.Greater(t, keys[9].ID, keys[10].ID, "the id decides between those of one instant")
	require.Greater(t, keys[10].ID, keys[11].ID)
}

func TestOnlyTheDigestOfASecretKeyIsKept(t *testing.T) {
	b := setup(t)
	keys, err := b.Keys(t.Context(), b.scope)
	require.NoError(t, err)
	for _, k := range keys {
		if k.Type == business.SecretKey {
			require.NotContains(t, fmt.Sprintf("%+v", k), b.first.Secret.Secret[8:40])
			require.Equal(t, business.Pepper("pepper").Digest(b.first.Secret.Secret), k.Digest)
		}
	}
	public, err := b.PublicKey(t.Context(), b.scope)
	require.NoError(t, err)
	require.Equal(t, b.first.Public.Secret, public.Text, "a public key is no secret and can be shown again")
}

func TestKeysOfAnotherPepperAreUnknown(t *testing.T) {
	b := setup(t)
	other := business.New(ferry.UnitsOf[business.Tx](b.units, b.units), business.Config{Pepper: business.Pepper("other"), Clocks: ferry.OneClock(b.clock)})
	_, err := other.Authenticate(t.Context(), b.first.Secret.Secret)
	require.Equal(t, business.ErrUnauthorized, err)
}

func TestMalformedKeysAreRefusedWithoutALookUp(t *testing.T) {
	b := setup(t)
	key := b.first.Secret.Secret
	before := b.units.reads
	for _, bad := range []string{
		"", "sk_test_", "sk_live_" + key[8:], "pk_test_" + key[8:], "xx_test_" + key[8:], key[:len(key)-1], key + "A", " " + key,
		key[:20] + "\n" + key[20:], strings.ToUpper(key), "sk_test_" + strings.Repeat("A", 48), strings.Repeat("sk_test_", 1000),
	} {
		require.False(t, b.usable(t, bad), bad)
	}
	require.Equal(t, before, b.units.reads)
}

func TestOneWrongCharacterIsNoticed(t *testing.T) {
	b := setup(t)
	key := b.first.Secret.Secret
	before := b.units.reads
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(key)-1).Draw(t, "at")
		wrong := rapid.ByteRange('!', '~').Filter(func(c byte) bool { return c != key[at] }).Draw(t, "wrong")
		_, err := b.Authenticate(context.Background(), key[:at]+string(wrong)+key[at+1:])
		require.Equal(t, business.ErrUnauthorized, err)
	})
	require.Equal(t, before, b.units.reads)
}

func TestAKeyThatWasSeenIsAnsweredFromMemoryForFiveSeconds(t *testing.T) {
	b := setup(t)
	require.True(t, b.usable(t, b.first.Secret.Secret))
	before := b.units.reads
	b.advance(4 * time.Second)
	require.True(t, b.usable(t, b.first.Secret.Secret))
	require.Equal(t, before, b.units.reads)
	b.advance(time.Second)
	require.True(t, b.usable(t, b.first.Secret.Secret))
	require.Equal(t, before+1, b.units.reads)
}

func TestARevokedKeyEndsAtOnceHereAndWithinFiveSecondsElsewhere(t *testing.T) {
	b := setup(t)
	elsewhere := b.another()
	minted, err := b.CreateKey(t.Context(), b.scope, business.CreateKeyParams{Type: business.SecretKey})
	require.NoError(t, err)
	require.True(t, b.usable(t, minted.Secret))
	_, err = elsewhere.Authenticate(t.Context(), minted.Secret)
	require.NoError(t, err)

	revoked, err := b.RevokeKey(t.Context(), b.scope, minted.Key.ID)
	require.NoError(t, err)
	require.Equal(t, start, revoked.RevokedAt)
	require.False(t, b.usable(t, minted.Secret))

	b.advance(5 * time.Second)
	_, err = elsewhere.Authenticate(t.Context(), minted.Secret)
	require.Equal(t, business.ErrUnauthorized, err)
}

func TestALookUpDuringARevocationIsNotRemembered(t *testing.T) {
	b := setup(t)
	minted, err := b.CreateKey(t.Context(), b.scope, business.CreateKeyParams{Type: business.SecretKey})
	require.NoError(t, err)
	var slow slowRead
	service := business.New(ferry.UnitsOf[business.Tx](&slow, &slow), business.Config{Pepper: business.Pepper("pepper"), Clocks: ferry.OneClock(b.clock)})
	slow.Units = b.units
	slow.after = func() { // the look-up has read the key; now it is revoked
		slow.after = nil
		_, err := service.RevokeKey(t.Context(), b.scope, minted.Key.ID)
		require.NoError(t, err)
	}
	_, err = service.Authenticate(t.Context(), minted.Secret)
	require.NoError(t, err, "it was usable when it was read")
	_, err = service.Authenticate(t.Context(), minted.Secret)
	require.Equal(t, business.ErrUnauthorized, err)
}

// slowRead does something between the end of a read unit and its return.
type slowRead struct {
	ferry.Units[business.Tx]
	after func()
}

func (s *slowRead) Read(ctx context.Context, body func(context.Context, business.Tx) error) error {
	err := s.Units.Read(ctx, body)
	if s.after != nil {
		s.after()
	}
	return err
}

func TestRevokingTwiceChangesNothing(t *testing.T) {
	b := setup(t)
	first, err := b.RevokeKey(t.Context(), b.scope, b.first.Public.Key.ID)
	require.NoError(t, err)
	b.advance(time.Hour)
	second, err := b.RevokeKey(t.Context(), b.scope, b.first.Public.Key.ID)
	require.NoError(t, err)
	require.Equal(t, first.RevokedAt, second.RevokedAt)
	_, err = b.PublicKey(t.Context(), b.scope)
	require.ErrorIs(t, err, business.ErrKeyNotFound)
}

func TestTheLastUsableSecretKeyCannotBeRevoked(t *testing.T) {
	b := setup(t)
	only := b.first.Secret.Key.ID
	_, err := b.RevokeKey(t.Context(), b.scope, only)
	require.ErrorIs(t, err, business.ErrLastKey)
	require.True(t, b.usable(t, b.first.Secret.Secret))

	second, err := b.CreateKey(t.Context(), b.scope, business.CreateKeyParams{Type: business.SecretKey})
	require.NoError(t, err)
	_, err = b.RevokeKey(t.Context(), b.scope, only)
	require.NoError(t, err)
	_, err = b.RevokeKey(t.Context(), b.scope, second.Key.ID)
	require.ErrorIs(t, err, business.ErrLastKey)
}

func TestTwoRevocationsAtOnceLeaveOneKey(t *testing.T) {
	b := setup(t)
	second, err := b.CreateKey(t.Context(), b.scope, business.CreateKeyParams{Type: business.SecretKey})
	require.NoError(t, err)
	var all sync.WaitGroup
	errs := make(chan error, 2)
	for _, id := range []business.KeyID{b.first.Secret.Key.ID, second.Key.ID} {
		all.Go(func() {
			_, err := b.RevokeKey(context.Background(), b.scope, id)
			errs <- err
		})
	}
	all.Wait()
	one, other := <-errs, <-errs
	if one == nil {
		one, other = other, one
	}
	require.NoError(t, other)
	require.ErrorIs(t, one, business.ErrLastKey)
}

func TestKeysOfOthersAreNotFound(t *testing.T) {
	b := setup(t)
	other, err := b.Create(t.Context(), ferry.Scope{Env: ferry.Test}, business.CreateParams{Name: "Other"})
	require.NoError(t, err)
	for _, scope := range []ferry.Scope{other.Business.Scope, {Business: b.scope.Business, Env: ferry.Live}} {
		_, err := b.RevokeKey(t.Context(), scope, b.first.Public.Key.ID)
		require.ErrorIs(t, err, business.ErrKeyNotFound)
		_, err = b.RotateKey(t.Context(), scope, business.RotateKeyParams{ID: b.first.Public.Key.ID})
		require.ErrorIs(t, err, business.ErrKeyNotFound)
	}
	_, err = b.RevokeKey(t.Context(), b.scope, "key_x")
	require.ErrorIs(t, err, business.ErrKeyNotFound)
}

func TestARotatedKeyWorksUntilItsOverlapEnds(t *testing.T) {
	b := setup(t)
	overlap := time.Hour
	rotated, err := b.RotateKey(t.Context(), b.scope, business.RotateKeyParams{ID: b.first.Secret.Key.ID, Overlap: &overlap})
	require.NoError(t, err)
	require.Equal(t, start.Add(time.Hour), rotated.Previous.ValidUntil)
	require.Equal(t, business.SecretKey, rotated.Key.Type)
	require.NotEqual(t, b.first.Secret.Secret, rotated.Secret)

	require.True(t, b.usable(t, b.first.Secret.Secret))
	require.True(t, b.usable(t, rotated.Secret))
	b.advance(time.Hour - time.Second)
	require.True(t, b.usable(t, b.first.Secret.Secret))
	b.advance(time.Second)
	require.False(t, b.usable(t, b.first.Secret.Secret), "also when it was seen a moment ago")
	require.True(t, b.usable(t, rotated.Secret))

	_, err = b.RotateKey(t.Context(), b.scope, business.RotateKeyParams{ID: b.first.Secret.Key.ID})
	require.ErrorIs(t, err, business.ErrKeyEnded)
	_, err = b.RevokeKey(t.Context(), b.scope, rotated.Key.ID)
	require.ErrorIs(t, err, business.ErrLastKey, "the former one is not usable any more")
}

func TestOverlaps(t *testing.T) {
	b := setup(t)
	rotate := func(overlap *time.Duration) (business.Rotated, error) {
		return b.RotateKey(t.Context(), b.scope, business.RotateKeyParams{ID: b.first.Secret.Key.ID, Overlap: overlap})
	}
	for _, d := range []time.Duration{-time.Second, business.MaxOverlap + 1} {
		_, err := rotate(&d)
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
	rotated, err := rotate(nil)
	require.NoError(t, err)
	require.Equal(t, start.Add(24*time.Hour), rotated.Previous.ValidUntil, "a day by default")

	week := business.MaxOverlap
	rotated, err = rotate(&week)
	require.NoError(t, err, "who lost the new key may rotate the former one again")
	require.Equal(t, start.Add(24*time.Hour), rotated.Previous.ValidUntil, "which prolongs nothing")

	none := time.Duration(0)
	_, err = rotate(&none)
	require.NoError(t, err)
	require.False(t, b.usable(t, b.first.Secret.Secret))
}

func TestNewKeysAreChecked(t *testing.T) {
	b := setup(t)
	for _, p := range []business.CreateKeyParams{{}, {Type: "root"}, {Type: business.SecretKey, Label: strings.Repeat("é", 101)}, {Type: business.SecretKey, Label: "a\x00b"}} {
		_, err := b.CreateKey(t.Context(), b.scope, p)
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
	_, err := b.CreateKey(t.Context(), ferry.Scope{Business: "biz_x", Env: ferry.Test}, business.CreateKeyParams{Type: business.SecretKey})
	require.ErrorIs(t, err, business.ErrNotFound)
	minted, err := b.CreateKey(t.Context(), b.scope, business.CreateKeyParams{Type: business.WidgetKey, Label: strings.Repeat("é", 100)})
	require.NoError(t, err)
	require.Equal(t, minted.Secret, minted.Key.Text)
}

func TestAPepperDoesNotPrint(t *testing.T) {
	pepper := business.Pepper("pepper of the house")
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("config", "pepper", pepper, "all", business.Config{Pepper: pepper})
	encoded, err := json.Marshal(business.Config{Pepper: pepper})
	require.NoError(t, err)
	for _, text := range []string{fmt.Sprint(pepper), fmt.Sprintf("%v %+v %#v %s %q", pepper, pepper, pepper, pepper, pepper), log.String(), string(encoded), fmt.Sprintf("%x", pepper)} {
		require.NotContains(t, text, "pepper of")
		require.NotContains(t, text, fmt.Sprintf("%x", "pepper"))
	}
}

func FuzzAuthenticate(f *testing.F) {
	f.Add("sk_test_")
	f.Add("sk_test_" + strings.Repeat("A", 48))
	wide := store.Open(memstore.New(), ferry.OneClock(ferry.SystemClock{}), ferry.NewIDs(bytes.NewReader(nil)))
	s := business.New(ferry.Narrow(wide, func(tx store.Tx) business.Tx { return tx }), business.Config{Pepper: business.Pepper("p")})
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := s.Authenticate(context.Background(), text); err != business.ErrUnauthorized {
			t.Fatal(err)
		}
	})
}
