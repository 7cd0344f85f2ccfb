package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

// published is a mnemonic whose addresses are in the Solana cookbook.
const published = "neither lonely flavor argue grass remind eye tag avocado spot unusual intact"

// derived runs ferry chain keygen with words on its standard input.
func derived(t *testing.T, stdin string, args ...string) (file, stdout, stderr string, code int) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "fee-payer")
	cmd := exec.CommandContext(t.Context(), binary, append([]string{"chain", "keygen", "--out", file}, args...)...)
	var out, errs strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return file, out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestAFeePayerIsDerivedFromAMnemonic(t *testing.T) {
	words := written(t, strings.ReplaceAll(published, " ", "\n"))
	passphrase := written(t, "hunter2\n")
	secret, err := solana.SeedOfMnemonic(published, "hunter2", 7)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		stdin string
		args  []string
		want  chain.Address
	}{
		"a file":         {"", []string{"--from-mnemonic", words}, "5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N"},
		"standard input": {published + "\n", []string{"--from-mnemonic", "-"}, "5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N"},
		"an account":     {"", []string{"--from-mnemonic", words, "--account", "1"}, "GcXbfQ5yY3uxCyBNDPBbR5FjumHf89E7YHXuULfGDBBv"},
		"a passphrase":   {"", []string{"--from-mnemonic", words, "--account", "7", "--passphrase-file", passphrase}, secret.Address()},
	} {
		file, stdout, stderr, code := derived(t, c.stdin, c.args...)
		require.Zero(t, code, stderr)
		var made feePayerView
		require.NoError(t, json.Unmarshal([]byte(stdout), &made))
		require.Equal(t, c.want, made.Address, name)
		seed, err := readSeed(file)
		require.NoError(t, err)
		require.Equal(t, c.want, seed.Address(), name)
		requireHidden(t, stdout+stderr)
		require.NotContains(t, stdout+stderr, strings.TrimSpace(readText(t, file)))
	}
}

// requireHidden requires that a text shows no word of the mnemonic.
func requireHidden(t *testing.T, text string) {
	t.Helper()
	for _, word := range []string{"lonely", "avocado", "intact", "hunter2"} {
		require.NotContains(t, text, word)
	}
}

func TestAMnemonicThatCannotBeReadIsRefusedWithoutShowingIt(t *testing.T) {
	wrong := strings.Replace(published, "intact", "avocado", 1)
	open := written(t, published)
	require.NoError(t, os.Chmod(open, 0o644))
	for name, c := range map[string]struct {
		stdin string
		args  []string
		want  string
	}{
		"a wrong checksum":     {wrong, []string{"--from-mnemonic", "-"}, solana.ErrMnemonic.Error()},
		"nothing":              {"", []string{"--from-mnemonic", "-"}, solana.ErrMnemonic.Error()},
		"too much":             {strings.Repeat(published+" ", 100), []string{"--from-mnemonic", "-"}, errTooLong.Error()},
		"an open file":         {"", []string{"--from-mnemonic", open}, "open to everybody"},
		"no file":              {"", []string{"--from-mnemonic", open + "x"}, "no such file"},
		"an account too high":  {published, []string{"--from-mnemonic", "-", "--account", "2147483648"}, solana.ErrAccount.Error()},
		"an account alone":     {"", []string{"--account", "1"}, errNoMnemonic.Error()},
		"a passphrase alone":   {"", []string{"--passphrase-file", open}, errNoMnemonic.Error()},
		"an open passphrase":   {published, []string{"--from-mnemonic", "-", "--passphrase-file", open}, "open to everybody"},
		"words as an argument": {"", []string{"--from-mnemonic", "-", published}, "unexpected argument"},
	} {
		file, stdout, stderr, code := derived(t, c.stdin, c.args...)
		require.NotZero(t, code, name)
		require.Contains(t, stderr, c.want, name)
		require.NoFileExists(t, file, name)
		if name != "words as an argument" { // the shell has them already
			requireHidden(t, stdout+stderr)
		}
	}
	_, err := mnemonicChoice{FromMnemonic: "-"}.seed(opened(t, os.DevNull))
	require.ErrorIs(t, err, errTyped, "a terminal is such a device, too")
}

func opened(t *testing.T, file string) *os.File {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}
