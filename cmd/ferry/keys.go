package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"time"
)

type keysCommand struct {
	Create createKeyCommand `cmd:"" help:"Make a key; it is shown once."`
	List   listKeysCommand  `cmd:"" help:"List the keys by prefix and last four characters."`
	Rotate rotateKeyCommand `cmd:"" help:"Replace a key; the old one works on during the overlap."`
	Revoke revokeKeyCommand `cmd:"" help:"End a key at once."`
}

type createKeyCommand struct {
	remote
	Type  string `help:"What the key is for." enum:"secret,public,widget" default:"secret"`
	Label string `help:"A name for people."`
}

// Run makes a key and prints it.
func (c createKeyCommand) Run(ctx context.Context) error {
	body := map[string]any{"type": c.Type}
	if c.Label != "" {
		body["label"] = c.Label
	}
	return c.printCall(ctx, http.MethodPost, "/v1/api-keys", body)
}

type listKeysCommand struct{ remote }

// Run prints the keys.
func (c listKeysCommand) Run(ctx context.Context) error {
	return c.printCall(ctx, http.MethodGet, "/v1/api-keys", nil)
}

type rotateKeyCommand struct {
	remote
	ID      string         `help:"The key's id (key_…). Default: the key of the call."`
	Overlap *time.Duration `help:"How long the old key works on. Default: the server's, 24h."`
}

// Run replaces a key and prints the new one.
func (c rotateKeyCommand) Run(ctx context.Context) error {
	body := map[string]any{}
	if c.ID != "" {
		body["id"] = c.ID
	}
	if c.Overlap != nil {
		body["overlap_seconds"] = int64(c.Overlap.Seconds())
	}
	return c.printCall(ctx, http.MethodPost, "/v1/api-keys/rotate-secret", body)
}

type revokeKeyCommand struct {
	remote
	ID string `arg:"" help:"The key's id (key_…)."`
}

// Run ends a key.
func (c revokeKeyCommand) Run(ctx context.Context) error {
	return c.printCall(ctx, http.MethodPost, "/v1/api-keys/revoke", map[string]any{"id": c.ID})
}

func (r remote) printCall(ctx context.Context, method, path string, body any) error {
	var data json.RawMessage
	if err := r.call(ctx, method, path, body, &data); err != nil {
		return err
	}
	return printJSON(os.Stdout, data)
}
