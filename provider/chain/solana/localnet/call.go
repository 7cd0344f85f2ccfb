package localnet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// client calls methods of the localnet's own. Moving the chain far takes a while. Idle
// connections are closed at once, as their goroutines would outlive the test.
var client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}

// call calls a method of the localnet's own, which takes one object, and decodes its
// result, unless result is nil.
func call(url, method string, params map[string]any, result any) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": []any{params}})
	if err != nil {
		return err
	}
	response, err := client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("localnet: %s: %w", method, err)
	}
	defer response.Body.Close()
	var answer struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("localnet: %s: %w", method, err)
	}
	if answer.Error != nil {
		return fmt.Errorf("localnet: %s: %s (%d)", method, answer.Error.Message, answer.Error.Code)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, result)
}
