package solana_test

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/ferrypay/ferry/internal/canary"
	"github.com/ferrypay/ferry/provider/chain"
)

// canaries are secrets in every form in which something could show them. No log of any test may.
type canaries struct {
	mu   sync.Mutex
	all  map[string]string // what each form is
	said log
}

var secrets = canaries{all: map[string]string{keyOfANode: "the key in the URL of a node"}}

// keyOfANode stands in the URLs of nodes.
const keyOfANode = "sesame"

// debug is a log of all that a chain or an engine says, which no secret may reach.
func (c *canaries) debug() *slog.Logger {
	return slog.New(slog.NewTextHandler(&c.said, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// watch makes a seed one of the secrets.
func (c *canaries) watch(s chain.Seed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := s.Seal(func(plain []byte) ([]byte, error) {
		for _, form := range canary.Forms(plain) {
			c.all[form] = "the seed of " + string(s.Address())
		}
		return nil, nil
	})
	if err != nil {
		panic(err)
	}
}

// shown are the secrets that a text shows.
func (c *canaries) shown(text string) (found []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for form, what := range c.all {
		if strings.Contains(text, form) {
			found = append(found, what)
		}
	}
	return found
}

func TestMain(m *testing.M) {
	code := m.Run()
	if found := secrets.shown(secrets.said.String()); len(found) > 0 {
		fmt.Fprintln(os.Stderr, "FAIL: a log of these tests shows", strings.Join(found, ", "))
		code = 1
	}
	os.Exit(code)
}

func TestASecretIsFoundInEachForm(t *testing.T) {
	s := seed(t)
	for form, what := range secrets.all {
		if what == "the seed of "+string(s.Address()) && len(secrets.shown("level=DEBUG seed="+form+" key=1")) == 0 {
			t.Errorf("%q is not found", form)
		}
	}
}
