// Command payroll pays the rows of a CSV file through a ferry server, each exactly once.
// It may be killed and started again at any moment: a second run of the same file goes on
// where the first one was, and pays nobody twice.
//
//	go run ./cmd/ferry dev --store sqlite:payroll.db      # prints FERRY_URL, FERRY_KEY and the source account
//	go run ./examples/payroll -source ACCOUNT_NUMBER examples/payroll/salaries.csv
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/ferrypay/ferry/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "payroll:", err)
		os.Exit(1)
	}
}

// payroll is one run of a file.
type payroll struct {
	api    *client.Client
	source string
	// every is how often the server is asked how far it is.
	every time.Duration
	out   io.Writer
}

func run(ctx context.Context, args []string, out io.Writer) error {
	p := payroll{out: out}
	config := client.Config{Attempts: math.MaxInt} // what it asks for is safe to ask for again
	flags := flag.NewFlagSet("payroll", flag.ContinueOnError)
	flags.StringVar(&config.BaseURL, "server", cmp.Or(os.Getenv("FERRY_URL"), client.DefaultBaseURL), "address of the server")
	flags.StringVar(&config.Key, "key", os.Getenv("FERRY_KEY"), "secret key with the scopes read and pay_out")
	flags.StringVar(&p.source, "source", "", "number of the account of the business that pays")
	flags.DurationVar(&p.every, "every", time.Second, "how often to ask how far the server is")
	name := flags.String("name", "", "name of the run; a name is paid once (default: that of the file)")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if flags.NArg() != 1 || config.Key == "" || p.source == "" {
		return errors.New("usage: payroll -key SECRET_KEY -source ACCOUNT_NUMBER FILE.csv")
	}
	var err error
	if p.api, err = client.New(config); err != nil {
		return err
	}
	file, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := readRows(file)
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	if *name == "" {
		*name = strings.TrimSuffix(filepath.Base(flags.Arg(0)), filepath.Ext(flags.Arg(0)))
	}
	if err := p.greet(ctx, config); err != nil {
		return err
	}
	return p.pay(ctx, *name, rows)
}

// greet asks the server for the business. While no server answers, the payroll says so, and waits
// for one.
func (p payroll) greet(ctx context.Context, config client.Config) error {
	config.Attempts = 2
	once, err := client.New(config)
	if err != nil {
		return err
	}
	if _, err = once.Business.Get(ctx); err == nil {
		return nil
	}
	lost, ok := errors.AsType[*client.Unanswered](err)
	if !ok || ctx.Err() != nil {
		return err
	}
	fmt.Fprintf(p.out, "no server answers at %s (-server or FERRY_URL): %v; waiting for it\n", config.BaseURL, lost.Err)
	return nil
}
