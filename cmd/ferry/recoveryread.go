package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets/recovery"
)

// exportedChoice names a file of exported keys, and the recovery key that opens it.
type exportedChoice struct {
	File        string `arg:"" help:"The file, as export wrote it."`
	RecoveryKey string `required:"" help:"The file of the recovery key, as keygen wrote it." placeholder:"FILE"`
}

var (
	errIncomplete = errors.New("the file is damaged or was cut off: some keys are missing from it")
	errNotInFile  = errors.New("no key of that address opens in the file")
)

// read yields the keys of the file.
func (c exportedChoice) read(yield func(recovery.Entry, chain.Seed) error) (found recovery.Contents, err error) {
	if err := disableCoreDumps(); err != nil {
		return found, err
	}
	text, err := readPrivate(c.RecoveryKey)
	if err != nil {
		return found, err
	}
	defer clear(text)
	key, err := recovery.ParseKey(string(text))
	if err != nil {
		return found, fmt.Errorf("%s: %w", c.RecoveryKey, err)
	}
	file, err := os.Open(c.File)
	if err != nil {
		return found, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	found, err = recovery.Read(file, key, yield)
	if err != nil {
		err = fmt.Errorf("%s: %w", c.File, err)
	}
	return found, err
}

// damageView is a line of a file that does not open, as it is printed.
type damageView struct {
	Line    int    `json:"line"`
	Problem string `json:"problem"`
}

func viewDamage(found recovery.Contents) []damageView {
	views := []damageView{}
	for _, d := range found.Damaged {
		views = append(views, damageView{d.Line, d.Err.Error()})
	}
	return views
}

// whole returns an error when keys of a file are missing.
func whole(found recovery.Contents) error {
	return onlyIf(len(found.Damaged) > 0 || !found.Complete, errIncomplete)
}

type recoveryVerifyCommand struct{ exportedChoice }

// verifiedView is what a file holds, as it is printed.
type verifiedView struct {
	MadeAt   wire.OptionalTime `json:"made_at"`
	Keys     map[ferry.Env]int `json:"keys"`
	Complete bool              `json:"complete"`
	Damaged  []damageView      `json:"damaged"`
}

// Run opens every key and prints how many there are.
func (c recoveryVerifyCommand) Run() error {
	keys := map[ferry.Env]int{}
	for _, env := range environments {
		keys[env] = 0
	}
	found, err := c.read(func(e recovery.Entry, _ chain.Seed) error {
		keys[e.Environment]++
		return nil
	})
	if err != nil {
		return err
	}
	return errors.Join(printJSON(os.Stdout, verifiedView{wire.OptionalTime(found.MadeAt), keys, found.Complete, viewDamage(found)}), whole(found))
}

type recoveryRevealCommand struct {
	exportedChoice

	Address string `arg:"" help:"The address."`
	Out     string `required:"" help:"The new file, for solana-keygen and wallets: 64 numbers in JSON. Who reads it has the money." placeholder:"FILE"`
}

// revealedView says whose key was written, as it is printed.
type revealedView struct {
	recovery.Entry

	File string `json:"file"`
}

// errFound ends the reading of a file.
var errFound = errors.New("found")

// Run writes the key of an address in plain.
func (c recoveryRevealCommand) Run() error {
	address, err := chain.ParseAddress(c.Address)
	if err != nil {
		return fmt.Errorf("%q: %w", c.Address, err)
	}
	if err := inDirectory(c.Out); err != nil {
		return err
	}
	var at recovery.Entry
	found, err := c.read(func(e recovery.Entry, seed chain.Seed) error {
		if e.Address != address {
			return nil
		}
		if err := writeSolanaKey(c.Out, seed); err != nil {
			return err
		}
		at = e
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return printJSON(os.Stdout, revealedView{at, c.Out})
	case err != nil:
		return err
	}
	return errors.Join(fmt.Errorf("%s: %w", address, errNotInFile), whole(found))
}

// writeSolanaKey writes a key to a new file as solana-keygen does: seed and public key, 64 numbers.
func writeSolanaKey(file string, seed chain.Seed) error {
	_, err := seed.Seal(func(plain []byte) ([]byte, error) {
		key := ed25519.NewKeyFromSeed(plain)
		defer clear(key)
		text := make([]byte, 0, len("255,")*len(key)+len("[]"))
		defer func() { clear(text[:cap(text)]) }()
		for i, b := range key {
			text = append(text, "[,"[min(i, 1)])
			text = strconv.AppendUint(text, uint64(b), 10)
		}
		text = append(text, ']')
		return nil, writeNew(file, text)
	})
	return err
}
