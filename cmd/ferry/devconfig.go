package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/go-json-experiment/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/webhook"
)

// devConfig is the settings that ferry dev shares with ferry serve.
type devConfig struct {
	Config  string `help:"Configuration of ferry serve. All but its store and keyset counts, where no flag says otherwise." placeholder:"FILE"`
	Brand   string `help:"One word that names the service, as brand.name of the configuration." placeholder:"NAME"`
	BaseURL string `name:"base-url" help:"Where payers reach the pages, as base_url of the configuration." placeholder:"URL"`

	AllowWebhooks []string `name:"allow-webhooks" help:"Let webhooks go to a host, or to a private address or network, as among containers. Repeat it, or separate by commas." placeholder:"HOST|CIDR"`
}

// settings are those of the configuration, if any, with what flags say instead.
func (c devCommand) settings() (config, error) {
	s := defaults()
	s.LogFormat, s.RateLimit = logText, rateConfig{}
	s.edgeConfig = edgeConfig{AdminAddr: "127.0.0.1:0"}
	if c.Config != "" {
		text, err := os.ReadFile(c.Config)
		if err == nil {
			if err = json.Unmarshal(text, &s, json.RejectUnknownMembers(true)); err != nil {
				err = explain(err)
			}
		}
		if err != nil {
			return config{}, fmt.Errorf("configuration %s: %w", c.Config, err)
		}
	}
	if c.Addr != "" {
		s.Addr = c.Addr
	}
	if c.AdminAddr != nil {
		s.AdminAddr = *c.AdminAddr
	}
	if c.Log == "requests" {
		s.LogRequests = true
	}
	if c.RateLimit != nil {
		s.RateLimit.Test = *c.RateLimit
	}
	if c.Brand != "" {
		s.Brand.Name = c.Brand
	}
	if c.BaseURL != "" {
		s.BaseURL = c.BaseURL
	}
	if err := s.checkServer(); err != nil {
		return config{}, fmt.Errorf("settings of ferry dev: %w", err)
	}
	return s, nil
}

// engineConfig is what settings and flags say about the engine.
func (c devCommand) engineConfig(s config, logger *slog.Logger) (engine.Config, error) {
	allowed, err := webhook.ParseAllowed(c.AllowWebhooks...)
	if err != nil {
		return engine.Config{}, fmt.Errorf("--allow-webhooks: %w", err)
	}
	tariffs, err := s.Fees.tariffs()
	return engine.Config{
		AllowWebhooks: allowed,

		Lease: c.Lease, Logger: logger, Tariffs: tariffs, KeyInitiations: s.KeyInitiations, NumberGuesses: s.NumberGuesses, Brand: ferry.Brand(s.Brand),
	}, err
}
