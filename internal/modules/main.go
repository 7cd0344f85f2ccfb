// Command modules keeps the modules of this tree in step: go.work lists them, and each
// is published with a tag of its own.
//
//	go run ./internal/modules tidy          writes every go.mod and go.sum anew
//	go run ./internal/modules tidy -check   fails when one is not tidy, and changes none
//	go run ./internal/modules tag VERSION   makes the modules require VERSION of each other, commits and tags them
//	go run ./internal/modules tag -n VERSION   prints what tag would do
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(context.Background(), os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: modules tidy [-check] | tag [-n] VERSION")

// run does what a command line says, for the tree in the working directory.
func run(ctx context.Context, out io.Writer, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	check := flags.Bool("check", false, "change nothing, and fail when a file is not tidy")
	dry := flags.Bool("n", false, "print the steps and take none")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	t, err := readTree(ctx, ".")
	if err != nil {
		return err
	}
	switch rest := flags.Args(); {
	case args[0] == "tidy" && len(rest) == 0:
		return t.tidy(ctx, *check)
	case args[0] == "tag" && len(rest) == 1:
		return t.tag(ctx, out, rest[0], *dry)
	}
	return errUsage
}
