package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/store"
)

// identity is the n-th identity of scope home, with no field empty.
func identity(n int) customers.Identity {
	return customers.Identity{
		ID: customers.IdentityID(idOf("idn_", n)), Scope: home, Type: kyc.NIN,
		Number:     customers.SealedNumber{Sealed: []byte{0, 1, 255}, Digest: "d1"},
		CustomerID: customer(n).ID, Status: customers.IdentitySent, Challenge: "otp_1",
		ExpiresAt: after(n + 1), AskedUntil: after(n + 2),
		Attempts: []customers.Attempt{
			{Number: 1, At: after(n), OTP: "d3", Judged: true, Reason: customers.ReasonInvalidOTP},
			{Number: 3, At: after(n), OTP: "d4"},
		},
		VerifiedName: "ADA OBI", VerifiedAt: after(n), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

func insertIdentity(i customers.Identity) body {
	return func(ctx context.Context, p store.Ports) error { return p.Customers().InsertIdentity(ctx, i) }
}

func updateIdentity(i customers.Identity) body {
	return func(ctx context.Context, p store.Ports) error { return p.Customers().UpdateIdentity(ctx, i) }
}

func putTrail(trail customers.Trail) body {
	return func(ctx context.Context, p store.Ports) error { return p.Customers().PutTrail(ctx, trail) }
}

func identityOf(scope ferry.Scope, id customers.IdentityID) func(context.Context, store.Ports) (customers.Identity, error) {
	return func(ctx context.Context, p store.Ports) (customers.Identity, error) {
		return p.Customers().Identity(ctx, scope, id)
	}
}

func testIdentities(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an identity comes back as it was inserted, with version 1", func(t *testing.T) {
		b := open(t)
		write(t, b, insertIdentity(identity(1)))
		want := identity(1)
		want.Version = 1
		require.Equal(t, want, look(t, b, identityOf(home, want.ID)))
	})
	t.Run("an identity without optional fields comes back without them", func(t *testing.T) {
		b := open(t)
		want := customers.Identity{
			ID: identity(1).ID, Scope: home, Type: kyc.BVN, Number: identity(1).Number,
			Status: customers.IdentityRequested, CreatedAt: start, UpdatedAt: start, Version: 1,
		}
		write(t, b, insertIdentity(want))
		require.Equal(t, want, look(t, b, identityOf(home, want.ID)))
	})
	t.Run("an identity is found in its own scope only", func(t *testing.T) {
		b := open(t)
		write(t, b, insertIdentity(identity(1)))
		for _, scope := range []ferry.Scope{away, live} {
			missing(t, b, customers.ErrIdentityNotFound, fails(identityOf(scope, identity(1).ID)))
			foreign := identity(1)
			foreign.Scope, foreign.Version = scope, 1
			refuse(t, b, customers.ErrIdentityNotFound, updateIdentity(foreign))
		}
	})
	t.Run("an update counts the version and refuses a former one", func(t *testing.T) {
		b := open(t)
		write(t, b, insertIdentity(identity(1)))
		row := look(t, b, identityOf(home, identity(1).ID))
		row.Status, row.Attempts = customers.IdentityVerified, row.Attempts[:1]
		write(t, b, updateIdentity(row))
		staleWrite(t, b, updateIdentity(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, identityOf(home, row.ID)))
	})
}

func testTrails(t *testing.T, open func(*testing.T) store.Backend) {
	const subject customers.Subject = "number/bvn/d1"
	trailOf := func(scope ferry.Scope, subject customers.Subject) func(context.Context, store.Ports) (customers.Trail, error) {
		return func(ctx context.Context, p store.Ports) (customers.Trail, error) {
			return p.Customers().Trail(ctx, scope, subject)
		}
	}
	trail := customers.Trail{Scope: home, Subject: subject, Marks: []customers.Mark{
		{Identity: identity(1).ID, Customer: customer(1).ID, At: after(1)},
		{Identity: identity(2).ID, At: after(2)},
	}}
	t.Run("a subject without a trail has an empty one", func(t *testing.T) {
		require.Equal(t, customers.Trail{Scope: home, Subject: subject}, look(t, open(t), trailOf(home, subject)))
	})
	t.Run("a trail comes back as it was put, for its scope and subject", func(t *testing.T) {
		b := open(t)
		write(t, b, putTrail(trail))
		want := trail
		want.Version = 1
		require.Equal(t, want, look(t, b, trailOf(home, subject)))
		require.Empty(t, look(t, b, trailOf(away, subject)).Marks)
		require.Empty(t, look(t, b, trailOf(live, subject)).Marks)
		require.Empty(t, look(t, b, trailOf(home, "number/bvn/d2")).Marks)
	})
	t.Run("a trail is put over the one that was read only", func(t *testing.T) {
		b := open(t)
		write(t, b, putTrail(trail))
		staleWrite(t, b, putTrail(trail))
		next := look(t, b, trailOf(home, subject))
		write(t, b, putTrail(next))
		staleWrite(t, b, putTrail(next))
	})
	t.Run("units that each add a mark to a trail lose none", func(t *testing.T) {
		b := open(t)
		for _, err := range race(8, func(i int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				row, err := p.Customers().Trail(ctx, home, subject)
				if err != nil {
					return err
				}
				marks := append([]customers.Mark{}, row.Marks...)
				row.Marks = append(marks, customers.Mark{Identity: identity(i).ID, At: after(i)})
				return p.Customers().PutTrail(ctx, row)
			})
		}) {
			require.NoError(t, err)
		}
		require.Len(t, look(t, b, trailOf(home, subject)).Marks, 8)
	})
}
