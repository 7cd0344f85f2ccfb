package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// bodyOf returns the bytes of an event. One event always gives the same bytes.
func bodyOf(ctx context.Context, books ledger.Store, e Event) (string, error) {
	if e.APIVersion != APIVersion {
		return "", fmt.Errorf("webhook: event %s has the API version %q, of which this release knows no bodies", e.ID, e.APIVersion)
	}
	if e.Entry != "" {
		id, err := parseEntryID(e.Entry)
		if err != nil {
			return "", err
		}
		before, after, err := ledger.BalancesAround(ctx, books, id)
		if err != nil {
			return "", fmt.Errorf("webhook: balances of event %s: %w", e.ID, err)
		}
		e.Data = withBalances(e.Data, before, after)
	}
	text, err := body(e)
	return string(text), err
}

// prefetchBalances says that the bodies of events will be asked for.
func prefetchBalances(books ledger.Store, events []Event) {
	for _, e := range events {
		if id, err := parseEntryID(e.Entry); err == nil {
			books.PrefetchLegs(id.Posting)
		}
	}
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
	}{e.ID, e.Type, e.Type, wire.Time(e.CreatedAt), e.Sequence, e.APIVersion, json.RawMessage(e.Data)})
}

// withBalances adds two members to the end of a JSON object.
func withBalances(data string, before, after money.Amount) string {
	head := strings.TrimSuffix(strings.TrimSpace(data), "}")
	separator := ","
	if len(strings.TrimSpace(head)) == 1 {
		separator = ""
	}
	return head + separator + `"balance_before":` + before.Major() + `,"balance_after":` + after.Major() + "}"
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
