package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/ferrypay/ferry/client"
)

// explainCommand says why something is not paid or not done.
type explainCommand struct {
	remote

	Name string `arg:"" help:"An id, a reference, a trx_id, an address, the signature of a transfer or a deposit, a bank session, or the number of an account."`
	JSON bool   `name:"json" help:"Print the answer as the API gives it."`
}

// errNoSandbox is about servers of ferry serve, and about live keys.
var errNoSandbox = errors.New("this server has no test helpers for this key: only ferry dev does, for a test key")

// errUnknownName is about a name that leads to nothing.
var errUnknownName = errors.New("the business of the key has nothing with that id, reference, address or number")

// Run prints the answer in sentences, and what can be done.
func (c explainCommand) Run(ctx context.Context) error {
	explain := func(ctx context.Context, server *client.Client, options ...client.Option) (*client.Explanation, error) {
		x, err := server.TestHelpers.Explain(ctx, c.Name, options...)
		return x, helperError(ctx, server, err, errUnknownName)
	}
	if c.JSON {
		return c.printCall(ctx, func(ctx context.Context, server *client.Client, answer client.Option) error {
			_, err := explain(ctx, server, answer)
			return err
		})
	}
	return c.call(ctx, func(ctx context.Context, server *client.Client) error {
		x, err := explain(ctx, server)
		if err != nil {
			return err
		}
		return printExplanation(plain{os.Stdout}, x)
	})
}

// helperError says of a 404 of a test helper whether the server has none, or, with what it says
// itself, that the thing is not there.
func helperError(ctx context.Context, server *client.Client, err, missing error) error {
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || refused.Status != http.StatusNotFound {
		return err
	}
	if _, err := server.TestHelpers.Clock(ctx); err != nil {
		return errNoSandbox
	}
	return missing
}

func printExplanation(w io.Writer, x *client.Explanation) error {
	reference := ""
	if x.Reference != "" {
		reference = " (" + x.Reference + ")"
	}
	_, err := fmt.Fprintf(w, "%s %s%s is %s.\n%s\n", x.Resource, x.ID, reference, x.Status, x.Summary)
	for i, p := range x.Next {
		if i == 0 && err == nil {
			_, err = fmt.Fprintln(w, "\nNext:")
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "  %s: %s\n", p.Who, p.Text)
		}
	}
	for _, other := range x.Also {
		if err == nil {
			_, err = fmt.Fprintf(w, "\nThe same name has the %s %s.\n", other.Resource, other.ID)
		}
	}
	return err
}
