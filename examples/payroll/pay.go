package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/ferrypay/ferry/money"
)

// most is how many rows one payout has at most.
const most = 1000

// order is a payout as it is asked for.
type order struct {
	Reference string `json:"reference"`
	Source    string `json:"source_account_number"`
	// Key makes a repeated request the same payout.
	Key   string `json:"idempotency_key"`
	Items []item `json:"items"`
}

// payout is what the server tells of one.
type payout struct {
	Status       string `json:"status"`
	ItemCount    int    `json:"item_count"`
	SuccessCount int    `json:"success_count"`
	FailedCount  int    `json:"failed_count"`
	Items        []struct {
		Reference   string      `json:"reference"`
		Status      string      `json:"status"`
		Amount      json.Number `json:"amount"`
		Beneficiary struct {
			BankCode      string `json:"bank_code"`
			AccountNumber string `json:"account_number"`
		} `json:"beneficiary"`
		LastError *string `json:"last_error"`
	} `json:"items"`
}

// final reports whether nothing of a payout changes any more.
func (p payout) final() bool { return p.Status != "pending" && p.Status != "processing" }

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
	o := order{Reference: reference, Source: p.source, Items: rows}
	encoded, err := json.Marshal(o)
	if err != nil {
		return err
	}
	o.Key = fmt.Sprintf("%s-%x", reference, sha256.Sum256(encoded))
	err = p.api.post(ctx, "/v1/payouts/bulk", o, new(payout))
	if refused, ok := errors.AsType[*refusal](err); !ok || refused.Code != "duplicate_reference" && refused.Code != "idempotency_conflict" {
		return err
	}
	// The server forgets a key after some days, and a reference never.
	made, readErr := p.read(ctx, reference)
	if readErr != nil {
		return fmt.Errorf("%s: %w", reference, err) // a row has been paid by another run
	}
	if !made.isOf(rows) {
		return fmt.Errorf("%s was made of other rows; a corrected file needs a name of its own, and only the rows that were not paid", reference)
	}
	return nil
}

func (p payroll) read(ctx context.Context, reference string) (made payout, err error) {
	return made, p.api.get(ctx, "/v1/payouts", url.Values{"reference": {reference}}, &made)
}

// isOf reports whether a payout was made of rows.
func (p payout) isOf(rows []item) bool {
	if len(p.Items) != len(rows) {
		return false
	}
	for i, made := range p.Items {
		paid, err := money.ParseMajor(money.AssetNGN, made.Amount.String())
		asked, err2 := money.ParseMajor(money.AssetNGN, rows[i].Amount)
		if errors.Join(err, err2) != nil || paid != asked || made.Reference != rows[i].Reference ||
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
		var open, paid int
		var failed []string
		for _, reference := range references {
			made, err := p.read(ctx, reference)
			if err != nil {
				return err
			}
			if !made.final() {
				open++
			}
			paid += made.SuccessCount
			failed = append(failed, made.failures()...)
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
func (p payout) failures() (failed []string) {
	for _, i := range p.Items {
		if i.Status == "failed" || i.Status == "cancelled" {
			reason := i.Status
			if i.LastError != nil {
				reason = *i.LastError
			}
			failed = append(failed, i.Reference+": "+reason)
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
