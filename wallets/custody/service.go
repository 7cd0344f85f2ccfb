package custody

import (
	"cmp"
	"log/slog"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/internal/memo"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Config is what a Service needs besides its stores. Wallets, Outgoing, Deposits,
// Chains and Sealer are required; zero fields take the defaults they name.
type Config struct {
	// Wallets suspends wallets, and ends that.
	Wallets *wallets.Service
	// Outgoing ends the transfers that an adopted payment has paid.
	Outgoing *outgoing.Service
	// Deposits reads the histories of addresses.
	Deposits *deposits.Service
	Chains   wallets.Chains
	// Sealer proves the marks of memos.
	Sealer seal.Sealer
	// Logger logs what an operator should know. Default: no log.
	Logger *slog.Logger
	// Lease is how long a worker may be busy with the holds of one pass before another
	// one takes them over. Default: 1 min.
	Lease time.Duration
	// Settling is how many blocks must be finalized after a hold began before
	// the chain is matched with the store: several times the life of a
	// blockhash. Default: 600.
	Settling uint64
}

func (c Config) withDefaults() Config {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.Lease = cmp.Or(c.Lease, time.Minute)
	c.Settling = cmp.Or(c.Settling, 600)
	return c
}

// Service compares what managed addresses hold with what the store says, and stops money
// from leaving while the store is older than the chain. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[wallets.Tx]
	config Config
	marks  memo.Marks

	// started has the environments whose hold, if any, was begun or begun
	// anew by this service.
	starting sync.Mutex
	started  map[ferry.Env]bool

	// verified has the environments in which the store was found to know
	// what the chain says was sent.
	verifying sync.Mutex
	verified  map[ferry.Env]bool

	// drifted is by how much addresses drifted in the last pass of Reconcile.
	reconciling sync.Mutex
	drifted     map[ferry.Env]map[wallets.AddressID]int64
}

// New returns a service over the given units.
func New(units ferry.EnvUnits[wallets.Tx], config Config) *Service {
	return &Service{
		units: units, config: config.withDefaults(), marks: memo.Marks{Sealer: config.Sealer},
		started: map[ferry.Env]bool{}, verified: map[ferry.Env]bool{}, drifted: map[ferry.Env]map[wallets.AddressID]int64{},
	}
}
