//go:build postgres && unix

package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

const hunter2 = "hunter2"

// databaseURL is the URL of an empty database. It has a password, which the
// server does not ask for and nobody may print.
func databaseURL(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(pgtest.URL(t))
	require.NoError(t, err)
	if _, has := u.User.Password(); !has {
		u.User = url.UserPassword(u.User.Username(), hunter2)
	}
	return u.String()
}

func TestSeveralDevServersThatStartAtOnceShareOneBusiness(t *testing.T) {
	store := databaseURL(t)
	servers := make([]process, 3)
	var starts sync.WaitGroup
	for i := range servers {
		starts.Go(func() { servers[i] = startDev(t, "--store", store, "--seed", "7") })
	}
	starts.Wait()
	want := startDev(t, "--seed", "7")
	require.Equal(t, want.BusinessID, servers[0].BusinessID, "the seed counts, whoever was first")
	for _, p := range servers {
		p.serving = servers[0].serving
		require.Equal(t, servers[0].ready, p.ready)
	}
	payOut(t, servers[0])
	servers[1].advance(t, "120")
	for _, p := range servers {
		require.Equal(t, "success", transfer(t, p))
	}
	servers[2].requireClean(t)
	for _, p := range servers {
		p.stop(t)
	}

	again := startDev(t, "--store", store)
	defer again.stop(t)
	require.Equal(t, servers[0].SecretKey, again.SecretKey)
	require.Equal(t, servers[0].WebhookSecret, again.WebhookSecret)
	require.Equal(t, "success", transfer(t, again))
}

func TestTheDemoBusinessHasWhatOneStartGivesIt(t *testing.T) {
	store := databaseURL(t)
	servers := make([]process, 2)
	var starts sync.WaitGroup
	for i := range servers {
		starts.Go(func() { servers[i] = startDev(t, "--store", store) })
	}
	starts.Wait()
	db, err := pgx.Connect(t.Context(), store)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close(t.Context())) }()
	var businesses int
	require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM businesses").Scan(&businesses))
	require.Equal(t, 1, businesses, "the other server waited for the first")
	for _, p := range servers {
		p.stop(t)
	}
}

func TestServersShareAPostgreSQL(t *testing.T) {
	site := newSite(t, databaseURL(t)+"&pool_max_conns=8")
	var one, two process
	var starts sync.WaitGroup
	starts.Go(func() { one = site.serve(t, "") })
	starts.Go(func() { two = site.serve(t, "") })
	starts.Wait()
	defer one.stop(t)
	defer two.stop(t)
	shop := site.createBusiness(t) // beside them
	one.SecretKey, two.SecretKey = shop.SecretKey, shop.SecretKey
	one.data(t, http.MethodPost, "wallets", aWallet, nil)
	var found struct{ Reference string }
	two.data(t, http.MethodGet, "wallets?reference=main", "", &found)
	require.Equal(t, "main", found.Reference)
	mustRun(t, "migrate", "--config", site.config)
	out, _ := requireAudit(t, 0, "--store", site.store)
	require.JSONEq(t, `{"clean":true,"findings":[]}`, out)
	mustRun(t, "keys", "keyset", "rotate", "--config", site.config)
	mustRun(t, "keys", "rewrap", "--config", site.config)
}

func TestPostgreSQLIsMigratedFromSeveralShells(t *testing.T) {
	store := databaseURL(t)
	var shells sync.WaitGroup
	outs, codes := make([]string, 8), make([]int, 8)
	for i := range codes {
		shells.Go(func() { outs[i], _, codes[i] = ferryCommand(t, "migrate", "--store", store) })
	}
	shells.Wait()
	for i, code := range codes {
		require.Zero(t, code)
		var done sqlstore.Migration
		require.NoError(t, json.Unmarshal([]byte(outs[i]), &done))
		require.Positive(t, done.To)
	}

	db, err := pgx.Connect(t.Context(), store)
	require.NoError(t, err)
	_, err = db.Exec(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)")
	require.NoError(t, err)
	require.NoError(t, db.Close(t.Context()))
	_, stderr, code := ferryCommand(t, "migrate", "--store", store)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, sqlstore.ErrNewerSchema.Error())
	require.NotContains(t, stderr, hunter2)
}

func TestAStoreOfFerryDevIsNotServed(t *testing.T) {
	site := newSite(t, databaseURL(t))
	startDev(t, "--store", site.store).stop(t)
	_, stderr, code := ferryCommand(t, "serve", "--config", site.config)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errDevStore.Error())
	require.NotContains(t, stderr, hunter2)

	served := newSite(t, databaseURL(t))
	served.createBusiness(t)
	require.Contains(t, refused(t, "--store", served.store), errNotDev.Error())
}

func TestAPasswordOfPostgreSQLIsNeverPrinted(t *testing.T) {
	site := newSite(t, databaseURL(t))
	shop := site.createBusiness(t)
	var log strings.Builder
	cmd := exec.Command(binary, "serve", "--config", site.config)
	cmd.Stderr = &log
	p := startCommand(t, cmd)
	p.SecretKey = shop.SecretKey
	p.data(t, http.MethodPost, "wallets", aWallet, nil)
	p.stop(t)
	require.Contains(t, log.String(), ":***@")
	require.NotContains(t, log.String(), hunter2)

	var text strings.Builder
	require.NoError(t, printBanner(&text, ready{}, demo{place: storeAddress(databaseURL(t)).place()}))
	require.Contains(t, text.String(), ":***@")
	require.NotContains(t, text.String(), hunter2)
}

func TestTheAlarmOfAStopRingsAtOnceWhenAnotherProcessStops(t *testing.T) {
	site := newSite(t, databaseURL(t))
	p := site.serve(t, site.createBusiness(t).SecretKey)
	defer p.stop(t)
	require.Contains(t, p.metrics(t), `ferry_held{environment="test"} 0`)
	mustRun(t, "outflow", "stop", "--config", site.config, "--reason", "drill")
	require.Contains(t, p.metrics(t), `ferry_held{environment="test"} 1`)
	mustRun(t, "outflow", "resume", "--config", site.config)
	require.Contains(t, p.metrics(t), `ferry_held{environment="test"} 0`)
}
