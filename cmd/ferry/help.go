package main

import (
	"context"
	"os"
)

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command, as in keys create."`
}

// Run shows what --help shows behind the command.
func (c helpCommand) Run(ctx context.Context) error {
	parse(ctx, redacting{os.Stderr}, append(c.Command, "--help"))
	return nil
}
