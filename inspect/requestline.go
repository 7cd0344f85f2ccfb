package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// lineOfRequest is the line of a request of the API.
func lineOfRequest(e Exchange) Line {
	path, _, _ := strings.Cut(e.URL, "?")
	l := Line{Seq: e.Seq, Kind: Request, At: e.At, Title: e.Method + " " + path, Status: e.Status, Path: fmt.Sprintf("requests/%d", e.Seq)}
	var said struct {
		Data  json.RawMessage `json:"data"`
		TrxID string          `json:"trx_id"`
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal(e.answer.text, &said) // an answer that is cut off names nothing
	l.Thing, l.Name = named(said.Data)
	l.Name = cmp.Or(said.TrxID, l.Name)
	details := []string{fmt.Sprintf("%d ms", e.Took.Milliseconds())}
	if said.Error.Code != "" {
		details = append([]string{said.Error.Code + ": " + said.Error.Message}, details...)
	}
	if e.Key != "" {
		details = append(details, "key …"+e.Key)
	}
	if e.IdempotencyKey != "" {
		details = append(details, "idempotency "+e.IdempotencyKey)
	}
	if e.Replayed {
		details = append(details, "replayed")
	}
	l.Detail = strings.Join(details, " · ")
	if strings.HasSuffix(path, "/test_helpers/clock/advance") || strings.HasSuffix(path, "/test_helpers/reset") {
		l.Kind = Clock
	}
	return l
}

// named returns the id of an object and what its caller calls it.
func named(object json.RawMessage) (id, name string) {
	var o struct {
		ID        string `json:"id"`
		TrxID     string `json:"trx_id"`
		Reference string `json:"reference"`
		SessionID string `json:"session_id"`
		EventID   string `json:"event_id"`
		Customer  string `json:"customer_id"`
	}
	if json.Unmarshal(object, &o) != nil {
		return "", ""
	}
	name = cmp.Or(o.TrxID, o.Reference)
	return cmp.Or(o.ID, o.SessionID, o.TrxID, o.Reference, o.Customer), name
}
