package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/recovery"
)

type recoveryCommand struct {
	Keygen  recoveryKeygenCommand  `cmd:"" help:"Make a recovery key, in a new file, and print its recipient. On a machine that is no server."`
	Export  recoveryExportCommand  `cmd:"" help:"Write the keys of all addresses of a store to a new file that only a recovery key opens."`
	Exports recoveryExportsCommand `cmd:"" help:"List when the keys of a store were exported, and for which recipient."`
	Verify  recoveryVerifyCommand  `cmd:"" help:"Open a file of export, and compare each key with its address. Prints no key."`
	Reveal  recoveryRevealCommand  `cmd:"" help:"Write the key of one address to a new file, in plain, as Solana wallets take it."`
	Restore recoveryRestoreCommand `cmd:"" help:"Give a store that was restored from a backup the addresses that it lacks. May run twice."`
}

type recoveryKeygenCommand struct {
	Out string `required:"" help:"The new file. Only its owner may read it. Without it nobody opens what is exported." placeholder:"FILE"`
}

// recipientView is a new recovery key, as it is printed.
type recipientView struct {
	Recipient string `json:"recipient"`
	File      string `json:"file"`
}

// Run makes a recovery key and prints its public half.
func (c recoveryKeygenCommand) Run() error {
	if err := errors.Join(disableCoreDumps(), inDirectory(c.Out)); err != nil {
		return err
	}
	key, err := recovery.NewKey()
	if err != nil {
		return err
	}
	if err := key.Keep(func(text []byte) error { return writeNew(c.Out, text) }); err != nil {
		return err
	}
	return printJSON(os.Stdout, recipientView{key.Recipient().String(), c.Out})
}

type recoveryExportCommand struct {
	sealedChoice

	Recipient string `required:"" help:"Whom the keys are encrypted for: what keygen prints. It is no secret." placeholder:"recovery-public:…"`
	Out       string `required:"" help:"The new file. Only its owner may read it." placeholder:"FILE"`
}

// exportView is what an export did, as it is printed.
type exportView struct {
	File      string            `json:"file"`
	Recipient string            `json:"recipient"`
	At        wire.OptionalTime `json:"at"`
	Keys      map[ferry.Env]int `json:"keys"`
	Failed    []unopenedView    `json:"failed"`
}

var errNotExported = errors.New("some keys are not those of their addresses and were left out: the file has all others")

// Run writes the keys and prints how many there are. That it began is a row of the store before
// the first key is opened.
func (c recoveryExportCommand) Run(ctx context.Context) error {
	to, err := recovery.ParseRecipient(c.Recipient)
	if err != nil {
		return fmt.Errorf("--recipient (FERRY_RECIPIENT): %w", err)
	}
	if err := errors.Join(disableCoreDumps(), inDirectory(c.Out)); err != nil {
		return err
	}
	return c.with(ctx, func(p production) error {
		view, err := p.exportKeys(ctx, to, c.Out)
		if err != nil {
			return err
		}
		return errors.Join(printJSON(os.Stdout, view), onlyIf(len(view.Failed) > 0, errNotExported))
	})
}

// exportKeys writes the keys of all addresses to a new file. There is no file when that fails.
func (p *production) exportKeys(ctx context.Context, to recovery.Recipient, file string) (view exportView, err error) {
	out, err := createNew(file)
	if err != nil {
		return view, err
	}
	at, err := noteExport(ctx, p.Units(ferry.Live), exportNote{Recipient: to.String(), File: file})
	if err == nil {
		view, err = p.writeKeys(ctx, out, to, at)
	}
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return view, errors.Join(err, os.Remove(file))
	}
	view.File = file
	p.logger.WarnContext(ctx, "the keys of addresses were exported", "file", file, "recipient", view.Recipient, "keys", view.Keys, "failed", len(view.Failed))
	return view, nil
}

func (p *production) writeKeys(ctx context.Context, out *os.File, to recovery.Recipient, at time.Time) (exportView, error) {
	view := exportView{Recipient: to.String(), At: wire.OptionalTime(at), Keys: map[ferry.Env]int{}}
	for _, env := range environments {
		view.Keys[env] = 0
	}
	buffered := bufio.NewWriter(out)
	w, err := recovery.NewWriter(buffered, to, at)
	if err != nil {
		return view, err
	}
	failed, err := p.EachKey(ctx, func(a wallets.Address, seed chain.Seed) error {
		view.Keys[a.Scope.Env]++
		return w.Add(recovery.EntryOf(a), seed)
	})
	view.Failed = viewUnopened(failed)
	return view, errors.Join(err, w.Close(), buffered.Flush())
}
