package main

import (
	"fmt"
	"io"

	"github.com/ferrypay/ferry/engine"
)

const recordsHead = `# Records

Written from the code by ` + "`make generate`" + `; do not edit. Each kind of row that its domain declares with package
` + "`records`" + `: its columns, and what no update changes. Every store keeps them so, and ` + "`store/storetest`" + ` derives its tests from
the same declarations.
`

// writeRecords prints every kind of record that is declared.
func writeRecords(w io.Writer) {
	fmt.Fprint(w, recordsHead)
	for _, domain := range engine.Domains() {
		for _, kind := range domain.Records {
			kind.Describe(w)
		}
	}
}
