// Command ferry serves the payments engine and looks after it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/ferrypay/ferry/internal/ballast"
)

// commands is the command line; each field has a Run method in a file of its name, that of listen in
// forward.go and that of complete in completion.go.
type commands struct {
	Dev        devCommand        `cmd:"" help:"Serve a sandbox with a demo business; needs nothing else on the machine."`
	Serve      serveCommand      `cmd:"" help:"Serve in production: a durable store, secrets from files or the environment."`
	Explain    explainCommand    `cmd:"" help:"Say why something in a running sandbox is not paid or not done, and what can be done."`
	Trigger    triggerCommand    `cmd:"" help:"Make an event of the catalogue really happen in a running sandbox, and print it."`
	Events     eventsCommand     `cmd:"" help:"Print the events of a business, one a line, and with --follow those that come."`
	Logs       logsCommand       `cmd:"" help:"Print what a running sandbox is asked, as it comes."`
	Listen     listenCommand     `cmd:"" help:"Send each new event, signed, to a URL, and print its answer."`
	Doctor     doctorCommand     `cmd:"" help:"Say what is wrong with a set-up, and how to mend it. Exits 0 when nothing is, 1 with findings."`
	Reset      resetCommand      `cmd:"" help:"Empty a running sandbox."`
	Keys       keysCommand       `cmd:"" help:"Look after API keys, of a running server or in a store, and the keyset of a store."`
	Chain      chainCommand      `cmd:"" help:"Make the key of a fee payer, and look at the chains of a configuration."`
	Businesses businessesCommand `cmd:"" help:"Look at the businesses of a store."`
	Migrate    migrateCommand    `cmd:"" help:"Bring the tables of a store up to date, and print their version before and after."`
	Audit      auditCommand      `cmd:"" help:"Recount the books of a running sandbox or of a store. Exits 0 clean, 1 with findings, 2 when it cannot tell."`
	Reconcile  reconcileCommand  `cmd:"" help:"Compare the books of a store with the chain and the bank. Exits as audit does."`
	Ramp       rampCommand       `cmd:"" help:"List USDC of offramps that could not go back, and send it to an address."`
	Suspense   suspenseCommand   `cmd:"" help:"List naira that nobody owns, and give it back."`
	Wallets    walletsCommand    `cmd:"" help:"Release wallets of a store that an alarm suspended, and keep a copy of the keys of addresses."`
	Outflow    outflowCommand    `cmd:"" help:"Stop all money that leaves, let it leave again, and end payments that the bank did not make as it was told."`
	Operator   operatorCommand   `cmd:"" help:"Let people look at the operator's view of ferry serve, and say who looked at what."`
	OpenAPI    openAPICommand    `cmd:"" name:"openapi" help:"Print the OpenAPI 3.1 document of the API."`
	Completion completionCommand `cmd:"" help:"Print what a shell needs to complete the command line: source <(ferry completion bash)."`
	Complete   completeCommand   `cmd:"" hidden:""`
	Version    versionCommand    `cmd:"" help:"Print the version."`
	Help       helpCommand       `cmd:"" help:"Show the help of ferry or of a command."`

	ShowVersion versionFlag `name:"version" env:"-" help:"Print the version."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	defer runtime.KeepAlive(ballast.Take())
	stderr := redacting{os.Stderr}
	if err := parse(ctx, stderr, os.Args[1:]).Run(); err != nil {
		fmt.Fprintln(plain{stderr}, "ferry:", err)
		stop()
		os.Exit(exitCode(err))
	}
}

// exitError is an error with an exit code of its own.
type exitError struct {
	error
	code int
}

func (e exitError) Unwrap() error { return e.error }
