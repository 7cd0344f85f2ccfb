package business

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Config is what a Service is made with. A zero field means its default.
type Config struct {
	// Pepper is the key of key digests. Required: with another one, no key
	// that was made before is known.
	Pepper Pepper
	// Random is where keys come from: crypto/rand.
	Random io.Reader
	// Clocks say when keys of each environment expire: the machine's for both.
	Clocks ferry.Clocks
	// ChosenKeys accepts chosen keys of the test environment (GivenKeys). For sandboxes
	// only: a chosen key may be easy to guess.
	ChosenKeys bool
}

const (
	// DefaultOverlap is how long a rotated key stays valid when the rotation does not say.
	DefaultOverlap = 24 * time.Hour
	// MaxOverlap is the longest overlap of a rotation.
	MaxOverlap = 7 * 24 * time.Hour
)

func (c Config) withDefaults() Config {
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Clocks == (ferry.Clocks{}) {
		c.Clocks = ferry.OneClock(ferry.SystemClock{})
	}
	return c
}

// Service is the businesses and their keys. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	seen   *keyCache
	// digest is that of the pepper.
	digest func(secret string) string
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	config = config.withDefaults()
	return &Service{units, config, newKeyCache(), config.Pepper.digester()}
}

// CreateParams describe a new business.
type CreateParams struct {
	// Name has 1 to 100 characters.
	Name string
	// SourceAccounts are opened at the bank beforehand.
	SourceAccounts []SourceAccount
	// Keys are first keys that are given instead of made.
	Keys GivenKeys
}

// Created is a new business with its first keys.
type Created struct {
	Business               Business
	Secret, Public, Widget Minted
}

// Minted is a new key with its secret text, which is shown only here.
type Minted struct {
	Key    Key
	Secret string
}

// Create adds a business to the environment of scope, with default preferences
// and one key of each type. An empty scope.Business makes a new business; the
// id of one that lives in the other environment adds it to this one too. Errors:
// ferry.ErrValidation, ErrExists.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p CreateParams) (Created, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Created, error) {
		return s.CreateIn(ctx, tx, scope, p)
	})
}

// CreateIn is Create within a unit.
func (s *Service) CreateIn(ctx context.Context, tx Tx, scope ferry.Scope, p CreateParams) (Created, error) {
	var problems ferry.Problems
	name := CheckName(p.Name, &problems)
	s.checkGiven(scope.Env, p.Keys, &problems)
	if err := problems.Err(); err != nil {
		return Created{}, err
	}
	if scope.Business == "" {
		scope.Business = ferry.BusinessID(tx.NewID("biz_"))
	}
	switch _, err := Of(ctx, tx, scope); {
	case err == nil:
		return Created{}, ErrExists
	case !errors.Is(err, ErrNotFound):
		return Created{}, err
	}
	b := Business{
		Scope:          scope,
		Name:           name,
		Preferences:    DefaultPreferences(),
		SourceAccounts: p.SourceAccounts,
		CreatedAt:      tx.Now(),
		UpdatedAt:      tx.Now(),
	}
	if err := Kind.Insert(ctx, tx, b); err != nil {
		return Created{}, err
	}
	return s.withKeys(ctx, tx, b, p.Keys)
}

// withKeys gives a new business its first keys.
func (s *Service) withKeys(ctx context.Context, tx Tx, b Business, given GivenKeys) (Created, error) {
	created := Created{Business: b}
	var err error
	if created.Secret, err = s.firstKey(ctx, tx, b.Scope, SecretKey, given.Secret); err != nil {
		return Created{}, err
	}
	if created.Public, err = s.firstKey(ctx, tx, b.Scope, PublicKey, given.Public); err != nil {
		return Created{}, err
	}
	created.Widget, err = s.firstKey(ctx, tx, b.Scope, WidgetKey, given.Widget)
	return created, err
}

// firstKey stores the key that is given, or mints one.
func (s *Service) firstKey(ctx context.Context, tx Tx, scope ferry.Scope, t KeyType, given string) (Minted, error) {
	if given == "" {
		return s.mint(ctx, tx, Key{Scope: scope, Type: t})
	}
	return s.store(ctx, tx, Key{Scope: scope, Type: t}, given)
}

// Business returns the business of a scope, or ErrNotFound.
func (s *Service) Business(ctx context.Context, scope ferry.Scope) (Business, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Business, error) {
		return Of(ctx, tx, scope)
	})
}

// Businesses returns the businesses of an environment in order of id after the
// given one, at most limit.
func (s *Service) Businesses(ctx context.Context, env ferry.Env, after ferry.BusinessID, limit int) ([]Business, error) {
	return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) ([]Business, error) {
		return Kind.After(ctx, tx, records.Where(records.Is("env", env)), after, limit)
	})
}
