package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"

	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/server"
)

// window is the inspector of a sandbox, and the query with which a browser opens it: with a token
// where others reach the address, too.
func (d demo) window(s *server.Server, seen *inspect.Recorder, address net.Addr, logger *slog.Logger) (w *inspect.Inspector, query string) {
	c := inspect.Config{API: s, Tenant: d.tenant, Recorder: seen, Place: d.place, Logger: logger}
	if !onLoopback(address) {
		c.Token = rand.Text()
		query = "?token=" + c.Token
	}
	api := remote{openURL(address), d.tenant.SecretKey}
	c.Seed = func(ctx context.Context) error { return fillBusy(ctx, api) }
	return inspect.New(d.engine, c), query
}

// onLoopback reports whether only programs on this machine reach an address.
func onLoopback(address net.Addr) bool {
	at, ok := address.(*net.TCPAddr)
	return ok && at.IP.IsLoopback()
}
