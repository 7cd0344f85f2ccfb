package client

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says which server a client calls, and how. Zero values are the defaults.
type Config struct {
	// BaseURL is where the server is, with or without /v1 at its end: http://127.0.0.1:8080.
	BaseURL string
	// Key is the secret key of the calls. Without one, only calls succeed that need no
	// secret key.
	Key string
	// HTTPClient makes the requests: one of its own. The client copies it, because it follows
	// no redirects.
	HTTPClient *http.Client
	// Timeout bounds each attempt of a call, the reading of its answer included: 60 seconds.
	// The context of a call bounds all attempts and the pauses between them.
	Timeout time.Duration
	// Attempts is how often a call is attempted at most: 4 times. 1 never repeats.
	Attempts int
	// Pause is the longest pause before the second attempt: 200 milliseconds. It doubles with
	// each further attempt, up to MaxPause. Each pause is drawn at random up to its bound.
	Pause time.Duration
	// MaxPause bounds the pauses: 30 seconds. A server that asks for a longer pause ends the
	// call; its error has RetryAfter.
	MaxPause time.Duration
	// MaxAnswer is how many bytes an answer has at most: 32 MiB.
	MaxAnswer int64
	// Variant is the dialect of payment links: what the business has chosen.
	Variant Variant
}

// The defaults of Config.
const (
	DefaultBaseURL   = "http://127.0.0.1:8080"
	defaultTimeout   = 60 * time.Second
	defaultAttempts  = 4
	defaultPause     = 200 * time.Millisecond
	defaultMaxPause  = 30 * time.Second
	defaultMaxAnswer = 32 << 20
)

func (c Config) withDefaults() Config {
	c.BaseURL = cmp.Or(c.BaseURL, DefaultBaseURL)
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	c.Attempts = cmp.Or(c.Attempts, defaultAttempts)
	c.Pause = cmp.Or(c.Pause, defaultPause)
	c.MaxPause = cmp.Or(c.MaxPause, defaultMaxPause)
	c.MaxAnswer = cmp.Or(c.MaxAnswer, defaultMaxAnswer)
	return c
}

// New returns a client. It calls nothing yet. It refuses a BaseURL that is none.
func New(config Config) (*Client, error) {
	config = config.withDefaults()
	base, err := baseOf(config.BaseURL)
	if err != nil {
		return nil, err
	}
	return newClient(&caller{
		http: httpClientOf(config.HTTPClient), base: base, authorize: authorizer(config.Key), variant: string(config.Variant),
		timeout: config.Timeout, maxAnswer: config.MaxAnswer,
		patience: patience{attempts: config.Attempts, first: config.Pause, most: config.MaxPause},
	}), nil
}

var errBaseURL = errors.New("client: BaseURL must begin with http:// or https://, and have neither a query nor a user, as http://127.0.0.1:8080")

// baseOf returns a base URL without the slash and the /v1 at its end: paths begin with those.
func baseOf(text string) (string, error) {
	base, err := url.Parse(text)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" ||
		base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return "", errBaseURL // the text is not repeated: it may hold a password
	}
	return strings.TrimSuffix(strings.TrimRight(base.String(), "/"), "/v1"), nil
}

// httpClientOf returns a client that follows no redirect. A redirected POST would become a
// GET, and the key would go where the answer says.
func httpClientOf(given *http.Client) *http.Client {
	var own http.Client
	if given != nil {
		own = *given
	}
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &own
}

// authorizer returns what puts a key into a header. Printing a function shows nothing of it.
func authorizer(key string) func(http.Header) {
	return func(h http.Header) {
		if key != "" {
			h.Set("Authorization", "Bearer "+key)
		}
	}
}

// String names the server, and not the key.
func (c Config) String() string {
	return fmt.Sprintf("client of %s", c.withDefaults().BaseURL)
}

// GoString is String: also %#v shows no key.
func (c Config) GoString() string { return c.String() }

// LogValue is String: no log has the key.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }
