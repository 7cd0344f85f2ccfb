package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

// mnemonicChoice names a mnemonic and the account of it. No secret is an argument, because the
// arguments of a process are shown to everybody on the machine.
type mnemonicChoice struct {
	FromMnemonic   string `help:"Derive the key from the words in this file, or from standard input with -." placeholder:"FILE"`
	PassphraseFile string `help:"With --from-mnemonic: the file of its BIP-39 passphrase. The end of its last line does not count." placeholder:"FILE"`
	Account        uint32 `help:"With --from-mnemonic: the account n of the path m/44'/501'/n'/0'." placeholder:"N"`
}

var (
	errNoMnemonic = errors.New("--passphrase-file and --account go with --from-mnemonic")
	errTyped      = errors.New("a terminal shows what is typed: give --from-mnemonic a file, or - and a pipe")
	errTooLong    = errors.New("is too long for a mnemonic or a passphrase")
)

func (c mnemonicChoice) check() error {
	return onlyIf(c.FromMnemonic == "" && (c.PassphraseFile != "" || c.Account != 0), errNoMnemonic)
}

// seed derives the seed of the account.
func (c mnemonicChoice) seed(stdin *os.File) (chain.Seed, error) {
	words, err := c.words(stdin)
	defer clear(words)
	if err != nil {
		return chain.Seed{}, err
	}
	passphrase, err := c.passphrase()
	defer clear(passphrase)
	if err != nil {
		return chain.Seed{}, err
	}
	return solana.SeedOfMnemonic(string(words), strings.TrimRight(string(passphrase), "\r\n"), c.Account)
}

func (c mnemonicChoice) words(stdin *os.File) ([]byte, error) {
	if c.FromMnemonic != "-" {
		return readSecret(c.FromMnemonic)
	}
	if info, err := stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil, errors.Join(err, errTyped)
	}
	return readAtMost(stdin, "standard input")
}

func (c mnemonicChoice) passphrase() ([]byte, error) {
	if c.PassphraseFile == "" {
		return nil, nil
	}
	return readSecret(c.PassphraseFile)
}

// readSecret reads a short file that only its owner and group may read.
func readSecret(name string) ([]byte, error) {
	if err := private(name); err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	return readAtMost(file, name)
}

// maxSecret is more than any mnemonic or passphrase has, in bytes.
const maxSecret = 4 << 10

// readAtMost reads a short text without leaving copies of it in memory.
func readAtMost(r io.Reader, place string) ([]byte, error) {
	text := make([]byte, maxSecret)
	n, err := io.ReadFull(r, text)
	switch {
	case err == nil:
		clear(text)
		return nil, fmt.Errorf("%s %w", place, errTooLong)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return text[:n], nil
	}
	clear(text)
	return nil, err
}
