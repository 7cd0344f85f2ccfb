package webhook

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
)

// Config is what a Service is made with. A zero field means its default.
type Config struct {
	// Sealer encrypts signing secrets. Required.
	Sealer seal.Sealer
	// Sandbox lets events of the test environment go to http and to loopback
	// addresses. Without it, both environments are treated as live.
	Sandbox bool
	// Allow is private receivers of the test environment in a Sandbox: none.
	Allow Allowed
	// SignatureHeader is the name of the specified header: x-service-signature.
	SignatureHeader string
	// Random is where secrets and jitter come from: crypto/rand.
	Random io.Reader
	// Clock is the real time, in which deliveries last and receivers check
	// the age of a signature, whatever the clock of the units says: the machine's.
	Clock ferry.Clock
	// Logger logs disabled endpoints and faults. Default: no log.
	Logger *slog.Logger

	// Schedule is the time before each attempt of an event, counted from the
	// attempt before it. Its length is the number of attempts.
	Schedule []time.Duration
	// Timeout is how long an endpoint may take to answer: 10 seconds.
	Timeout time.Duration
	// ProbeAfter is the number of failures in a row after which an endpoint is
	// only probed: 3; ProbeEvery is the time between two probes: 5 minutes.
	ProbeAfter int
	ProbeEvery time.Duration
	// DisableAfter is how long an endpoint may do nothing but fail: 5 days.
	DisableAfter time.Duration
	// Overlap is how long a former secret signs when a rotation does not say:
	// 24 hours.
	Overlap time.Duration
	// Workers is how many attempts are under way at a time: 128; PerEndpoint how
	// many of them at one endpoint: 16.
	Workers, PerEndpoint int
	// Sequential makes a pass attempt and record one turn after the other, in the goroutine
	// that calls it: the order of goroutines follows from no seed. It is for simulations.
	Sequential bool

	// Resolver looks host names up: the pure Go resolver.
	Resolver Resolver
	// Resets is how often the events of an environment were removed, to be counted anew: never.
	Resets func(env ferry.Env) uint64
	// Around wraps the guarded transport of an environment, so that a sandbox
	// can make receivers fail. Default: nothing around it.
	Around func(env ferry.Env, guarded http.RoundTripper) http.RoundTripper
}

// Resolver looks host names up, as *net.Resolver does.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// DefaultSchedule is the time before each attempt (docs/api.md, "Webhook
// delivery").
func DefaultSchedule() []time.Duration {
	return []time.Duration{
		0, 5 * time.Second, 30 * time.Second, 5 * time.Minute, 30 * time.Minute,
		2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// DefaultHeader is the name of the specified signature header.
const DefaultHeader = "x-service-signature"

func (c Config) withDefaults() Config {
	c.Random = cmp.Or(c.Random, rand.Reader)
	c.Clock = cmp.Or[ferry.Clock](c.Clock, ferry.SystemClock{})
	if c.Resets == nil {
		c.Resets = func(ferry.Env) uint64 { return 0 }
	}
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.Schedule == nil {
		c.Schedule = DefaultSchedule()
	}
	c.Resolver = cmp.Or[Resolver](c.Resolver, &net.Resolver{PreferGo: true})
	c.SignatureHeader = cmp.Or(c.SignatureHeader, DefaultHeader)
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	c.ProbeAfter = cmp.Or(c.ProbeAfter, 3)
	c.ProbeEvery = cmp.Or(c.ProbeEvery, 5*time.Minute)
	c.DisableAfter = cmp.Or(c.DisableAfter, 5*24*time.Hour)
	c.Overlap = cmp.Or(c.Overlap, 24*time.Hour)
	c.Workers = cmp.Or(c.Workers, 128)
	c.PerEndpoint = cmp.Or(c.PerEndpoint, 16)
	return c
}

// Service keeps endpoints and delivers events. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	// outside is the way out of each environment.
	outside map[ferry.Env]outlet
	turns   *turns
}

// outlet is a guard and a transport that dials behind it.
type outlet struct {
	guard     *guard
	transport http.RoundTripper
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	config = config.withDefaults()
	s := &Service{units: units, config: config, outside: map[ferry.Env]outlet{}}
	s.turns = newTurns(config, s.send, s.record)
	if config.Sequential {
		s.turns.queue = &queue{}
	}
	for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
		g := newGuard(s.config.Sandbox && env == ferry.Test, s.config.Allow, s.config.Resolver)
		s.outside[env] = outlet{g, newTransport(g, env, s.config)}
	}
	return s
}

func (s *Service) guard(env ferry.Env) *guard { return s.outside[env].guard }
