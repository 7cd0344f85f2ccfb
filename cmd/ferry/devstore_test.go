package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// startOn starts ferry dev on a file.
func startOn(t *testing.T, file string, args ...string) process {
	t.Helper()
	return startDev(t, append([]string{"--store", "sqlite:" + file}, args...)...)
}

// stop ends a process as Ctrl-C does.
func (p process) stop(t *testing.T) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, p.cmd.Wait(), "it exits 0")
}

// kill ends a process with no time to do anything.
func (p process) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Kill())
	require.Error(t, p.cmd.Wait())
}

// data does a request and decodes the data of its answer.
func (p process) data(t *testing.T, method, path, body string, into any) {
	t.Helper()
	request, err := http.NewRequest(method, p.BaseURL+"/v1/"+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+p.SecretKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Less(t, response.StatusCode, 300, "%s %s: %s", method, path, text)
	require.NoError(t, json.Unmarshal(text, &struct{ Data any }{into}))
}

func (p process) requireClean(t *testing.T) {
	t.Helper()
	out, code := p.run(t, "audit")
	require.Zero(t, code, out)
	require.JSONEq(t, `{"clean":true,"findings":[]}`, out)
}

// advance moves the clock until everything on the way is done.
func (p process) advance(t *testing.T, seconds string) (now time.Time) {
	t.Helper()
	for body := `{"seconds":` + seconds + `}`; ; body = `{"seconds":0}` {
		var progress struct {
			Now  time.Time
			Done bool
		}
		p.data(t, http.MethodPost, "test_helpers/clock/advance", body, &progress)
		if progress.Done {
			return progress.Now
		}
	}
}

// refused runs ferry dev and returns what it says when it does not start.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, binary, append([]string{"dev", "--addr", "127.0.0.1:0"}, args...)...).CombinedOutput()
	require.IsType(t, &exec.ExitError{}, err)
	require.NoError(t, ctx.Err())
	return string(out)
}

const outside = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"

// payOut funds a wallet with 25 USDC and sends 10 of them to the outside.
func payOut(t *testing.T, p process) {
	t.Helper()
	var wallet struct {
		PrimaryAddress string `json:"primary_address"`
	}
	p.data(t, http.MethodPost, "wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"main"}`, &wallet)
	p.data(t, http.MethodPost, "test_helpers/deposits", `{"address":"`+wallet.PrimaryAddress+`","amount":25}`, nil)
	p.data(t, http.MethodPost, "wallets/transfer", `{"from_address":"`+wallet.PrimaryAddress+`","to_address":"`+outside+
		`","amount":10,"network":"Solana","asset":"USDC","reference":"payment"}`, nil)
}

// transfer returns the status of the payment.
func transfer(t *testing.T, p process) string {
	t.Helper()
	var payment struct{ Status string }
	p.data(t, http.MethodGet, "wallets/transfers/payment", "", &payment)
	return payment.Status
}

// look returns what the API says of the business and of its wallet.
func look(t *testing.T, p process) (business, balance any) {
	t.Helper()
	p.data(t, http.MethodGet, "business", "", &business)
	p.data(t, http.MethodGet, "wallets/balance?reference=main", "", &balance)
	return business, balance
}

func TestAStoreInAFileIsFoundAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file)
	first := p.ready
	payOut(t, p)
	ahead := p.advance(t, "86400")
	require.Equal(t, "success", transfer(t, p))
	business, balance := look(t, p)
	p.stop(t)
	require.NoFileExists(t, file+"-wal", "a store that was closed is one file")

	p = startOn(t, file)
	defer p.stop(t)
	second := p.ready
	second.serving = first.serving
	require.Equal(t, first, second, "business and credentials are the same")
	require.Equal(t, "success", transfer(t, p))
	businessAgain, balanceAgain := look(t, p)
	require.Equal(t, business, businessAgain)
	require.Equal(t, balance, balanceAgain)
	require.False(t, p.advance(t, "0").Before(ahead), "the clock goes on")
	p.requireClean(t)
}

func TestATransferThatWaitedAtAKillCompletes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file)
	payOut(t, p)
	require.NotEqual(t, "success", transfer(t, p))
	p.kill(t)

	p = startOn(t, file)
	defer p.stop(t)
	p.advance(t, "120")
	require.Equal(t, "success", transfer(t, p))
	status, balance := p.get(t, "/v1/wallets/balance?reference=main")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, balance, "14.995")
	p.requireClean(t)
}

func TestKeysThatWereMadeOutliveARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file)
	out, code := p.run(t, "keys", "create", "--type", "secret", "--label", "ci")
	require.Zero(t, code)
	var made struct{ Key string }
	require.NoError(t, json.Unmarshal([]byte(out), &made))
	p.kill(t)

	p = startOn(t, file)
	defer p.stop(t)
	p.SecretKey = made.Key
	status, body := p.get(t, "/v1/business")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, p.BusinessID)
}

func TestASeedCountsForANewStoreOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file, "--seed", "7")
	require.Equal(t, startDev(t, "--seed", "7").BusinessID, p.BusinessID)
	payOut(t, p)
	p.stop(t)

	p = startOn(t, file, "--seed", "7")
	defer p.stop(t)
	p.data(t, http.MethodPost, "wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"second"}`, nil)
	p.requireClean(t)
}

func TestNoSecretStandsOpenInTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file)
	p.stop(t)
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(content), p.BusinessID)
	require.Contains(t, string(content), markText, "the store says what it is")
	require.False(t, strings.Contains(string(content), p.SecretKey))
	require.False(t, strings.Contains(string(content), p.WebhookSecret))
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestAStoreThatCannotBeUsedIsAClearError(t *testing.T) {
	t.Run("another process has the file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "ferry.db")
		p := startOn(t, file)
		defer p.stop(t)
		require.Contains(t, refused(t, "--store", "sqlite:"+file), "in use by another process: "+file)
	})
	t.Run("a newer release migrated it", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "ferry.db")
		require.NoError(t, newStore(t, file).Close(t.Context()))
		db, err := sql.Open("sqlite", file)
		require.NoError(t, err)
		_, err = db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
		require.NoError(t, err)
		require.NoError(t, db.Close())
		require.Contains(t, refused(t, "--store", "sqlite:"+file), "migrated by a newer release")
	})
	t.Run("its data is not a sandbox's", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "ferry.db")
		s := newStore(t, file)
		_, err := engine.New(engine.Config{Store: s})
		require.NoError(t, err)
		require.NoError(t, s.Close(t.Context()))
		require.Contains(t, refused(t, "--store", "sqlite:"+file), errNotDev.Error())
	})
	t.Run("the file is something else", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "notes.txt")
		notes := []byte(strings.Repeat("not a database\n", 100))
		require.NoError(t, os.WriteFile(file, notes, 0o600))
		require.Contains(t, refused(t, "--store", "sqlite:"+file), "not a database of ferry")
		left, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, notes, left)
	})
	t.Run("there is no such folder", func(t *testing.T) {
		require.Contains(t, refused(t, "--store", "sqlite:"+filepath.Join(t.TempDir(), "no", "ferry.db")), "there is no directory")
	})
	for _, flag := range []string{"", "sqlite", "sqlite:", "sqlite://ferry.db", "sqlite::memory:", "mysql://localhost", "Memory"} {
		t.Run("the flag is "+flag, func(t *testing.T) {
			require.Contains(t, refused(t, "--store", flag), "is neither memory nor sqlite:FILE nor postgres://…")
		})
	}
}

func newStore(t *testing.T, file string) *sqlstore.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), file)
	require.NoError(t, err)
	return s
}

// forget removes a setting.
func forget(t *testing.T, s *sqlstore.Store, name settings.Name) {
	t.Helper()
	require.NoError(t, s.Write(t.Context(), func(_ context.Context, tx store.Ports) error {
		own, err := sqlstore.OwnOf(tx)
		if err != nil {
			return err
		}
		return own.Exec("DELETE FROM settings WHERE name = ?", string(name))
	}))
}

func TestWithoutAFlagNothingIsWritten(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command(binary, "dev", "--addr", "127.0.0.1:0", "--json")
	cmd.Dir = folder
	p := startCommand(t, cmd)
	payOut(t, p)
	p.stop(t)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestTheBannerSaysWhereTheDataIs(t *testing.T) {
	var text strings.Builder
	require.NoError(t, printBanner(&text, ready{}, demo{place: "/data/ferry.db", again: true}))
	require.Contains(t, text.String(), "/data/ferry.db")
	require.Contains(t, text.String(), "never for production")
	require.Contains(t, text.String(), "as it was left")
	text.Reset()
	require.NoError(t, printBanner(&text, ready{}, demo{}))
	require.Contains(t, text.String(), "in memory, gone when it stops")
	require.NotContains(t, text.String(), "%!")
}

func TestAFirstStartThatWasCutOffIsBegunAgain(t *testing.T) {
	s := newStore(t, filepath.Join(t.TempDir(), "ferry.db"))
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	command, logger := devCommand{Seed: 7}, slog.New(slog.DiscardHandler)
	var cutOff, begun, again demo
	require.NoError(t, command.start(t.Context(), &cutOff, s, defaults(), inspect.NewRecorder(), logger))
	forget(t, s, credentialsName)

	require.NoError(t, command.start(t.Context(), &begun, s, defaults(), inspect.NewRecorder(), logger))
	require.False(t, begun.again)
	require.NotEqual(t, cutOff.tenant.Business.Scope, begun.tenant.Business.Scope)
	require.NoError(t, command.start(t.Context(), &again, s, defaults(), inspect.NewRecorder(), logger))
	require.True(t, again.again)
	require.Equal(t, begun.tenant.SecretKey, again.tenant.SecretKey)
}

func TestCredentialsThatWereReplacedAreLogged(t *testing.T) {
	s := newStore(t, filepath.Join(t.TempDir(), "ferry.db"))
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	var d demo
	require.NoError(t, devCommand{}.start(t.Context(), &d, s, defaults(), inspect.NewRecorder(), logger))
	require.NoError(t, devCommand{}.start(t.Context(), &d, s, defaults(), inspect.NewRecorder(), logger))
	require.Empty(t, log.String())

	scope := d.tenant.Business.Scope
	key, err := d.engine.Businesses.Authenticate(t.Context(), d.tenant.SecretKey)
	require.NoError(t, err)
	_, err = d.engine.Businesses.CreateKey(t.Context(), scope, business.CreateKeyParams{Type: business.SecretKey})
	require.NoError(t, err)
	_, err = d.engine.Businesses.RevokeKey(t.Context(), scope, key.ID)
	require.NoError(t, err)
	_, err = d.engine.Webhooks.RotateSecret(t.Context(), scope, webhook.RotateSecretParams{})
	require.NoError(t, err)
	require.NoError(t, devCommand{}.start(t.Context(), &d, s, defaults(), inspect.NewRecorder(), logger))
	require.Contains(t, log.String(), "secret key of the demo business was revoked")
	require.Contains(t, log.String(), "webhook secret of the demo business was rotated")
	require.NotContains(t, log.String(), d.tenant.SecretKey)
}
