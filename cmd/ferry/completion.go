package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/ferrypay/ferry/httpapi"
)

// completionCommand prints what a shell needs to complete the command line of ferry.
type completionCommand struct {
	Shell string `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish"`
}

// completions ask completeCommand for the words, by shell.
var completions = map[string]string{
	"bash": "complete -o default -C 'ferry complete' ferry",
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\ncomplete -o default -C 'ferry complete' ferry",
	"fish": "complete -c ferry -a '(env COMP_LINE=(commandline -cp) ferry complete)'",
}

// Run prints the lines.
func (c completionCommand) Run() error {
	fmt.Println(completions[c.Shell])
	return nil
}

// completeCommand prints the words that may stand at the end of a command line.
type completeCommand struct {
	// Words are what bash says besides; the line in its environment has more.
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run reads the line as bash gives it, in COMP_LINE up to COMP_POINT.
func (completeCommand) Run(ctx context.Context) error {
	line := os.Getenv("COMP_LINE")
	if at, err := strconv.Atoi(os.Getenv("COMP_POINT")); err == nil && at >= 0 && at < len(line) {
		line = line[:at]
	}
	parser, err := newParser(ctx, os.Stderr)
	if err != nil {
		return err
	}
	for _, word := range completed(parser.Model.Node, line) {
		fmt.Println(word)
	}
	return nil
}

// completed are the words that may stand at the end of a line.
func completed(at *kong.Node, line string) (all []string) {
	words := strings.Fields(line)
	last := ""
	if len(words) > 0 && !strings.HasSuffix(line, " ") {
		last, words = words[len(words)-1], words[:len(words)-1]
	}
	for _, word := range words {
		at = childNamed(at, word)
	}
	for _, word := range wordsOf(at, strings.HasPrefix(last, "-")) {
		if strings.HasPrefix(word, last) {
			all = append(all, word)
		}
	}
	return all
}

// childNamed is a command of a command, or the command itself when the word is none.
func childNamed(at *kong.Node, name string) *kong.Node {
	for _, child := range at.Children {
		if child.Name == name {
			return child
		}
	}
	return at
}

// wordsOf are the flags of a command, or its commands, or what it takes.
func wordsOf(at *kong.Node, flags bool) (all []string) {
	if flags {
		for _, group := range at.AllFlags(true) {
			for _, flag := range group {
				all = append(all, "--"+flag.Name)
			}
		}
		return all
	}
	for _, child := range at.Children {
		if !child.Hidden {
			all = append(all, child.Name)
		}
	}
	if at.Name == "trigger" {
		for _, e := range httpapi.EventTypes() {
			all = append(all, e.Name)
		}
	}
	return all
}
