package main

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/client"
)

// resetCommand empties a sandbox.
type resetCommand struct{ remote }

// Run empties the sandbox of a running server, and says what is there again.
func (c resetCommand) Run(ctx context.Context) error {
	return c.call(ctx, func(ctx context.Context, server *client.Client) error {
		now, err := server.TestHelpers.Reset(ctx)
		if err != nil {
			return helperError(ctx, server, err, errNoSandbox)
		}
		fmt.Printf("The sandbox is empty, but for its demo business and the first keys of that. Its time is %s.\n", now.Now.UTC().Format("2006-01-02T15:04:05Z"))
		return nil
	})
}
