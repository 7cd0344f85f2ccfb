package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/seal/tinkseal"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
)

func TestMigratePrintsBothVersionsAndMayRunTwice(t *testing.T) {
	store := "sqlite:" + filepath.Join(t.TempDir(), "ferry.db")
	var first, second sqlstore.Migration
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "migrate", "--store", store)), &first))
	require.Zero(t, first.From)
	require.Positive(t, first.To)
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "migrate", "--store", store)), &second))
	require.Equal(t, sqlstore.Migration{From: first.To, To: first.To}, second)
}

func TestMigrateMayRunFromTwoShells(t *testing.T) {
	store := "sqlite:" + filepath.Join(t.TempDir(), "ferry.db")
	var shells sync.WaitGroup
	codes := make([]int, 3)
	for i := range codes {
		shells.Go(func() { _, _, codes[i] = ferryCommand(t, "migrate", "--store", store) })
	}
	shells.Wait()
	require.Equal(t, []int{0, 0, 0}, codes)
}

func TestMigrateIsRefusedByANewerSchema(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	mustRun(t, "migrate", "--store", "sqlite:"+file)
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	_, err = db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	stdout, stderr, code := ferryCommand(t, "migrate", "--store", "sqlite:"+file)
	require.Equal(t, 1, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, sqlstore.ErrNewerSchema.Error())
}

func TestACommandThatNeedsAStoreSaysSo(t *testing.T) {
	file := "sqlite:" + filepath.Join(t.TempDir(), "ferry.db")
	for _, c := range []struct {
		args string
		want string
	}{
		{"migrate", errNoStore.Error()},
		{"migrate --store memory", errMemory.Error()},
		{"migrate --store mysql://localhost", errNoAddress.Error()},
		{"migrate --store " + file + " --config x", errTwice.Error()},
		{"audit --store memory", errMemory.Error()},
		{"audit --store " + file, "file does not exist"},
		{"audit", errNoKey.Error()},
		{"keys list", errNoKey.Error()},
		{"keys list --store memory --business biz_1", errNoID.Error()},
		{"keys create --store memory --business Shop", errMemory.Error()},
		{"keys create --store " + file + " --business Shop", "--keyset (or --config) is missing"},
		{"keys create --store " + file, errNoBusiness.Error()},
		{"keys create --store " + file + " --business biz_12", errMistyped.Error()},
		{"keys create --store " + file + " --business Shop --label x", errNewBusiness.Error()},
		{"keys rewrap", errNoStore.Error()},
		{"keys keyset create", "--keyset (or --config) is missing"},
		{"keys keyset create --keyset x", "--kek-file and --kek-env: exactly one"},
		{"keys keyset list --config x --keyset y", errTwice.Error()},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Setenv("FERRY_KEY", "")
			stdout, stderr, code := ferryCommand(t, strings.Fields(c.args)...)
			require.NotZero(t, code)
			require.NotContains(t, stdout, "{", "there is no result")
			require.Contains(t, stderr, c.want)
		})
	}
	require.NoFileExists(t, strings.TrimPrefix(file, "sqlite:"), "a look makes no store")
}

func TestAPasswordIsNotPrintedWhenACommandIsRefused(t *testing.T) {
	const url = "postgres://ferry:hunter2@127.0.0.1:1/ferry?connect_timeout=5"
	for _, args := range [][]string{
		{"migrate", "--store", url},
		{"migrate", url},
		{"audit", "--store", url},
		{"audit", "--store", "postgres://ferry:%zz%hunter2@127.0.0.1:1/ferry"},
		{"audit", "--sotre=" + url},
		{"dev", "--addr", "127.0.0.1:0", "--store", url},
		{"serve", "--config", written(t, strings.Replace(smallest, "sqlite:ferry.db", url, 1))},
	} {
		t.Setenv("KEK", "")
		stdout, stderr, code := ferryCommand(t, args...)
		require.NotZero(t, code)
		require.NotContains(t, stdout+stderr, "hunter2", args)
	}
}

// requireAudit runs audit on a store and returns what it prints.
func requireAudit(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, got := ferryCommand(t, append([]string{"audit"}, args...)...)
	require.Equal(t, code, got, stderr)
	return stdout, stderr
}

func TestAStoreIsAuditedWithoutAServer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file)
	payOut(t, p)
	p.advance(t, "120")

	_, stderr := requireAudit(t, exitCannotTell, "--store", "sqlite:"+file)
	require.Contains(t, stderr, "in use by another process")
	require.Contains(t, stderr, "--url")
	p.stop(t)
	out, _ := requireAudit(t, 0, "--store", "sqlite:"+file)
	require.JSONEq(t, `{"clean":true,"findings":[]}`, out)

	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	_, err = db.Exec("UPDATE accounts SET posted = posted + 1 WHERE id = (SELECT id FROM accounts WHERE business <> '' AND posted > 0 LIMIT 1)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	out, stderr = requireAudit(t, exitFindings, "--store", "sqlite:"+file)
	require.Contains(t, stderr, errFindings.Error())
	var found struct {
		Clean    bool
		Findings []findingView
	}
	require.NoError(t, json.Unmarshal([]byte(out), &found))
	require.False(t, found.Clean)
	require.NotEmpty(t, found.Findings)
	for _, f := range found.Findings {
		require.Equal(t, "test", string(f.Environment))
		require.NotEmpty(t, f.Check)
		require.NotEmpty(t, f.Subject)
		require.NotEmpty(t, f.Problem)
	}
}

func TestAStoreWithoutBooksCannotBeAudited(t *testing.T) {
	store := "sqlite:" + filepath.Join(t.TempDir(), "ferry.db")
	mustRun(t, "migrate", "--store", store)
	_, stderr := requireAudit(t, exitCannotTell, "--store", store)
	require.Contains(t, stderr, errNoBooks.Error())
}

func TestAServedStoreIsAuditedByItsConfiguration(t *testing.T) {
	site := newSite(t)
	site.createBusiness(t)
	out, _ := requireAudit(t, 0, "--config", site.config)
	require.JSONEq(t, `{"clean":true,"findings":[]}`, out)
}

func TestAPIKeysAreLookedAfterInAStore(t *testing.T) {
	site := newSite(t)
	shop := site.createBusiness(t)
	keys := func(command string, more ...string) (string, string, int) {
		return ferryCommand(t, append([]string{"keys", command, "--config", site.config, "--business", string(shop.BusinessID)}, more...)...)
	}
	var made struct{ ID, Key string }
	out, _, code := keys("create", "--label", "ci")
	require.Zero(t, code)
	require.NoError(t, json.Unmarshal([]byte(out), &made))
	require.True(t, strings.HasPrefix(made.Key, "sk_test_"))

	var rotated struct {
		Key        string
		PreviousID string `json:"previous_id"`
	}
	out, _, code = keys("rotate", "--id", made.ID, "--overlap", "1h")
	require.Zero(t, code)
	require.NoError(t, json.Unmarshal([]byte(out), &rotated))
	require.Equal(t, made.ID, rotated.PreviousID)

	var listed []struct{ ID string }
	out, _, code = keys("list")
	require.Zero(t, code)
	require.NotContains(t, out, made.Key)
	require.NoError(t, json.Unmarshal([]byte(out), &listed))
	require.Len(t, listed, 5, "three of the business, the new one and what replaced it")

	_, _, code = keys("revoke", made.ID)
	require.Zero(t, code)
	_, stderr, code := keys("revoke", "key_00000000000000000000000000000000")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "not found")
	_, stderr, code = keys("create", "--type", "golden")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "type")

	p := site.serve(t, rotated.Key)
	defer p.stop(t)
	status, _ := p.get(t, "/v1/business")
	require.Equal(t, 200, status)
	p.SecretKey = made.Key
	status, _ = p.get(t, "/v1/business")
	require.Equal(t, 401, status, "the revoked one")
}

func TestKeysOfAKeysetRotateUnderAServedStore(t *testing.T) {
	site := newSite(t)
	shop := site.createBusiness(t)
	before := site.keyset(t, "list")
	require.Len(t, before, 1)
	after := site.keyset(t, "rotate")
	require.Len(t, after, 2)
	require.True(t, after[1].Primary)

	_, stderr, code := ferryCommand(t, "keys", "keyset", "drop", before[0].ID, "--config", site.config)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, tinkseal.ErrInUse.Error())

	var done rewrapView
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "keys", "rewrap", "--config", site.config)), &done))
	require.Positive(t, done.Resealed)
	require.Equal(t, done.Resealed, done.Current)
	require.Empty(t, done.Failed)
	require.Equal(t, after[1:], site.keyset(t, "drop", before[0].ID))

	p := site.serve(t, shop.SecretKey)
	defer p.stop(t)
	status, _ := p.get(t, "/v1/business")
	require.Equal(t, 200, status, "the pepper is the same")
}

// keyset runs a command on the site's keyset that prints its keys.
func (s site) keyset(t *testing.T, command string, more ...string) (listed []sealingKey) {
	t.Helper()
	out := mustRun(t, append([]string{"keys", "keyset", command, "--config", s.config}, more...)...)
	require.NoError(t, json.Unmarshal([]byte(out), &listed))
	return listed
}

func TestTheDocumentOfTheKeysetKeepsItsKey(t *testing.T) {
	site := newSite(t)
	c, err := readConfig(site.config)
	require.NoError(t, err)
	p, err := openProduction(t.Context(), c, production{logger: warnings()})
	require.NoError(t, err)
	defer func() { require.NoError(t, p.close()) }()
	set, ok := p.keys.sealer.(*tinkseal.Keyset)
	require.True(t, ok)
	old := set.Keys()[0].ID
	sealed := func() int {
		n, err := p.sealedUnder(t.Context(), old)
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 1, sealed(), "there is nothing else in the store")
	site.keyset(t, "rotate")
	_, err = p.rewrap(t.Context())
	require.NoError(t, err)
	require.Zero(t, sealed())
	require.NoError(t, p.keys.claim(t.Context(), p.store))
}

func TestAnOlderCopyOfTheKeysetIsRefused(t *testing.T) {
	site := newSite(t)
	site.createBusiness(t)
	old, err := os.ReadFile(site.path("keyset"))
	require.NoError(t, err)
	site.keyset(t, "rotate")
	site.serve(t, "").stop(t) // which seals under the new key
	require.NoError(t, os.WriteFile(site.path("old"), old, 0o600))
	site.configure(t, "old")
	_, stderr, code := ferryCommand(t, "serve", "--config", site.config)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errKeyset.Error())
}

func TestTheKEKOfAKeysetIsChanged(t *testing.T) {
	site := newSite(t)
	site.createBusiness(t)
	mustRun(t, "keys", "keyset", "kek", site.path("kek2"))
	_, stderr, code := ferryCommand(t, "keys", "keyset", "kek", site.path("kek2"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, tinkseal.ErrExists.Error())
	mustRun(t, "keys", "keyset", "change-kek", "--config", site.config, "--new-kek-file", site.path("kek2"))
	_, stderr, code = ferryCommand(t, "serve", "--config", site.config)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, tinkseal.ErrWrongKEK.Error())

	kek, err := os.ReadFile(site.path("kek2"))
	require.NoError(t, err)
	t.Setenv("FERRY_TEST_KEK", string(kek))
	out := mustRun(t, "keys", "keyset", "list", "--keyset", site.path("keyset"), "--kek-env", "FERRY_TEST_KEK")
	require.NotContains(t, out, strings.TrimSpace(string(kek)))
}

// foreign is a keyset whose secrets open, but whose digests are others.
type foreign struct{ seal.Sealer }

func (f foreign) Digest(data []byte, purpose string) []byte {
	return f.Sealer.Digest(data, "foreign "+purpose)
}

func TestAClaimComparesPepperAndDigestsToo(t *testing.T) {
	s := newStore(t, filepath.Join(t.TempDir(), "ferry.db"))
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	sealer := seal.Ephemeral()
	ours := keys{sealer, []byte("pepper")}
	require.NoError(t, ours.claim(t.Context(), s))
	require.NoError(t, ours.claim(t.Context(), s))
	require.ErrorIs(t, keys{sealer, []byte("salt")}.claim(t.Context(), s), errKeyset)
	require.ErrorIs(t, keys{foreign{sealer}, ours.pepper}.claim(t.Context(), s), errKeyset)
	require.ErrorIs(t, keys{seal.Ephemeral(), ours.pepper}.claim(t.Context(), s), errKeyset)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
		return settings.Set(ctx, tx, canaryName, []byte("broken"))
	}))
	require.ErrorIs(t, ours.claim(t.Context(), s), errKeyset)
}

func TestOfSeveralStartersOneGivesItsCredentialsToAll(t *testing.T) {
	s := newStore(t, filepath.Join(t.TempDir(), "ferry.db"))
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	demos := make([]demo, 4)
	errs := make([]error, len(demos))
	var starts sync.WaitGroup
	for i := range demos {
		starts.Go(func() {
			errs[i] = devCommand{}.start(t.Context(), &demos[i], s, defaults(), inspect.NewRecorder(), warnings())
		})
	}
	starts.Wait()
	first := 0
	for i, d := range demos {
		require.NoError(t, errs[i])
		require.Equal(t, demos[0].tenant.SecretKey, d.tenant.SecretKey)
		require.Equal(t, demos[0].tenant.WebhookSecret, d.tenant.WebhookSecret)
		require.Equal(t, demos[0].tenant.Business.Scope, d.tenant.Business.Scope)
		if !d.again {
			first++
		}
	}
	require.Equal(t, 1, first)
}

func TestAStartWaitsForTheCredentialsOfAnother(t *testing.T) {
	s := newStore(t, filepath.Join(t.TempDir(), "ferry.db"))
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	patient := demoCredentials{store: s, sealer: seal.Ephemeral(), patience: time.Minute}
	want := credentials{BusinessID: "biz_1", Credentials: engine.Credentials{SecretKey: "sk_test_x"}}
	go func() {
		kept := want
		_, _ = patient.keep(context.Background(), &kept)
	}()
	got, found, err := patient.await(t.Context())
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, want, got)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	forget(t, s, credentialsName)
	_, _, err = patient.await(ended)
	require.ErrorIs(t, err, context.Canceled)
}
