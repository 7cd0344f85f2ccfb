// Command docgen prints what is made from the code: documents of docs about lifecycles, records,
// events and routes, and the samples of events that the OpenAPI document shows. `make generate` writes
// the files, and a test fails when one is stale.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ferrypay/ferry/engine"
)

// documents are what it prints, by name.
var documents = map[string]func(io.Writer) error{
	"lifecycles": writeLifecycles, "records": writeRecords, "events": writeEvents, "samples": writeSamples,
	"reference": writeReference,
}

func main() {
	write, found := documents[strings.Join(os.Args[1:], " ")]
	if !found {
		fmt.Fprintln(os.Stderr, "usage: docgen lifecycles|records|events|reference|samples")
		os.Exit(2)
	}
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const lifecyclesHead = `# Lifecycles

Drawn from the code by ` + "`make generate`" + `; do not edit. An arrow names its cause and, after a slash, the event that is sent.
`

// writeLifecycles prints every lifecycle of the engine.
func writeLifecycles(w io.Writer) error {
	fmt.Fprint(w, lifecyclesHead)
	for _, domain := range engine.Domains() {
		for _, l := range domain.Lifecycles {
			fmt.Fprintf(w, "\n## %s\n\n```mermaid\n%s```\n", l.Title, l.Drawn.Mermaid())
		}
	}
	return nil
}

const recordsHead = `# Records

Written from the code by ` + "`make generate`" + `; do not edit. Each kind of row that its domain declares with package
` + "`records`" + `: its columns, and what no update changes. Every store keeps them so, and ` + "`store/storetest`" + ` derives its tests from
the same declarations.
`

// writeRecords prints every kind of record that is declared.
func writeRecords(w io.Writer) error {
	fmt.Fprint(w, recordsHead)
	for _, domain := range engine.Domains() {
		for _, kind := range domain.Records {
			kind.Describe(w)
		}
	}
	return nil
}
