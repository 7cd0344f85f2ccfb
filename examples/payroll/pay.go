package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry/client"
)

// most is how many rows one payout has at most.
const most = 1000

// final reports whether nothing of a payout changes any more.
func final(p *client.Payout) bool {
	return p.Status != client.PayoutStatusPending && p.Status != client.PayoutStatusProcessing
}

// pay pays all rows, in payouts of up to a thousand, and returns when each row is paid or
// failed.
func (p payroll) pay(ctx context.Context, name string, rows []item) error {
	var references []string
	for chunk := range slices.Chunk(rows, most) {
		reference := fmt.Sprintf("%s-%d", name, len(references)+1)
		if err := p.submit(ctx, reference, chunk); err != nil {
			return err
		}
		references = append(references, reference)
	}
	return p.follow(ctx, references, len(rows))
}

// submit makes a payout of rows, unless an earlier run has made it.
func (p payroll) submit(ctx context.Context, reference string, rows []item) error {
	params := client.CreateBulkPayoutParams{Reference: reference, SourceAccountNumber: p.source, Items: rows}
	encoded, err := json.Marshal(params)
	if err != nil {
		return err
	}
	key := fmt.Sprintf("%s-%x", reference, sha256.Sum256(encoded)) // another run of the file has the same one
	_, err = p.api.Payouts.CreateBulk(ctx, params, client.WithIdempotencyKey(key))
	if !errors.Is(err, client.CodeDuplicateReference) && !errors.Is(err, client.CodeIdempotencyConflict) {
		return err
	}
	// The server forgets a key after some days, and a reference never.
	made, readErr := p.api.Payouts.GetByReference(ctx, reference)
	if readErr != nil {
		return fmt.Errorf("%s: %w", reference, err) // a row has been paid by another run
	}
	if !isOf(made, rows) {
		return fmt.Errorf("%s was made of other rows; a corrected file needs a name of its own, and only the rows that were not paid", reference)
	}
	return nil
}

// isOf reports whether a payout was made of rows.
func isOf(p *client.Payout, rows []item) bool {
	if len(p.Items) != len(rows) {
		return false
	}
	for i, made := range p.Items {
		if made.Amount != rows[i].Amount || made.Reference != rows[i].Reference ||
			made.Beneficiary.BankCode != rows[i].BankCode || made.Beneficiary.AccountNumber != rows[i].AccountNumber {
			return false
		}
	}
	return true
}

// follow prints how far payouts are, until they are final.
func (p payroll) follow(ctx context.Context, references []string, rows int) error {
	began, last := time.Now(), ""
	for {
		var open int
		var paid int64
		var failed []string
		for _, reference := range references {
			made, err := p.api.Payouts.GetByReference(ctx, reference)
			if err != nil {
				return err
			}
			if !final(made) {
				open++
			}
			paid += made.SuccessCount
			failed = append(failed, failures(made)...)
		}
		if now := fmt.Sprintf("%d of %d paid, %d failed", paid, rows, len(failed)); now != last {
			fmt.Fprintln(p.out, now)
			last = now
		}
		if open == 0 {
			return p.report(failed, time.Since(began))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("stopped; the server goes on, and the same command shows how far it is: %w", ctx.Err())
		case <-time.After(p.every):
		}
	}
}

// failures are the rows that were not paid and never will be.
func failures(p *client.Payout) (failed []string) {
	for _, i := range p.Items {
		if i.Status == client.PayoutItemStatusFailed || i.Status == client.PayoutItemStatusCancelled {
			failed = append(failed, i.Reference+": "+cmp.Or(i.LastError, string(i.Status)))
		}
	}
	return failed
}

// report ends a run.
func (p payroll) report(failed []string, took time.Duration) error {
	for _, line := range failed {
		fmt.Fprintln(p.out, "not paid:", line)
	}
	fmt.Fprintln(p.out, "done in", took.Round(time.Second))
	if len(failed) > 0 {
		return fmt.Errorf("%d rows were not paid", len(failed))
	}
	return nil
}
