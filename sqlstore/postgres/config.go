package postgres

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// How many connections read: for units, unless the connection string says
// otherwise, and for those who look.
const (
	unitConnections = 16
	lookConnections = 4
)

// Settings of every connection, whatever the role or the database says.
var settings = map[string]string{
	"default_transaction_isolation":       "read committed",
	"synchronous_commit":                  "on",
	"lock_timeout":                        "0", // who waits for a turn has a deadline of his own
	"timezone":                            "UTC",
	"jit":                                 "off", // the cost of a statement on many keys lets PostgreSQL compile it for longer than it runs
	"idle_in_transaction_session_timeout": "10s", // who sleeps in a transaction must not keep the others waiting
}

// byKeys are settings of the connection that commits. Its statements go by keys, so planning
// them costs more than running them. A plan that was made while a table was small, or had no
// statistics, must not read all of the table when it has grown.
var byKeys = map[string]string{
	"plan_cache_mode":   "force_generic_plan",
	"enable_seqscan":    "off",
	"enable_bitmapscan": "off", // it would visit dead rows again and again
	"enable_hashjoin":   "off",
	"enable_mergejoin":  "off",
}

// byIndexes are settings of the connections that look for due work and at the simulated world: what they read
// is the first of an index. A plan that was made while there was none must not read all that comes later.
var byIndexes = map[string]string{
	"enable_seqscan":    "off",
	"enable_bitmapscan": "off",
}

// parse returns how the connections are made on which units read.
func parse(url string) (*pgxpool.Config, error) {
	size, err := poolSize(url)
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, malformed(err)
	}
	config.MaxConns = size
	config.ConnConfig.StatementCacheCapacity = 1024
	for name, value := range settings {
		config.ConnConfig.RuntimeParams[name] = value
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "ferry"
	}
	return config, nil
}

// poolSize returns how many units may read at once. What the connection string
// says counts, and nothing of the machine.
func poolSize(url string) (int32, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return 0, malformed(err)
	}
	said, ok := config.RuntimeParams["pool_max_conns"]
	if !ok {
		return unitConnections, nil
	}
	n, err := strconv.ParseInt(said, 10, 32)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("postgres: pool_max_conns is %q, and must be a number of connections: 1 or more", said)
	}
	return int32(n), nil
}

// malformed is the error of a connection string, without that string: it may have
// a password in it.
func malformed(err error) error {
	if parse, ok := errors.AsType[*pgconn.ParseConfigError](err); ok {
		err = errors.Unwrap(parse)
	}
	return fmt.Errorf("postgres: the connection string is not one of PostgreSQL: %w", err)
}
