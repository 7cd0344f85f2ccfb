package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// newParser returns a parser of the command line. Each flag has a variable of the
// environment: FERRY_ and its name in capital letters.
func newParser(ctx context.Context, stderr io.Writer) (*kong.Kong, error) {
	return kong.New(&commands{}, append(plainValues(),
		kong.Name("ferry"),
		kong.Description("An embeddable payments engine."),
		kong.Writers(os.Stdout, stderr),
		kong.DefaultEnvars("FERRY"),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)...)
}

// parse reads the command line. One line says what cannot be read and which help
// has the rest; then the process ends.
func parse(ctx context.Context, stderr io.Writer, args []string) *kong.Context {
	parser, err := newParser(ctx, stderr)
	if err != nil {
		panic(err) // the declaration of the commands is wrong
	}
	cli, err := parser.Parse(args)
	if err == nil {
		return cli
	}
	says, help, code := err.Error(), "ferry", 1
	if e, ok := errors.AsType[*kong.ParseError](err); ok {
		code = e.ExitCode()
		command := e.Context.Selected()
		if command != nil {
			help = command.FullPath()
		}
		if command == nil || len(command.Children) > 0 {
			says = strings.Replace(says, "unexpected argument", "there is no command", 1)
		}
	}
	fmt.Fprintf(stderr, "ferry: %s; see %q\n", says, help+" --help")
	os.Exit(code)
	return nil
}
