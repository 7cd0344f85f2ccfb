package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"reflect"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/server"
)

// config is the configuration of ferry serve: a JSON object. It holds no secret but, if one
// must, the password in the URL of the store, and keys in the URLs of nodes.
type config struct {
	// Addr is where to listen; port 0 picks a free one.
	Addr string `json:"addr"`
	// Origins are those of the shops' pages that may call the API.
	Origins []httpapi.Origin `json:"origins,omitempty"`
	// Store is where the data is; StoreFile and StoreEnv name a file or a
	// variable of the environment that says so instead. One of the three.
	Store     storeAddress `json:"store"`
	StoreFile string       `json:"store_file,omitempty"`
	StoreEnv  string       `json:"store_env,omitempty"`
	// Keyset holds the keys of secrets and personal data.
	Keyset keysetConfig `json:"keyset"`
	// LogLevel and LogFormat say what is written to standard error.
	LogLevel  slog.Level `json:"log_level"`
	LogFormat logFormat  `json:"log_format"`
	// RateLimit is how many requests a second a key may make.
	RateLimit rateConfig `json:"rate_limit"`
	// KeyInitiations is how many identity verifications a key may initiate in an hour.
	KeyInitiations int `json:"key_initiations"`
	// NumberGuesses is how many wrong identity numbers a business may name in a day.
	NumberGuesses int `json:"number_guesses"`
	edgeConfig
	// BaseURL is where payers reach the server, when that is not where it listens.
	BaseURL string `json:"base_url,omitempty"`
	// Fees are what payments cost, and Brand the words with the maker's name.
	Fees  feesConfig  `json:"fees,omitempty"`
	Brand brandConfig `json:"brand"`
	// Outflow is the most that businesses may send away.
	Outflow ceilingsConfig `json:"outflow,omitempty"`
	// Ramp is what USDC are bought and sold for.
	Ramp rampConfig `json:"ramp,omitzero"`
	// Chain is the real chains.
	Chain chainsConfig `json:"chain,omitzero"`
}

// keysetConfig says where the keyset is, and the key that it is encrypted under.
type keysetConfig struct {
	File string `json:"file" name:"keyset" help:"File of the keyset." placeholder:"FILE"`
	// One of the two.
	KEKFile string `json:"kek_file,omitempty" name:"kek-file" help:"File of the key that encrypts the keyset." placeholder:"FILE"`
	KEKEnv  string `json:"kek_env,omitempty" name:"kek-env" help:"Variable of the environment with the key that encrypts the keyset." placeholder:"NAME"`
}

// rateConfig is in requests a second; 0 is any number.
type rateConfig struct {
	Test int `json:"test"`
	Live int `json:"live"`
}

// logFormat is how a record of the log is written.
type logFormat string

const (
	logJSON logFormat = "json"
	logText logFormat = "text"
)

// defaults are what a configuration need not say (docs/api.md, "Rate limits").
func defaults() config {
	return config{
		Addr:      "127.0.0.1:8080",
		LogLevel:  slog.LevelInfo,
		LogFormat: logJSON,
		RateLimit: rateConfig{Test: 25, Live: 100},

		KeyInitiations: 100,
		NumberGuesses:  50,
		edgeConfig:     defaultEdge,
	}
}

// readConfig returns the configuration in a file, whole and checked.
func readConfig(file string) (config, error) {
	c, err := parseConfig(file)
	if err != nil {
		return config{}, fmt.Errorf("configuration %s: %w", file, err)
	}
	return c, nil
}

func parseConfig(file string) (config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return config{}, errors.Unwrap(err) // it is named already
	}
	c := defaults()
	if err := c.decode(text); err != nil {
		return config{}, err
	}
	if c.Store.hasPassword() {
		if err := private(file); err != nil {
			return config{}, fmt.Errorf("it holds a password, and %w", err)
		}
	}
	if c.Chain.hasSecret() {
		if err := private(file); err != nil {
			return config{}, fmt.Errorf("the URL of a node in it may hold a key, and %w", err)
		}
	}
	if err := c.findStore(); err != nil {
		return config{}, err
	}
	return c.complete()
}

// complete checks a configuration and fills in the words of its brand.
func (c config) complete() (config, error) {
	err := c.check()
	c.Brand = brandConfig(c.Brand.brand())
	return c, err
}

// findStore replaces a reference to the store's address by the address.
func (c *config) findStore() error {
	if err := oneOf("store, store_file and store_env", string(c.Store), c.StoreFile, c.StoreEnv); err != nil {
		return err
	}
	switch {
	case c.StoreFile != "":
		text, err := readPrivate(c.StoreFile)
		if err != nil {
			return fmt.Errorf("store_file: %w", err)
		}
		if c.Store = storeAddress(strings.TrimSpace(string(text))); c.Store == "" {
			return fmt.Errorf("store_file: %s is empty", c.StoreFile)
		}
	case c.StoreEnv != "":
		if c.Store = storeAddress(os.Getenv(c.StoreEnv)); c.Store == "" {
			return fmt.Errorf("store_env: the variable %s is not set, or empty", c.StoreEnv)
		}
	}
	return nil
}

// check refuses what a server cannot be started with.
func (c *config) check() error {
	if err := c.Store.durable(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := c.Keyset.check("keyset.file", "keyset.kek_file", "keyset.kek_env"); err != nil {
		return err
	}
	if err := cmp.Or(c.Chain.check(), c.checkServer()); err != nil {
		return err
	}
	tariffs, err := c.Fees.tariffs()
	if err == nil && c.Chain.Live != nil && !(tariffs[fees.Checkout].Free() && tariffs[fees.Link].Free()) {
		err = errNoRatesYet
	}
	return err
}

// anyOrMore is what a limit may be that can be turned off.
const anyOrMore = "0, for any number, or more"

// checkServer is check without the store and its keys.
func (c *config) checkServer() error {
	if err := c.checkOrigins(); err != nil {
		return err
	}
	switch {
	case c.Addr == "":
		return wrongValue("addr", "a host and a port, as 127.0.0.1:8080")
	case c.LogFormat != logJSON && c.LogFormat != logText:
		return wrongValue("log_format", allowed(reflect.TypeFor[logFormat]()))
	case c.RateLimit.Test < 0:
		return wrongValue("rate_limit.test", anyOrMore)
	case c.RateLimit.Live < 0:
		return wrongValue("rate_limit.live", anyOrMore)
	case c.KeyInitiations < 1:
		return wrongValue("key_initiations", "1 or more")
	case c.NumberGuesses < 1:
		return wrongValue("number_guesses", "1 or more")
	}
	if _, err := c.Outflow.ceilings(); err != nil {
		return err
	}
	if _, err := c.Fees.tariffs(); err != nil {
		return err
	}
	if _, err := c.Ramp.pricing(); err != nil {
		return err
	}
	return errors.Join(checkBase(c.BaseURL), ferry.Brand(c.Brand).Check(), c.edgeConfig.check())
}

func (c *config) checkOrigins() error {
	for _, origin := range c.Origins {
		if _, err := httpapi.ParseOrigin(string(origin)); err != nil {
			return fmt.Errorf("origins: %w", err)
		}
	}
	return nil
}

// check refuses a keyset that is not named. Errors call it as the caller does: by
// fields or by flags.
func (k keysetConfig) check(file, kekFile, kekEnv string) error {
	if k.File == "" {
		return fmt.Errorf("%s is missing: the file of the keyset", file)
	}
	return oneOf(kekFile+" and "+kekEnv, k.KEKFile, k.KEKEnv)
}

// checkFlags is check for commands without a configuration.
func (k keysetConfig) checkFlags() error {
	return k.check("--keyset (or --config)", "--kek-file", "--kek-env")
}

// oneOf refuses all but one that is given.
func oneOf(names string, values ...string) error {
	given := 0
	for _, v := range values {
		if v != "" {
			given++
		}
	}
	if given != 1 {
		return fmt.Errorf("%s: exactly one must be given", names)
	}
	return nil
}

// others are the bits of a file that let in who is neither its owner nor of its group.
const others fs.FileMode = 0o007

// private refuses a file that everybody on the machine may read or write.
func private(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if mode := info.Mode().Perm(); mode&others != 0 {
		return fmt.Errorf("%s is open to everybody (mode %04o): chmod 600 %s", file, mode, file)
	}
	return nil
}

func readPrivate(file string) ([]byte, error) {
	if err := private(file); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// server is what a configuration says about the server.
func (c config) server(logger *slog.Logger) server.Config {
	return server.Config{
		Config: httpapi.Config{
			RateLimit: c.RateLimit.Test, LiveRateLimit: c.RateLimit.Live, Logger: logger,
			BaseURL: strings.TrimSuffix(c.BaseURL, "/"), Origins: c.Origins,
		},
		TrustedProxies: c.TrustedProxies, Connections: c.caps(),
	}
}

// logger writes records of a configuration's level and form to standard error.
func (c *config) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == logText {
		return slog.New(slog.NewTextHandler(redacting{os.Stderr}, options))
	}
	return slog.New(slog.NewJSONHandler(redacting{os.Stderr}, options))
}
