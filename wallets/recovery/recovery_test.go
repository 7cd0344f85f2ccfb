package recovery_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/hpke"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/canary"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/recovery"
)

var madeAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newKey(t *testing.T) recovery.Key {
	t.Helper()
	key, err := recovery.NewKey()
	require.NoError(t, err)
	return key
}

// textOf is a recovery key as it is kept.
func textOf(t *testing.T, key recovery.Key) (text string) {
	t.Helper()
	require.NoError(t, key.Keep(func(line []byte) error {
		text = string(line)
		return nil
	}))
	return text
}

// wallet is an address and its key.
type wallet struct {
	entry recovery.Entry
	plain []byte
	seed  chain.Seed
}

func newWallet(t *testing.T, n int) wallet {
	t.Helper()
	w := wallet{plain: make([]byte, ed25519.SeedSize)}
	_, err := rand.Read(w.plain)
	require.NoError(t, err)
	w.seed, err = chain.OpenSeed(w.plain)
	require.NoError(t, err)
	w.entry = recovery.EntryOf(wallets.Address{
		ID: wallets.AddressID(fmt.Sprintf("addr_%d", n)), Wallet: "wal_1",
		Scope: ferry.Scope{Business: "biz_1", Env: ferry.Live}, Address: w.seed.Address(),
	})
	return w
}

func newWallets(t *testing.T, n int) (all []wallet) {
	t.Helper()
	for i := range n {
		all = append(all, newWallet(t, i))
	}
	return all
}

// written is the file of some wallets.
func written(t *testing.T, to recovery.Recipient, all []wallet) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := recovery.NewWriter(&file, to, madeAt)
	require.NoError(t, err)
	for _, a := range all {
		require.NoError(t, w.Add(a.entry, a.seed))
	}
	require.NoError(t, w.Close())
	return file.Bytes()
}

// read returns the entries that open, after each was found to be the key of its address.
func read(t *testing.T, file []byte, key recovery.Key) (entries []recovery.Entry, found recovery.Contents, err error) {
	t.Helper()
	found, err = recovery.Read(bytes.NewReader(file), key, func(e recovery.Entry, seed chain.Seed) error {
		require.Equal(t, e.Address, seed.Address())
		entries = append(entries, e)
		return nil
	})
	return entries, found, err
}

func entriesOf(all []wallet) (entries []recovery.Entry) {
	for _, w := range all {
		entries = append(entries, w.entry)
	}
	return entries
}

func TestTheKeysOfAFileAreThoseThatWereWritten(t *testing.T) {
	key, all := newKey(t), newWallets(t, 3)
	file := written(t, key.Recipient(), all)
	again, err := recovery.ParseKey(textOf(t, key)) // as after years in a safe
	require.NoError(t, err)
	entries, found, err := read(t, file, again)
	require.NoError(t, err)
	require.Equal(t, entriesOf(all), entries)
	require.Equal(t, recovery.Contents{MadeAt: madeAt, Recipient: key.Recipient().String(), Keys: 3, Complete: true}, found)

	message := []byte("a payment")
	_, err = recovery.Read(bytes.NewReader(file), key, func(e recovery.Entry, seed chain.Seed) error {
		signature, err := chain.NewKeyring(seed).Sign(e.Address, message)
		require.NoError(t, err)
		at := entriesIndex(all, e)
		require.True(t, ed25519.Verify(ed25519.NewKeyFromSeed(all[at].plain).Public().(ed25519.PublicKey), message, signature))
		return nil
	})
	require.NoError(t, err)
}

func entriesIndex(all []wallet, e recovery.Entry) int {
	for i, w := range all {
		if w.entry == e {
			return i
		}
	}
	return -1
}

func TestAFileOfNoKeysIsComplete(t *testing.T) {
	key := newKey(t)
	entries, found, err := read(t, written(t, key.Recipient(), nil), key)
	require.NoError(t, err)
	require.Empty(t, entries)
	require.True(t, found.Complete)
}

func TestAKeyOfAnotherAddressIsNotWritten(t *testing.T) {
	all := newWallets(t, 2)
	var file bytes.Buffer
	w, err := recovery.NewWriter(&file, newKey(t).Recipient(), madeAt)
	require.NoError(t, err)
	before := file.Len()
	require.ErrorIs(t, w.Add(all[0].entry, all[1].seed), recovery.ErrWrongAddress)
	require.ErrorIs(t, w.Add(all[0].entry, chain.Seed{}), recovery.ErrWrongAddress)
	require.ErrorIs(t, w.Add(recovery.Entry{}, chain.Seed{}), chain.ErrNoSeed)
	require.Equal(t, before, file.Len())
}

func TestAnotherRecoveryKeyOpensNothing(t *testing.T) {
	key := newKey(t)
	entries, _, err := read(t, written(t, key.Recipient(), newWallets(t, 2)), newKey(t))
	require.ErrorIs(t, err, recovery.ErrOtherKey)
	require.ErrorContains(t, err, key.Recipient().String(), "it says which one is needed")
	require.Empty(t, entries)
}

func TestADamagedLineCostsOneKey(t *testing.T) {
	key, all := newKey(t), newWallets(t, 3)
	lines := bytes.SplitAfter(written(t, key.Recipient(), all), []byte("\n"))
	for name, damage := range map[string]func(line []byte) []byte{
		"a bit of the sealed key": func(line []byte) []byte {
			return bytes.Replace(line, []byte(`"sealed":"`), []byte(`"sealed":"AAAA`), 1)
		},
		"the address": func(line []byte) []byte {
			return bytes.Replace(line, []byte(all[1].entry.Address), []byte(all[0].entry.Address), 1)
		},
		"the wallet":       func(line []byte) []byte { return bytes.Replace(line, []byte("wal_1"), []byte("wal_2"), 1) },
		"the environment":  func(line []byte) []byte { return bytes.Replace(line, []byte("live"), []byte("test"), 1) },
		"no JSON any more": func(line []byte) []byte { return line[1:] },
		"no key":           func([]byte) []byte { return []byte("{}\n") },
	} {
		changed := bytes.Clone(damage(bytes.Clone(lines[2])))
		require.NotEqual(t, lines[2], changed, name)
		file := bytes.Join([][]byte{lines[0], lines[1], changed, lines[3], lines[4]}, nil)
		entries, found, err := read(t, file, key)
		require.NoError(t, err, name)
		require.Equal(t, []recovery.Entry{all[0].entry, all[2].entry}, entries, name)
		require.Len(t, found.Damaged, 1, name)
		require.Equal(t, 3, found.Damaged[0].Line, name)
		require.ErrorIs(t, found.Damaged[0].Err, recovery.ErrDamaged, name)
		require.True(t, found.Complete, name)
	}
}

func TestADamagedHeaderCostsNoKey(t *testing.T) {
	key, all := newKey(t), newWallets(t, 2)
	file := written(t, key.Recipient(), all)
	file[2] ^= 1
	entries, found, err := read(t, file, key)
	require.NoError(t, err)
	require.Equal(t, entriesOf(all), entries)
	require.Equal(t, 1, found.Damaged[0].Line)
	// Nor does one that names another recipient.
	other := bytes.Replace(written(t, key.Recipient(), all), []byte(key.Recipient().String()), []byte(newKey(t).Recipient().String()), 1)
	entries, _, err = read(t, other, key)
	require.NoError(t, err)
	require.Equal(t, entriesOf(all), entries)
}

func TestAFileThatWasCutOffIsNotComplete(t *testing.T) {
	key, all := newKey(t), newWallets(t, 3)
	file := written(t, key.Recipient(), all)
	lines := bytes.SplitAfter(file, []byte("\n"))
	for name, part := range map[string][][]byte{
		"without its end":    {lines[0], lines[1], lines[2], lines[3]},
		"without a line":     {lines[0], lines[1], lines[3], lines[4]},
		"within a line":      {lines[0], lines[1], lines[2][:40]},
		"with a line twice":  {lines[0], lines[1], lines[1], lines[2], lines[3], lines[4]},
		"with nothing in it": {lines[0]},
	} {
		_, found, err := read(t, bytes.Join(part, nil), key)
		require.NoError(t, err, name)
		require.False(t, found.Complete, name)
	}
}

func TestWhatIsNoFileOfKeysIsRefused(t *testing.T) {
	key := newKey(t)
	for name, text := range map[string]string{
		"empty":       "",
		"other text":  "hunter2\nhunter2\n",
		"other JSON":  `{"format":"something else"}`,
		"a huge line": strings.Repeat("x", 1<<20),
	} {
		_, _, err := read(t, []byte(text), key)
		require.ErrorIs(t, err, recovery.ErrNoFile, name)
		require.NotContains(t, err.Error(), "hunter2")
	}
	broken := errors.New("the disk is broken")
	_, err := recovery.Read(iotest.ErrReader(broken), key, nil)
	require.ErrorIs(t, err, broken)
	_, err = recovery.Read(strings.NewReader(""), recovery.Key{}, nil)
	require.ErrorIs(t, err, recovery.ErrNoKey)
}

// TestAKeyThatSomebodyPutBesideAnotherAddressIsNotYielded forges a line as everybody can who knows
// the recipient.
func TestAKeyThatSomebodyPutBesideAnotherAddressIsNotYielded(t *testing.T) {
	key, all := newKey(t), newWallets(t, 2)
	encoded, _ := strings.CutPrefix(key.Recipient().String(), "recovery-public:")
	plain, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	public, err := hpke.DHKEM(ecdh.X25519()).NewPublicKey(plain)
	require.NoError(t, err)
	e := all[0].entry
	of := seal.Context{Purpose: "wallets.recovery", Env: "live", Version: 1, Owner: "biz_1/wal_1/addr_0/" + string(e.Address)}
	sealed, err := hpke.Seal(public, hpke.HKDFSHA256(), hpke.AES256GCM(), of.Bytes(), all[1].plain)
	require.NoError(t, err)
	var forged struct {
		recovery.Entry

		Sealed []byte `json:"sealed"`
	}
	forged.Entry, forged.Sealed = e, sealed
	line, err := json.Marshal(forged)
	require.NoError(t, err)
	entries, found, err := read(t, append(written(t, key.Recipient(), all[1:]), append(line, '\n')...), key)
	require.NoError(t, err)
	require.Equal(t, entriesOf(all[1:]), entries)
	require.ErrorIs(t, found.Damaged[0].Err, recovery.ErrWrongAddress)
}

func TestATextThatIsNoKeyIsRefusedWithoutShowingIt(t *testing.T) {
	key := newKey(t)
	secret, public := textOf(t, key), key.Recipient().String()
	for _, wrong := range []string{"", "hunter2", public, strings.TrimPrefix(secret, "recovery-secret:"), "recovery-secret:hunter2", "recovery-secret:" + base64.StdEncoding.EncodeToString([]byte("hunter2"))} {
		_, err := recovery.ParseKey(wrong)
		require.ErrorIs(t, err, recovery.ErrNoKey)
		require.NotContains(t, err.Error(), "hunter2")
	}
	for _, wrong := range []string{"", "hunter2", secret, strings.TrimPrefix(public, "recovery-public:"), "recovery-public:hunter2", "recovery-public:" + base64.StdEncoding.EncodeToString([]byte("hunter2"))} {
		_, err := recovery.ParseRecipient(wrong)
		require.ErrorIs(t, err, recovery.ErrNoRecipient)
		require.NotContains(t, err.Error(), strings.TrimPrefix(strings.TrimSpace(secret), "recovery-secret:"))
	}
	_, err := recovery.NewWriter(&bytes.Buffer{}, recovery.Recipient{}, madeAt)
	require.ErrorIs(t, err, recovery.ErrNoRecipient)
	require.ErrorIs(t, recovery.Key{}.Keep(func([]byte) error { return nil }), recovery.ErrNoKey)
}

func TestNoSecretIsInAFileNorIsAKeyEverPrinted(t *testing.T) {
	key, all := newKey(t), newWallets(t, 2)
	var shown strings.Builder
	shown.Write(written(t, key.Recipient(), all))
	for _, verb := range []string{"%s", "%v", "%+v", "%#v", "%q", "%x"} {
		fmt.Fprintf(&shown, verb, key)
		fmt.Fprintf(&shown, verb, struct{ K recovery.Key }{key})
	}
	text, err := json.Marshal(struct{ K recovery.Key }{key})
	require.NoError(t, err)
	shown.Write(text)
	slog.New(slog.NewTextHandler(&shown, nil)).Info("x", "key", key)
	slog.New(slog.NewJSONHandler(&shown, nil)).Info("x", "key", key)

	require.Equal(t, "[redacted]", fmt.Sprint(key))
	require.True(t, strings.HasSuffix(textOf(t, key), "\n"), "it is kept as a line")

	encoded := strings.TrimPrefix(strings.TrimSpace(textOf(t, key)), "recovery-secret:")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	for _, secret := range [][]byte{raw, all[0].plain, all[1].plain} {
		require.False(t, canary.Shown(shown.String(), secret), "a secret shows")
	}
}

func TestAReaderIsStoppedByWhoReads(t *testing.T) {
	key, enough := newKey(t), errors.New("enough")
	seen := 0
	found, err := recovery.Read(bytes.NewReader(written(t, key.Recipient(), newWallets(t, 3))), key, func(recovery.Entry, chain.Seed) error {
		seen++
		return enough
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, seen)
	require.Equal(t, 1, found.Keys, "the one that was yielded counts")
}
