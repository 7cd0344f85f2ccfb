package customers_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/store/storefault"
)

var errFault = errors.New("the store failed on purpose")

// story creates a customer and takes it through a refused and an accepted
// attempt, calling again what fails by a fault of the store.
func story(b *bench) customers.ID {
	var c customers.Customer
	b.insist(func() (err error) {
		c, err = b.Create(b.ctx, home, person(1))
		if errors.Is(err, customers.ErrDuplicate) { // it was created, and the answer was lost
			list, listErr := b.List(b.ctx, home, customers.Filter{Email: person(1).Email}, ferry.Page{})
			require.NoError(b, listErr)
			c, err = list.Data[0], nil
		}
		return err
	})
	b.insist(func() error {
		_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: goodBVN, CustomerID: c.ID})
		return err
	})
	b.insist(func() error {
		_, err := b.validate(goodBVN, wrongOTP)
		return err
	})
	b.insist(func() error {
		_, err := b.validate(goodBVN, rightOTP)
		return err
	})
	return c.ID
}

// insist calls again while the store fails, when nobody believes in the former call
// any more.
func (b *bench) insist(do func() error) {
	for errors.Is(do(), errFault) {
		b.clock.pass(time.Minute)
	}
}

func requireStoryTold(t *testing.T, b *bench, id customers.ID) {
	t.Helper()
	require.Equal(t, customers.Verified, b.customer(id).Status)
	require.Equal(t, []string{"invalid_otp", "verified"}, b.reasons())
	identity, err := b.Identity(b.ctx, home, kyc.BVN, goodBVN)
	require.NoError(t, err)
	require.Equal(t, customers.IdentityVerified, identity.Status)
	require.Len(t, identity.Attempts, 2)
}

func TestBodiesMayRunTwice(t *testing.T) {
	b := setupOn(t, storefault.Rerun(memstore.New()), customers.Config{})
	requireStoryTold(t, b, story(b))
}

func TestAStoreThatFailsAnywhereLosesAndDoublesNothing(t *testing.T) {
	for n := 1; ; n++ {
		backend := storefault.FailNth(memstore.New(), n, errFault)
		b := setupOn(t, backend, customers.Config{})
		id := story(b)
		fired := backend.Fired()
		backend.Arm(0)
		requireStoryTold(t, b, id)
		if !fired {
			require.Greater(t, n, 20, "there are more operations than these")
			return
		}
	}
}

func TestACommitWhoseReplyIsLostDoublesNothing(t *testing.T) {
	// The units of the story are create, two of initiate and two of each
	// validation. When the answer to the first judgement is lost, the caller
	// has to try once more, and that attempt is judged too.
	for n := 1; n <= 7; n++ {
		want := []string{"invalid_otp", "verified"}
		if n == 5 {
			want = []string{"invalid_otp", "invalid_otp", "verified"}
		}
		b := setupOn(t, storefault.LoseReply(memstore.New(), n, errFault), customers.Config{})
		id := story(b)
		require.Equal(t, customers.Verified, b.customer(id).Status)
		require.Equal(t, want, b.reasons(), "unit %d", n)
	}
}
