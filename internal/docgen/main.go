// Command docgen prints a document of docs from the code: that of the lifecycles, or that
// of the records. `make generate` writes the files, and a test fails when one is stale.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/wallets"
)

// documents are what it prints, by name.
var documents = map[string]func(io.Writer){"lifecycles": writeLifecycles, "records": writeRecords}

func main() {
	write, found := documents[strings.Join(os.Args[1:], " ")]
	if !found {
		fmt.Fprintln(os.Stderr, "usage: docgen lifecycles|records")
		os.Exit(2)
	}
	write(os.Stdout)
}

const lifecyclesHead = `# Lifecycles

Drawn from the code by ` + "`make generate`" + `; do not edit. An arrow names its cause and, after a slash, the event that is sent.
`

// writeLifecycles prints every lifecycle of the engine.
func writeLifecycles(w io.Writer) {
	fmt.Fprint(w, lifecyclesHead)
	draw(w, "Customers", customers.Lifecycle)
	draw(w, "Identities", customers.IdentityLifecycle)
	draw(w, "Wallets", wallets.Lifecycle)
	draw(w, "Addresses", wallets.AddressLifecycle)
	draw(w, "Wallet transfers", wallets.TransferLifecycle)
	draw(w, "Attempts of a transfer", wallets.AttemptLifecycle)
	draw(w, "Payments", payments.Lifecycle)
	draw(w, "Receipts", payments.ReceiptLifecycle)
	draw(w, "Returns", payments.ReturnLifecycle)
	draw(w, "Payment links of policy A", links.LifecycleA)
	draw(w, "Payment links of policy B", links.LifecycleB)
	draw(w, "Virtual accounts", accounts.VirtualLifecycle)
	draw(w, "Reserved accounts", accounts.ReservedLifecycle)
	draw(w, "Checkout sessions", checkout.Lifecycle)
	draw(w, "Crypto instructions", checkout.InstructionLifecycle)
}

func draw[S, C ~string](w io.Writer, title string, l ferry.Lifecycle[S, C]) {
	fmt.Fprintf(w, "\n## %s\n\n```mermaid\nstateDiagram-v2\n    [*] --> %s\n", title, l.Initial)
	for _, e := range l.Edges {
		label := string(e.On)
		if e.Event != "" {
			label += " / " + e.Event
		}
		fmt.Fprintf(w, "    %s --> %s: %s\n", e.From, e.To, label)
	}
	for _, state := range finals(l) {
		fmt.Fprintf(w, "    %s --> [*]\n", state)
	}
	fmt.Fprint(w, "```\n")
}

// finals lists the states that no move leads out of, in order of appearance.
func finals[S, C ~string](l ferry.Lifecycle[S, C]) []S {
	var states []S
	seen := map[S]bool{}
	for _, e := range l.Edges {
		if !seen[e.To] && l.Final(e.To) {
			states = append(states, e.To)
		}
		seen[e.To] = true
	}
	return states
}
