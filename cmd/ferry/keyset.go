package main

import (
	"fmt"
	"os"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/seal/tinkseal"
)

// kek returns the key that the keyset is encrypted under.
func (k keysetConfig) kek() (tinkseal.KEK, error) {
	name, open, at := "KEK of the environment", tinkseal.EnvKEK, k.KEKEnv
	if k.KEKFile != "" {
		name, open, at = "KEK file", tinkseal.FileKEK, k.KEKFile
	}
	kek, err := open(at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return kek, nil
}

// load returns the keys of the keyset.
func (k keysetConfig) load() (keys, error) {
	set, err := k.open()
	if err != nil {
		return keys{}, err
	}
	return keys{set, business.Pepper(set.Pepper())}, nil
}

func (k keysetConfig) open() (*tinkseal.Keyset, error) {
	kek, err := k.kek()
	if err != nil {
		return nil, err
	}
	set, err := tinkseal.Load(k.File, kek)
	if err != nil {
		return nil, fmt.Errorf("keyset file: %w", err)
	}
	return set, nil
}

// keysetCommand looks after the file of a keyset. No server needs to stop.
type keysetCommand struct {
	Kek    createKEKCommand    `cmd:"" help:"Make a key that encrypts keysets (a KEK), in a new file."`
	Create createKeysetCommand `cmd:"" help:"Make a keyset, in a new file."`
	List   listKeysetCommand   `cmd:"" help:"List the keys of a keyset by their ids."`
	Rotate rotateKeysetCommand `cmd:"" help:"Add a key that seals from now on; the others go on opening. Then: ferry keys rewrap."`
	Drop   dropKeyCommand      `cmd:"" help:"Remove an old key that nothing is sealed under."`
	ReKek  changeKEKCommand    `cmd:"" name:"change-kek" help:"Encrypt the same keys under another KEK."`
}

// keysetChoice names a keyset.
type keysetChoice struct {
	Config string       `help:"Configuration of ferry serve, which names the keyset." placeholder:"FILE"`
	Keyset keysetConfig `embed:""`
}

// chosen returns the keyset that is meant.
func (c keysetChoice) chosen() (keysetConfig, error) {
	if c.Config == "" {
		return c.Keyset, c.Keyset.checkFlags()
	}
	if c.Keyset != (keysetConfig{}) {
		return keysetConfig{}, errTwice
	}
	config, err := readConfig(c.Config)
	return config.Keyset, err
}

// change opens the KEK of the chosen keyset for work on its file.
func (c keysetChoice) change(work func(file string, kek tinkseal.KEK) error) error {
	chosen, err := c.chosen()
	if err != nil {
		return err
	}
	kek, err := chosen.kek()
	if err != nil {
		return err
	}
	return work(chosen.File, kek)
}

type createKEKCommand struct {
	File string `arg:"" help:"The new file."`
}

// Run makes a KEK.
func (c createKEKCommand) Run() error {
	if err := inDirectory(c.File); err != nil {
		return err
	}
	return tinkseal.CreateKEK(c.File)
}

type createKeysetCommand struct{ keysetChoice }

// Run makes a keyset.
func (c createKeysetCommand) Run() error {
	return c.change(func(file string, kek tinkseal.KEK) error {
		if err := inDirectory(file); err != nil {
			return err
		}
		return tinkseal.Create(file, kek)
	})
}

type rotateKeysetCommand struct{ keysetChoice }

// Run adds a key and prints the keys.
func (c rotateKeysetCommand) Run() error {
	if err := c.change(tinkseal.Rotate); err != nil {
		return err
	}
	return listKeysetCommand(c).Run()
}

type listKeysetCommand struct{ keysetChoice }

// sealingKey is a key of a keyset, as it is printed.
type sealingKey struct {
	ID      string `json:"id"`
	Primary bool   `json:"primary"`
	Status  string `json:"status"`
}

// Run prints the keys, oldest first.
func (c listKeysetCommand) Run() error {
	chosen, err := c.chosen()
	if err != nil {
		return err
	}
	return chosen.printKeys()
}

func (k keysetConfig) printKeys() error {
	set, err := k.open()
	if err != nil {
		return err
	}
	listed := []sealingKey{}
	for _, key := range set.Keys() {
		listed = append(listed, sealingKey(key))
	}
	return printJSON(os.Stdout, listed)
}

type changeKEKCommand struct {
	keysetChoice
	NewKEKFile string `name:"new-kek-file" help:"File of the KEK to encrypt under." placeholder:"FILE"`
	NewKEKEnv  string `name:"new-kek-env" help:"Variable of the environment with the KEK to encrypt under." placeholder:"NAME"`
}

// Run encrypts the keyset under another KEK.
func (c changeKEKCommand) Run() error {
	if err := oneOf("--new-kek-file and --new-kek-env", c.NewKEKFile, c.NewKEKEnv); err != nil {
		return err
	}
	to, err := keysetConfig{KEKFile: c.NewKEKFile, KEKEnv: c.NewKEKEnv}.kek()
	if err != nil {
		return err
	}
	return c.change(func(file string, from tinkseal.KEK) error { return tinkseal.ChangeKEK(file, from, to) })
}
