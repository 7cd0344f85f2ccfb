package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/webhook"
)

// seedData names what a new sandbox holds. The zero value is a demo business with nothing but its
// first balance.
type seedData string

// busy is a shop to which every event of the catalogue has happened, and in which something of
// everything is under way.
const busy seedData = "busy"

// check refuses a name that is not known.
func (s seedData) check() error {
	if s != "" && s != busy {
		return fmt.Errorf("--seed-data: must be %s", busy)
	}
	return nil
}

// errNotNew refuses to put things into a store twice.
var errNotNew = errors.New("--seed-data: the store has a business already; name a new one by --store, or start without the flag")

// fill makes what a new sandbox holds, over its API.
func (s seedData) fill(ctx context.Context, to remote, d demo) error {
	if s == "" {
		return nil
	}
	if d.again {
		return errNotNew
	}
	if err := fillBusy(ctx, to); err != nil {
		return fmt.Errorf("--seed-data: %w", err)
	}
	return nil
}

// fillBusy makes the busy shop, over the API of an empty sandbox.
func fillBusy(ctx context.Context, to remote) error {
	for n, e := range httpapi.EventTypes() {
		if e.Name == webhook.TestType {
			continue // it needs a receiver
		}
		if err := newSeedRun(to, e.Name, n).makeAll(ctx, triggers[e.Name]); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	for n, steps := range underWay { // last, because events move the clock by days
		if err := newSeedRun(to, fmt.Sprint("under-way-", n+1), 100+n).makeAll(ctx, steps); err != nil {
			return err
		}
	}
	return nil
}

// newSeedRun is a run whose names are the same each time.
func newSeedRun(to remote, name string, n int) triggerRun {
	return triggerRun{to, map[string]string{
		"ref": "busy-" + strings.ReplaceAll(name, ".", "-"), "phone": fmt.Sprintf("+234801%07d", n),
	}, io.Discard}
}

// underWay are requests whose things do not end.
var underWay = [][]triggerStep{
	order(), // not paid
	order(call("checkout/crypto", `{"trx_id":"{ref}"}`, "deposit=deposit_address"), call("test_helpers/deposits", `{"address":"{deposit}","amount":4}`)), // partly paid
	order(drive("pending", "card")),
	order(drive("cancelled", "card")),
	{linkOf("{ref}"), linkStatus("active")},
	{linkOf("{ref}"), linkStatus("active"), linkStatus("inactive")},
	inWallet(sendUSDC()), // on its way
	inWallet(call("wallets/status", `{"reference":"{ref}","status":"suspended"}`)),
	payout("0123456786"), // the bank does not say what became of it
	fiatTransfer("0123456786"),
	topUp(),
	{call("customers", `{"type":"individual","first_name":"Bola","last_name":"Ade","email":"{ref}@example.com","phone":"{phone}"}`)},
}

func linkOf(slug string) triggerStep {
	return call("payment-links", `{"title":"Jollof for six","amount":500000,"currency":"NGN","slug":"`+slug+`","quantity_limit":3}`, "link=id")
}

func linkStatus(status string) triggerStep {
	return call("payment-links/status", `{"uid":"{link}","status":"`+status+`"}`)
}
