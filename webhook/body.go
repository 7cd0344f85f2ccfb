package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// timeFormat is RFC 3339 with milliseconds; events are in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// bodyOf returns the bytes of an event: those that are fixed, or else those that
// will be. One event always gives the same bytes.
func bodyOf(ctx context.Context, books ledger.Store, e Event) ([]byte, error) {
	if e.Body != nil {
		return e.Body, nil
	}
	if e.Entry != "" {
		before, after, err := balances(ctx, books, e.Entry)
		if err != nil {
			return nil, fmt.Errorf("webhook: balances of event %s: %w", e.ID, err)
		}
		e.Data = withBalances(e.Data, before, after)
	}
	return body(e)
}

func body(e Event) ([]byte, error) {
	return json.Marshal(struct {
		ID         string          `json:"id"`
		Type       string          `json:"type"`
		Event      string          `json:"event"`
		CreatedAt  string          `json:"created_at"`
		Sequence   int64           `json:"sequence"`
		APIVersion string          `json:"api_version"`
		Data       json.RawMessage `json:"data"`
	}{e.ID, e.Type, e.Type, e.CreatedAt.UTC().Format(timeFormat), e.Sequence, APIVersion, e.Data})
}

// withBalances adds two members to the end of a JSON object.
func withBalances(data json.RawMessage, before, after money.Amount) json.RawMessage {
	head := bytes.TrimSuffix(bytes.TrimSpace(data), []byte("}"))
	separator := ","
	if len(bytes.TrimSpace(head)) == 1 {
		separator = ""
	}
	return fmt.Appendf(bytes.Clone(head), `%s"balance_before":%s,"balance_after":%s}`, separator, before.Major(), after.Major())
}

// balances returns what the holder of an entry had before and after the entry's
// posting. The holder is the control account (a wallet) or, where there is none,
// the account itself. Other legs of the posting may touch the same holder, as a
// fee does: nobody ever saw the balance between them.
func balances(ctx context.Context, books ledger.Store, text string) (before, after money.Amount, err error) {
	id, err := parseEntryID(text)
	if err != nil {
		return before, after, err
	}
	entry, err := books.Entry(ctx, id)
	if err != nil {
		return before, after, err
	}
	holder, err := holderOf(ctx, books, entry.Account)
	if err != nil {
		return before, after, err
	}
	moved, after, err := movedOn(ctx, books, id.Posting, holder)
	if err != nil {
		return before, after, err
	}
	before, err = after.Sub(moved)
	return before, after, err
}

// movedOn sums what the legs of a posting moved on a holder, and returns what
// the holder had after the last of them.
func movedOn(ctx context.Context, books ledger.Store, posting ledger.PostingID, holder ledger.AccountID) (moved, after money.Amount, err error) {
	for leg := 0; ; leg++ {
		e, err := books.Entry(ctx, ledger.EntryID{Posting: posting, Leg: leg})
		if errors.Is(err, ledger.ErrEntryNotFound) {
			return moved, after, nil
		}
		if err != nil {
			return moved, after, err
		}
		of, err := holderOf(ctx, books, e.Account)
		if err != nil {
			return moved, after, err
		}
		if of != holder {
			continue
		}
		if moved, err = moved.Add(e.Amount); err != nil {
			return moved, after, err
		}
		if after = e.ControlAfter; of == e.Account {
			after = e.BalanceAfter
		}
	}
}

func holderOf(ctx context.Context, books ledger.Store, id ledger.AccountID) (ledger.AccountID, error) {
	account, err := books.Account(ctx, id)
	if err != nil {
		return "", err
	}
	if account.Control != "" {
		return account.Control, nil
	}
	return account.ID, nil
}

// parseEntryID reads what ledger.EntryID prints.
func parseEntryID(text string) (ledger.EntryID, error) {
	cut := strings.LastIndexByte(text, '/')
	if cut < 0 {
		return ledger.EntryID{}, fmt.Errorf("webhook: %q names no ledger entry", text)
	}
	leg, err := strconv.Atoi(text[cut+1:])
	if err != nil {
		return ledger.EntryID{}, fmt.Errorf("webhook: %q names no ledger entry", text)
	}
	return ledger.EntryID{Posting: ledger.PostingID(text[:cut]), Leg: leg}, nil
}
