package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/ferrypay/ferry/provider/chain"
)

var (
	errNoSeed     = errors.New("holds no seed: 32 bytes in base64, as ferry chain keygen writes them")
	errSeedExists = errors.New("there is a file of that name already, which may be a key with money on it: it is left alone")
)

// parseSeed returns the seed of a fee payer from its text. Errors name the place, never the text.
func parseSeed(text, place string) (chain.Seed, error) {
	plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	defer clear(plain)
	if err != nil { // it would show a part of the seed
		return chain.Seed{}, fmt.Errorf("%s %w", place, errNoSeed)
	}
	seed, err := chain.OpenSeed(plain)
	if err != nil {
		return chain.Seed{}, fmt.Errorf("%s %w", place, errNoSeed)
	}
	return seed, nil
}

// readSeed returns the seed in a file, which only its owner and group may read.
func readSeed(file string) (chain.Seed, error) {
	text, err := readPrivate(file)
	if err != nil {
		return chain.Seed{}, err
	}
	defer clear(text)
	return parseSeed(string(text), file)
}

// createSeed writes a fresh seed to a new file that only its owner may read.
func createSeed(file string) (chain.Seed, error) {
	seed, err := chain.NewSeed(rand.Reader)
	if err != nil {
		return chain.Seed{}, err
	}
	return seed, writeSeed(file, seed)
}

// writeSeed writes a seed to a new file that only its owner may read.
func writeSeed(file string, seed chain.Seed) error {
	if err := inDirectory(file); err != nil {
		return err
	}
	_, err := seed.Seal(func(plain []byte) ([]byte, error) {
		text := append(base64.StdEncoding.AppendEncode(nil, plain), '\n')
		defer clear(text)
		return nil, writeNew(file, text)
	})
	return err
}

// createNew opens a file that must not be there, and that only its owner may read.
func createNew(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s: %w", file, errSeedExists)
	}
	return f, err
}

// writeNew writes a file that must not be there, and returns when the disk has it.
func writeNew(file string, text []byte) error {
	f, err := createNew(file)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
