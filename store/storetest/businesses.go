package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/store"
)

func testBusinesses(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("tenants", func(t *testing.T) { testTenants(t, open) })
	t.Run("keys", func(t *testing.T) { testKeys(t, open) })
	readOnly(t, open, map[string]body{
		"Insert":    insertBusiness(tenant(home)),
		"InsertKey": insertKey(apiKey(1)),
		"Update":    func(ctx context.Context, p store.Ports) error { return p.Businesses().Update(ctx, tenant(home)) },
		"UpdateKey": func(ctx context.Context, p store.Ports) error { return p.Businesses().UpdateKey(ctx, apiKey(1)) },
	})
}

func tenant(scope ferry.Scope) business.Business {
	prefs := business.DefaultPreferences()
	prefs.RedirectHosts = []string{"shop.example.com"}
	return business.Business{
		Scope: scope, Name: "Shop", Preferences: prefs, CreatedAt: start, UpdatedAt: start,
		SourceAccounts: []business.SourceAccount{{ID: "bank_1", AccountNumber: "0123456789", BankCode: "058", BankName: "GTBank", AccountName: "Shop"}},
	}
}

func apiKey(n int) business.Key {
	return business.Key{
		ID: business.KeyID(idOf("key_", n)), Scope: home, Type: business.SecretKey, Label: "server",
		Scopes: []business.KeyScope{business.Read, business.PayOut},
		Digest: idOf("digest-", n), Prefix: "sk_test_", LastFour: "abcd", CreatedAt: after(n),
	}
}

func insertBusiness(row business.Business) body {
	return func(ctx context.Context, p store.Ports) error { return p.Businesses().Insert(ctx, row) }
}

func insertKey(row business.Key) body {
	return func(ctx context.Context, p store.Ports) error { return p.Businesses().InsertKey(ctx, row) }
}

func businessOf(scope ferry.Scope) func(context.Context, store.Ports) (business.Business, error) {
	return func(ctx context.Context, p store.Ports) (business.Business, error) {
		return p.Businesses().Business(ctx, scope)
	}
}

func keyOf(scope ferry.Scope, id business.KeyID) func(context.Context, store.Ports) (business.Key, error) {
	return func(ctx context.Context, p store.Ports) (business.Key, error) {
		return p.Businesses().Key(ctx, scope, id)
	}
}

func testTenants(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a business comes back as it was inserted, with version 1", func(t *testing.T) {
		b := open(t)
		write(t, b, insertBusiness(tenant(home)))
		want := tenant(home)
		want.Version = 1
		require.Equal(t, want, look(t, b, businessOf(home)))
	})
	t.Run("a business is inserted once an environment", func(t *testing.T) {
		b := open(t)
		write(t, b, insertBusiness(tenant(home)))
		refuse(t, b, business.ErrExists, insertBusiness(tenant(home)))
		missing(t, b, business.ErrNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := p.Businesses().Business(ctx, live)
			return err
		})
		write(t, b, insertBusiness(tenant(live)))
	})
	t.Run("an update counts the version and refuses a former one", func(t *testing.T) {
		b := open(t)
		write(t, b, insertBusiness(tenant(home)))
		row := look(t, b, businessOf(home))
		row.Name = "Shop & Co"
		update := func(ctx context.Context, p store.Ports) error { return p.Businesses().Update(ctx, row) }
		write(t, b, update)
		staleWrite(t, b, update)
		stored := look(t, b, businessOf(home))
		require.Equal(t, "Shop & Co", stored.Name)
		require.EqualValues(t, 2, stored.Version)
	})
	t.Run("the businesses of an environment come in order of id", func(t *testing.T) {
		b := open(t)
		for _, scope := range []ferry.Scope{away, live, home} {
			write(t, b, insertBusiness(tenant(scope)))
		}
		list := func(env ferry.Env, after ferry.BusinessID, limit int) []ferry.BusinessID {
			var ids []ferry.BusinessID
			for _, row := range look(t, b, func(ctx context.Context, p store.Ports) ([]business.Business, error) {
				return p.Businesses().Businesses(ctx, env, after, limit)
			}) {
				require.Equal(t, env, row.Scope.Env)
				ids = append(ids, row.Scope.Business)
			}
			return ids
		}
		require.Equal(t, []ferry.BusinessID{home.Business, away.Business}, list(ferry.Test, "", 10))
		require.Equal(t, []ferry.BusinessID{home.Business}, list(ferry.Test, "", 1))
		require.Equal(t, []ferry.BusinessID{away.Business}, list(ferry.Test, home.Business, 10))
		require.Empty(t, list(ferry.Test, away.Business, 10))
		require.Equal(t, []ferry.BusinessID{live.Business}, list(ferry.Live, "", 10))
	})
}

func testKeys(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a key comes back by id within its scope and by digest", func(t *testing.T) {
		b := open(t)
		write(t, b, insertKey(apiKey(1)))
		want := apiKey(1)
		want.Version = 1
		require.Equal(t, want, look(t, b, keyOf(home, want.ID)))
		require.Equal(t, want, look(t, b, func(ctx context.Context, p store.Ports) (business.Key, error) {
			return p.Businesses().KeyByDigest(ctx, want.Digest)
		}))
		for _, scope := range []ferry.Scope{away, live} {
			missing(t, b, business.ErrKeyNotFound, func(ctx context.Context, p store.Ports) error {
				_, err := p.Businesses().Key(ctx, scope, want.ID)
				return err
			})
		}
		missing(t, b, business.ErrKeyNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := p.Businesses().KeyByDigest(ctx, "other")
			return err
		})
	})
	t.Run("a digest is taken once, by whomever", func(t *testing.T) {
		b := open(t)
		write(t, b, insertKey(apiKey(1)))
		same := apiKey(2)
		same.Digest, same.Scope = apiKey(1).Digest, away
		refuse(t, b, business.ErrKeyTaken, insertKey(same))
		missing(t, b, business.ErrKeyNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := p.Businesses().Key(ctx, away, same.ID)
			return err
		})
	})
	t.Run("an update counts the version and refuses a former one", func(t *testing.T) {
		b := open(t)
		write(t, b, insertKey(apiKey(1)))
		row := look(t, b, keyOf(home, apiKey(1).ID))
		row.RevokedAt = after(60)
		update := func(ctx context.Context, p store.Ports) error { return p.Businesses().UpdateKey(ctx, row) }
		write(t, b, update)
		staleWrite(t, b, update)
		stored := look(t, b, keyOf(home, row.ID))
		require.Equal(t, after(60), stored.RevokedAt)
		require.EqualValues(t, 2, stored.Version)
	})
	t.Run("the keys of a scope come newest first", func(t *testing.T) {
		b := open(t)
		for _, n := range []int{2, 1, 3} {
			write(t, b, insertKey(apiKey(n)))
		}
		other := apiKey(4)
		other.Scope = away
		write(t, b, insertKey(other))
		var ids []business.KeyID
		for _, k := range look(t, b, func(ctx context.Context, p store.Ports) ([]business.Key, error) {
			return p.Businesses().Keys(ctx, home)
		}) {
			ids = append(ids, k.ID)
		}
		require.Equal(t, []business.KeyID{apiKey(3).ID, apiKey(2).ID, apiKey(1).ID}, ids)
	})
}
