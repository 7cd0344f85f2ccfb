package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/operatorlog"
	"github.com/ferrypay/ferry/store"
)

type operatorCommand struct {
	Token operatorTokenCommand `cmd:"" help:"Let a person look at the operator's view of ferry serve: print a token once, and add its digest to a file."`
	Log   operatorLogCommand   `cmd:"" help:"Print who looked at what of the businesses of a store, and what was sent again, and why. Oldest first."`
}

type operatorTokenCommand struct {
	Name string `arg:"" help:"Who gets the token: letters, digits, dots, dashes, underscores, or an e-mail address."`
	File string `required:"" help:"The file of the digests: operator.tokens_file of the configuration. It is made when it is missing." placeholder:"FILE"`
}

// operatorName is a name that takes one word of the file.
var operatorName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$`)

// Run adds a token and prints it. A server that runs knows it after its next start.
func (c operatorTokenCommand) Run() error {
	if !operatorName.MatchString(c.Name) {
		return errors.New("NAME must be 1 to 100 letters, digits and . _ @ + -, and begin with a letter or a digit")
	}
	if err := private(c.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // it does not fail
	token := "opt_" + base64.RawURLEncoding.EncodeToString(random[:])
	file, err := os.OpenFile(c.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s %s\n", c.Name, inspect.TokenDigest(token))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return printJSON(os.Stdout, map[string]string{"name": c.Name, "token": token, "file": c.File})
}

type operatorLogCommand struct {
	outflowChoice

	Since  instant `help:"Leave out what was before, as 2026-03-02 or 2026-03-02T09:15:00Z."`
	Person string  `help:"Only what this person did."`
}

// instant is an instant that a flag names, in UTC.
type instant struct{ time.Time }

// UnmarshalText reads a day or an instant.
func (i *instant) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, string(text)); err == nil {
			i.Time = at
			return nil
		}
	}
	return fmt.Errorf("%q is no instant: write it as 2026-03-02 or 2026-03-02T09:15:00Z", text)
}

// operatorEntryView is an entry as it is printed.
type operatorEntryView struct {
	At          wire.OptionalTime `json:"at"`
	Environment ferry.Env         `json:"environment"`
	Business    ferry.BusinessID  `json:"business_id"`
	By          string            `json:"by"`
	Act         operatorlog.Act   `json:"act"`
	Subject     string            `json:"subject"`
	Reason      string            `json:"reason,omitempty"`
}

// Run prints the entries.
func (c operatorLogCommand) Run(ctx context.Context) error {
	all := []operatorEntryView{}
	err := c.inspect(ctx, func(e *engine.Engine) error {
		for _, env := range c.envs() {
			found, err := c.of(ctx, e, env)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errNoBooks) { // nobody has looked at a store without books
		return err
	}
	return printJSON(os.Stdout, map[string][]operatorEntryView{"entries": all})
}

// of are the entries of an environment that are asked for.
func (c operatorLogCommand) of(ctx context.Context, e *engine.Engine, env ferry.Env) (views []operatorEntryView, err error) {
	return views, e.Units(env).Read(ctx, func(ctx context.Context, tx store.Tx) error {
		views = nil
		for entry, err := range operatorlog.Since(ctx, tx, env, c.Since.Time) {
			if err != nil {
				return err
			}
			if c.Person == "" || c.Person == entry.By {
				views = append(views, operatorEntryView{
					wire.OptionalTime(entry.CreatedAt), env, entry.Scope.Business, entry.By, entry.Act, entry.Subject, entry.Reason,
				})
			}
		}
		return nil
	})
}
