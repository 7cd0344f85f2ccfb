package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/webhook"
)

// devConfig is the settings that ferry dev shares with ferry serve.
type devConfig struct {
	Config  string `help:"A configuration of ferry serve. Its store, keyset, chain and operator are ignored, and flags win over its fields." placeholder:"FILE"`
	Brand   string `help:"One word that names the service: brand.name of the configuration." placeholder:"NAME"`
	BaseURL string `name:"base-url" help:"Where payers reach the pages, as https://pay.example.com: base_url of the configuration." placeholder:"URL"`

	AllowWebhooks []string `name:"allow-webhooks" help:"Let webhooks go to a host name, as app, or to a private address or network, as 172.18.0.0/16, on any port. Repeat it, or separate by commas." placeholder:"HOST|CIDR"`
}

// settings are those of the configuration, if any, with what flags say instead.
func (c devCommand) settings() (config, error) {
	s := defaults()
	s.LogFormat, s.RateLimit = logText, rateConfig{}
	s.edgeConfig = edgeConfig{AdminAddr: "127.0.0.1:0"}
	if c.Config != "" {
		text, err := os.ReadFile(c.Config)
		if err != nil {
			return config{}, fmt.Errorf("--config: %w", err)
		}
		err = s.decode(text)
		s.Operator = operatorConfig{} // a sandbox has the inspector instead
		if err := cmp.Or(err, s.checkServer()); err != nil {
			return config{}, fmt.Errorf("configuration %s: %w", c.Config, err)
		}
	}
	return s, c.override(&s)
}

// override sets what flags say. An error names the flag, and the field of a
// configuration that it stands for.
func (c devCommand) override(s *config) error {
	for _, flag := range []struct {
		name  string
		given bool
		set   func()
	}{
		{"--addr", c.Addr != "", func() { s.Addr = c.Addr }},
		{"--admin-addr", c.AdminAddr != nil, func() { s.AdminAddr = *c.AdminAddr }},
		{"--log", c.Log != "", func() { s.LogRequests = true }},
		{"--rate-limit", c.RateLimit != nil, func() { s.RateLimit.Test = *c.RateLimit }},
		{"--brand", c.Brand != "", func() { s.Brand.Name = c.Brand }},
		{"--base-url", c.BaseURL != "", func() { s.BaseURL = c.BaseURL }},
	} {
		if !flag.given {
			continue
		}
		flag.set()
		if err := s.checkServer(); err != nil {
			return fmt.Errorf("%s: %w", flag.name, err)
		}
	}
	return nil
}

// engineConfig is what settings and flags say about the engine.
func (c devCommand) engineConfig(s config, seen *inspect.Recorder, logger *slog.Logger) (engine.Config, error) {
	allowed, err := webhook.ParseAllowed(c.AllowWebhooks...)
	if err != nil {
		return engine.Config{}, fmt.Errorf("--allow-webhooks: %w", err)
	}
	tariffs, err := s.Fees.tariffs()
	if err != nil {
		return engine.Config{}, err
	}
	ceilings, err := s.Outflow.ceilings()
	return engine.Config{
		AllowWebhooks: allowed, Deliveries: seen.Deliveries,

		Lease: c.Lease, Logger: logger, Tariffs: tariffs, Outflow: ceilings, KeyInitiations: s.KeyInitiations, NumberGuesses: s.NumberGuesses, Brand: ferry.Brand(s.Brand),
	}, err
}
