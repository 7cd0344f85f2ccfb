package main

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/hosted"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/webhook"
)

// brandConfig is the words that carry the maker's name.
type brandConfig struct {
	// SignatureHeader is the header of webhooks that bears their signature.
	SignatureHeader string `json:"signature_header"`
	// PlatformFee is the name of the platform's fee among the fees of a payment.
	PlatformFee string `json:"platform_fee"`
	// MessageSource is the source that messages of the dialog to a shop bear.
	MessageSource string `json:"message_source"`
}

var defaultBrand = brandConfig{webhook.DefaultHeader, httpapi.DefaultPlatformFee, hosted.DefaultSource}

var (
	headerName = regexp.MustCompile(`^x-[a-z0-9-]{1,62}$`)
	memberName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	sourceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
)

// check refuses words that could not be used where they stand.
func (b brandConfig) check() error {
	switch {
	case !headerName.MatchString(b.SignatureHeader):
		return errors.New("brand.signature_header: must be x- and lower-case letters, digits and dashes")
	case !memberName.MatchString(b.PlatformFee) || slices.Contains([]string{"processing_fee", "total_fees"}, b.PlatformFee):
		return errors.New("brand.platform_fee: must be lower-case letters, digits and underscores, and none of the other fees")
	case !sourceName.MatchString(b.MessageSource):
		return errors.New("brand.message_source: must be letters, digits, points, dashes and underscores")
	}
	return nil
}

// checkBase refuses an address of the server that payers could not come to.
func checkBase(base string) error {
	u, err := url.Parse(base)
	switch {
	case base == "":
		return nil
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil:
		return errors.New("base_url: must be like https://pay.example.com")
	case strings.TrimSuffix(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return errors.New("base_url: must end with its host and port")
	}
	return nil
}
