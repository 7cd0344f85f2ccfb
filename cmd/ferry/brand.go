package main

import (
	"errors"
	"net/url"
	"strings"

	"github.com/ferrypay/ferry"
)

// brandConfig is ferry.Brand in a configuration.
type brandConfig struct {
	Name            string `json:"name"`
	SignatureHeader string `json:"signature_header"`
	PlatformFee     string `json:"platform_fee"`
	MessageSource   string `json:"message_source"`
	Global          string `json:"global,omitempty"`
}

// brand returns the words, those that are left out included.
func (b brandConfig) brand() ferry.Brand { return ferry.Brand(b).Complete() }

// checkBase refuses an address of the server that payers could not come to.
func checkBase(base string) error {
	u, err := url.Parse(base)
	switch {
	case base == "":
		return nil
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil:
		return errors.New("base_url: must be like https://pay.example.com")
	case strings.TrimSuffix(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return errors.New("base_url: must end with its host, or host and port: no path, no query")
	}
	return nil
}
