package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/ferrypay/ferry/engine"
)

// admin is what only the operator sees, on an address of its own.
type admin struct {
	listener net.Listener
	web      *http.Server
	done     chan struct{}
}

// startAdmin serves GET /metrics, and a view where there is one, on an address, or nothing when it is empty. setting
// is the name of the address for people.
func startAdmin(setting, address string, m *metrics, view http.Handler, logger *slog.Logger) (*admin, error) {
	if address == "" {
		return &admin{}, nil
	}
	listener, err := listen(setting, address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.page())
	if view != nil {
		mux.Handle("/", view)
	}
	a := &admin{listener, &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}, make(chan struct{})}
	go func() {
		defer close(a.done)
		if err := a.web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("the admin address is not served any more", "error", err)
		}
	}()
	return a, nil
}

// admin serves what a configuration says that the operator sees of an engine, whose API is a handler.
func (c edgeConfig) admin(e *engine.Engine, api http.Handler, m *metrics, logger *slog.Logger) (*admin, error) {
	view, err := c.Operator.view(e, api, logger)
	if err != nil {
		return nil, err
	}
	return startAdmin("admin_addr", c.AdminAddr, m, view, logger)
}

// url is where the operator's pages are, or empty.
func (a *admin) url() string {
	if a.listener == nil {
		return ""
	}
	return openURL(a.listener.Addr())
}

// stop ends it.
func (a *admin) stop() error {
	if a.web == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := a.web.Shutdown(ctx)
	if err != nil {
		err = a.web.Close()
	}
	<-a.done
	return err
}
