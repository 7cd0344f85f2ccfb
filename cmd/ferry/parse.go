package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
)

// parse reads the command line. What cannot be read is told in one line, which
// names the help that has the rest, and ends the process.
func parse(ctx context.Context, stderr io.Writer, args []string) *kong.Context {
	parser := kong.Must(&commands{},
		kong.Name("ferry"),
		kong.Description("An embeddable payments engine."),
		kong.Writers(os.Stdout, stderr),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	cli, err := parser.Parse(args)
	if err == nil {
		return cli
	}
	help, code := "ferry", 1
	if e, ok := errors.AsType[*kong.ParseError](err); ok {
		code = e.ExitCode()
		if command := e.Context.Selected(); command != nil {
			help = command.FullPath()
		}
	}
	fmt.Fprintf(stderr, "ferry: %v; see %q\n", err, help+" --help")
	os.Exit(code)
	return nil
}
