package main

import (
	"crypto/ed25519"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/canary"
	"github.com/ferrypay/ferry/seal/tinkseal"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/recovery"
)

// vaulted is a site with wallets, and a recovery key.
type vaulted struct {
	site
	recipient string
	addresses []string
	// said is all that commands printed, on both of their outputs.
	said *strings.Builder
}

func newVaulted(t *testing.T, count int) vaulted {
	t.Helper()
	v := vaulted{site: newSite(t), said: &strings.Builder{}}
	p := v.serve(t, v.createBusiness(t).SecretKey)
	for i := range count {
		var wallet struct {
			PrimaryAddress string `json:"primary_address"`
		}
		p.data(t, http.MethodPost, "wallets", strings.Replace(aWallet, "main", fmt.Sprintf("w%d", i), 1), &wallet)
		v.addresses = append(v.addresses, wallet.PrimaryAddress)
	}
	p.stop(t)
	v.recipient = v.keygen(t, "recovery.key").Recipient
	return v
}

// recovery runs a command of ferry wallets recovery.
func (v vaulted) recovery(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	stdout, stderr, code = ferryCommand(t, append([]string{"wallets", "recovery"}, args...)...)
	v.said.WriteString(stdout + stderr)
	return stdout, stderr, code
}

func (v vaulted) keygen(t *testing.T, name string) (made recipientView) {
	t.Helper()
	stdout, stderr, code := v.recovery(t, "keygen", "--out", v.path(name))
	require.Zero(t, code, stderr)
	require.NoError(t, json.Unmarshal([]byte(stdout), &made))
	return made
}

// exported is what export prints.
type exported struct {
	File      string
	Recipient string
	Keys      map[ferry.Env]int
	Failed    []unopenedView
}

func (v vaulted) export(t *testing.T, name string, code int) (done exported, stderr string) {
	t.Helper()
	stdout, stderr, got := v.recovery(t, "export", "--config", v.config, "--recipient", v.recipient, "--out", v.path(name))
	require.Equal(t, code, got, stderr)
	if stdout != "" {
		require.NoError(t, json.Unmarshal([]byte(stdout), &done))
	}
	return done, stderr
}

func (v vaulted) verify(t *testing.T, name, key string, code int) (found verifiedView, stderr string) {
	t.Helper()
	stdout, stderr, got := v.recovery(t, "verify", v.path(name), "--recovery-key", v.path(key))
	require.Equal(t, code, got, stderr)
	if stdout != "" {
		var raw struct {
			Keys     map[ferry.Env]int
			Complete bool
			Damaged  []damageView
		}
		require.NoError(t, json.Unmarshal([]byte(stdout), &raw))
		found = verifiedView{Keys: raw.Keys, Complete: raw.Complete, Damaged: raw.Damaged}
	}
	return found, stderr
}

// reveal returns the private key of an address, as solana-keygen has it.
func (v vaulted) reveal(t *testing.T, name, address string) ed25519.PrivateKey {
	t.Helper()
	out := filepath.Join(t.TempDir(), "wallet.json")
	_, stderr, code := v.recovery(t, "reveal", v.path(name), address, "--recovery-key", v.path("recovery.key"), "--out", out)
	require.Zero(t, code, stderr)
	requireOwnersOnly(t, out)
	read, err := sol.PrivateKeyFromSolanaKeygenFile(out)
	require.NoError(t, err)
	return ed25519.PrivateKey(read)
}

func requireOwnersOnly(t *testing.T, file string) {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestAKeyComesBackFromAnExportAndSignsForItsAddress(t *testing.T) {
	v := newVaulted(t, 2)
	done, _ := v.export(t, "keys", 0)
	require.Equal(t, exported{v.path("keys"), v.recipient, map[ferry.Env]int{ferry.Test: 2, ferry.Live: 0}, []unopenedView{}}, done)
	requireOwnersOnly(t, v.path("keys"))
	requireOwnersOnly(t, v.path("recovery.key"))
	found, _ := v.verify(t, "keys", "recovery.key", 0)
	require.Equal(t, verifiedView{Keys: map[ferry.Env]int{ferry.Test: 2, ferry.Live: 0}, Complete: true, Damaged: []damageView{}}, found)
	for _, address := range v.addresses {
		key := v.reveal(t, "keys", address)
		public := sol.MustPublicKeyFromBase58(address).Bytes()
		require.Equal(t, public, []byte(key[ed25519.SeedSize:]), "the second half is the address")
		message := []byte("a payment")
		require.True(t, ed25519.Verify(public, message, ed25519.Sign(key, message)))
	}
}

func TestNoSecretIsPrintedOrWrittenInPlainByAnExport(t *testing.T) {
	v := newVaulted(t, 2)
	v.export(t, "keys", 0)
	v.verify(t, "keys", "recovery.key", 0)
	v.verify(t, "keys", "kek", 1) // a file of another secret
	v.recovery(t, "exports", "--store", v.store)
	v.recovery(t, "export", "--config", v.config, "--out", v.path("other"), "--recipient", readText(t, v.path("recovery.key")))
	secrets := [][]byte{}
	for _, address := range v.addresses {
		key := v.reveal(t, "keys", address)
		secrets = append(secrets, key, key.Seed())
	}
	_, encoded, _ := strings.Cut(strings.TrimSpace(readText(t, v.path("recovery.key"))), ":")
	secret, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	secrets = append(secrets, secret, []byte(strings.TrimSpace(readText(t, v.path("kek")))))
	v.said.WriteString(readText(t, v.path("keys")) + readText(t, v.path("ferry.db")))
	for _, secret := range secrets {
		require.False(t, canary.Shown(v.said.String(), secret), "a secret shows")
	}
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func TestAnExportIsNotedInTheStoreAndInTheLog(t *testing.T) {
	v := newVaulted(t, 1)
	_, stderr := v.export(t, "first", 0)
	require.Contains(t, stderr, "the keys of addresses were exported")
	require.Contains(t, stderr, v.recipient)
	v.export(t, "second", 0)
	stdout, stderr, code := v.recovery(t, "exports", "--config", v.config)
	require.Zero(t, code, stderr)
	var listed struct {
		Exports []struct{ At, Recipient, File string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &listed))
	require.Len(t, listed.Exports, 2)
	require.Equal(t, []string{v.path("first"), v.path("second")}, []string{listed.Exports[0].File, listed.Exports[1].File})
	require.Equal(t, v.recipient, listed.Exports[0].Recipient)
	require.NotEmpty(t, listed.Exports[0].At)
}

func TestNothingIsWrittenOverAKeyOrAnExport(t *testing.T) {
	v := newVaulted(t, 1)
	v.export(t, "keys", 0)
	before, key := readText(t, v.path("keys")), readText(t, v.path("recovery.key"))
	_, stderr := v.export(t, "keys", 1)
	require.Contains(t, stderr, errSeedExists.Error())
	_, stderr, code := v.recovery(t, "keygen", "--out", v.path("recovery.key"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errSeedExists.Error())
	_, stderr, code = v.recovery(t, "reveal", v.path("keys"), v.addresses[0], "--recovery-key", v.path("recovery.key"), "--out", v.path("keys"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errSeedExists.Error())
	require.Equal(t, before, readText(t, v.path("keys")))
	require.Equal(t, key, readText(t, v.path("recovery.key")))
}

func TestAnExportIsOpenedByItsRecoveryKeyOnly(t *testing.T) {
	v := newVaulted(t, 1)
	v.export(t, "keys", 0)
	v.keygen(t, "other.key")
	_, stderr := v.verify(t, "keys", "other.key", 1)
	require.Contains(t, stderr, recovery.ErrOtherKey.Error())
	require.Contains(t, stderr, v.recipient, "it says which one is needed")
	_, stderr, code := v.recovery(t, "reveal", v.path("keys"), v.addresses[0], "--recovery-key", v.path("other.key"), "--out", v.path("plain"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, recovery.ErrOtherKey.Error())
	require.NoFileExists(t, v.path("plain"))
	_, stderr = v.verify(t, "keys", "keyset", 1)
	require.Contains(t, stderr, recovery.ErrNoKey.Error())
	_, stderr = v.verify(t, "keyset", "recovery.key", 1)
	require.Contains(t, stderr, recovery.ErrNoFile.Error())
	require.NoError(t, os.Chmod(v.path("recovery.key"), 0o644))
	_, stderr = v.verify(t, "keys", "recovery.key", 1)
	require.Contains(t, stderr, "open to everybody")
}

func TestADamagedExportGivesTheKeysThatAreLeft(t *testing.T) {
	v := newVaulted(t, 3)
	v.export(t, "keys", 0)
	lines := strings.SplitAfter(readText(t, v.path("keys")), "\n")
	var lost string
	for _, address := range v.addresses {
		if strings.Contains(lines[2], address) {
			lost = address
		}
	}
	damaged := lines[0] + lines[1] + strings.Replace(lines[2], `"sealed":"`, `"sealed":"AAAA`, 1) + lines[3]
	require.NoError(t, os.WriteFile(v.path("damaged"), []byte(damaged), 0o600))
	found, stderr := v.verify(t, "damaged", "recovery.key", 1)
	require.Contains(t, stderr, errIncomplete.Error())
	require.Equal(t, 2, found.Keys[ferry.Test])
	require.False(t, found.Complete)
	require.Equal(t, []damageView{{3, recovery.ErrDamaged.Error()}}, found.Damaged)
	for _, address := range v.addresses {
		if address != lost {
			v.reveal(t, "damaged", address)
		}
	}
	_, stderr, code := v.recovery(t, "reveal", v.path("damaged"), lost, "--recovery-key", v.path("recovery.key"), "--out", v.path("plain"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errNotInFile.Error())
	require.Contains(t, stderr, errIncomplete.Error())
	require.NoFileExists(t, v.path("plain"))
}

func TestAChangedRowIsNamedAndLeftOutOfAnExport(t *testing.T) {
	v := newVaulted(t, 3)
	db, err := sql.Open("sqlite", v.path("ferry.db"))
	require.NoError(t, err)
	const foreign = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
	for _, statement := range []string{
		"UPDATE addresses SET address = '" + foreign + "' WHERE address = '" + v.addresses[0] + "'",
		"UPDATE address_keys SET sealed = (SELECT sealed FROM address_keys WHERE public_key = '" + v.addresses[0] + "') WHERE public_key = '" + v.addresses[1] + "'",
	} {
		changed, err := db.Exec(statement)
		require.NoError(t, err)
		rows, err := changed.RowsAffected()
		require.NoError(t, err)
		require.Equal(t, int64(1), rows)
	}
	require.NoError(t, db.Close())
	done, stderr := v.export(t, "keys", 1)
	require.Contains(t, stderr, errNotExported.Error())
	require.Len(t, done.Failed, 2)
	problems := done.Failed[0].Problem + done.Failed[1].Problem
	require.Contains(t, problems, "the stored key belongs to another address")
	require.Contains(t, problems, "damaged or out of place")
	found, _ := v.verify(t, "keys", "recovery.key", 0)
	require.Equal(t, 1, found.Keys[ferry.Test])
	v.reveal(t, "keys", v.addresses[2])
	_, stderr, code := v.recovery(t, "reveal", v.path("keys"), foreign, "--recovery-key", v.path("recovery.key"), "--out", v.path("plain"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errNotInFile.Error())
	require.NotContains(t, stderr, errIncomplete.Error(), "the file is whole")
}

func TestAnExportThatFailsLeavesNoFile(t *testing.T) {
	v := newVaulted(t, 1)
	p := v.serve(t, "")
	_, stderr := v.export(t, "keys", 1)
	require.Contains(t, stderr, "in use by another process")
	p.stop(t)
	require.NoFileExists(t, v.path("keys"))

	_, stderr, code := v.recovery(t, "export", "--config", v.config, "--recipient", "hunter2", "--out", v.path("keys"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, recovery.ErrNoRecipient.Error())
	require.NotContains(t, stderr, "hunter2")
	_, stderr, code = v.recovery(t, "export", "--config", v.config, "--recipient", v.recipient, "--out", v.path("no/keys"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "make it first")

	require.NoError(t, os.Remove(v.path("kek")))
	require.NoError(t, tinkseal.CreateKEK(v.path("kek")))
	_, stderr = v.export(t, "keys", 1)
	require.Contains(t, stderr, tinkseal.ErrWrongKEK.Error())
	require.NoFileExists(t, v.path("keys"))
}

func TestABackupIsExportedWhileTheServerRuns(t *testing.T) {
	v := newVaulted(t, 2)
	text, err := os.ReadFile(v.path("ferry.db"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(v.path("backup.db"), text, 0o600))
	p := v.serve(t, "") // which has the store itself
	defer p.stop(t)
	stdout, stderr, code := v.recovery(t, "export", "--store", "sqlite:"+v.path("backup.db"), "--keyset", v.path("keyset"), "--kek-file", v.path("kek"),
		"--recipient", v.recipient, "--out", v.path("keys"))
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, `"test": 2`)
	found, _ := v.verify(t, "keys", "recovery.key", 0)
	require.True(t, found.Complete)
}

func TestAStoreGetsTheAddressesBackThatItsBackupLacks(t *testing.T) {
	v := vaulted{site: newSite(t), said: &strings.Builder{}}
	shop := v.createBusiness(t)
	v.recipient = v.keygen(t, "recovery.key").Recipient
	wallet := func(p process, reference string) (made struct {
		ID             string
		PrimaryAddress string `json:"primary_address"`
	}) {
		p.data(t, http.MethodPost, "wallets", strings.Replace(aWallet, "main", reference, 1), &made)
		return made
	}
	p := v.serve(t, shop.SecretKey)
	kept := wallet(p, "kept")
	p.stop(t)
	backup := readText(t, v.path("ferry.db"))
	p = v.serve(t, shop.SecretKey)
	var lost struct{ ID, Address string }
	p.data(t, http.MethodPost, "wallets/"+kept.ID+"/addresses", `{"network":"solana"}`, &lost)
	younger := wallet(p, "younger") // than the backup
	p.stop(t)
	v.export(t, "keys", 0)

	require.NoError(t, os.WriteFile(v.path("ferry.db"), []byte(backup), 0o600))
	restore := func(code int) (done struct {
		Restored []recovery.Entry
		There    int
		Refused  []refusedView
	}) {
		stdout, stderr, got := v.recovery(t, "restore", v.path("keys"), "--recovery-key", v.path("recovery.key"), "--config", v.config)
		require.Equal(t, code, got, stderr)
		require.Contains(t, stderr, errRefused.Error())
		require.NoError(t, json.Unmarshal([]byte(stdout), &done))
		return done
	}
	done := restore(1)
	require.Len(t, done.Restored, 1)
	require.Equal(t, lost.ID, string(done.Restored[0].ID))
	require.Equal(t, lost.Address, string(done.Restored[0].Address))
	require.Equal(t, 1, done.There)
	require.Len(t, done.Refused, 1)
	require.Equal(t, younger.ID, string(done.Refused[0].Wallet))
	require.Equal(t, wallets.ErrUnknownWallet.Error(), done.Refused[0].Problem)
	v.reveal(t, "keys", younger.PrimaryAddress)
	require.Equal(t, 2, restore(1).There, "a second run changes nothing")

	p = v.serve(t, shop.SecretKey)
	defer p.stop(t)
	var again struct{ ID, Address string }
	p.data(t, http.MethodGet, "wallets/addresses?id="+lost.ID, "", &again)
	require.Equal(t, lost, again)
}
