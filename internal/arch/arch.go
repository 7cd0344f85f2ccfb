// Package arch holds the rules of the tree that the compiler does not know, as
// tables; its tests compare them with the code. There is nothing here to
// import.
//
// A package imports lower floors only: never its own, never a higher one. Tests
// may import anything. The table of floors is in docs/layout.md.
package arch

import "strings"

// module is the path of the module at the top; those of the other modules of the tree
// begin with it.
const module = "github.com/ferrypay/ferry"

// relative returns the name of a package of the module as the tables have it.
func relative(pkg string) string {
	if pkg == module {
		return "."
	}
	return strings.TrimPrefix(pkg, module+"/")
}

// ours reports whether a package belongs to the tree.
func ours(pkg string) bool { return pkg == module || strings.HasPrefix(pkg, module+"/") }

// confined says which packages may import a dependency outside tests. A
// dependency that is not listed may be imported anywhere.
var confined = []struct {
	dependency string // an import path; those below it are meant too
	to         []string
	reason     string
}{
	{"github.com/gagliardetto/solana-go", []string{"provider/chain/solana", "provider/chain/solana/internal/*"}, "the core must not pull a Solana client"},
	{"github.com/shopspring/decimal", []string{"money", "provider/rates"},
		"decimals are for rates and for literals; amounts are integers"},
	{"database/sql", []string{"sqlstore", "sqlstore/*", "sqlstore/internal/*", "cmd/*"}, "a backend is the only place of SQL"},
	{"github.com/jackc/pgx", []string{"sqlstore/postgres", "sqlstore/pgtest"}, "a program on SQLite is not linked with pgx"},
	{"modernc.org/sqlite", []string{"sqlstore/sqlite", "sqlstore/internal/simdisk"}, "a program on PostgreSQL is not linked with SQLite"},
	{"github.com/pressly/goose", []string{"sqlstore", "sqlstore/*", "sqlstore/internal/*"}, "a backend is the only place of SQL"},
	{"github.com/tink-crypto", []string{"seal/tinkseal"}, "who brings a key of their own need not bring Tink"},
	{"github.com/stretchr/testify", suites, "only tests and suites may fail a test"},
	{"pgregory.net/rapid", suites, "only tests and suites may fail a test"},
	{"go.uber.org/mock", suites, "only tests and suites may fail a test"},
	{"go.uber.org/goleak", suites, "only tests and suites may fail a test"},
	{"github.com/getkin/kin-openapi", suites, "a server does not check itself while it serves"},
	{"github.com/santhosh-tekuri/jsonschema", suites, "a server does not check itself while it serves"},
	{"testing", append([]string{"ferrytest", "ferrytest/sim", "tests/scenario", "tests/bench", "tests/bench/*"}, suites...), "the product is no test"},
	{"github.com/chromedp", suites, "only tests drive a browser"},
	{"github.com/makiuchi-d/gozxing", suites, "only tests read pictures"},
	{"github.com/boombuler/barcode", []string{"hosted"}, "only pages draw"},
	{"github.com/prometheus", []string{"cmd/*"}, "a library does not choose its metrics"},
	{"github.com/alecthomas/kong", []string{"cmd/*"}, "only a binary has a command line"},
	{"math/rand", []string{"cmd/*", "internal/docgen", "ferrytest/sim", "sqlstore/internal/simdisk"}, "randomness is injected"},
	{"github.com/google/uuid", []string{"."}, "identifiers come from the unit of work"},
}

// suites are the packages that are there for tests only: conformance suites, mocks and
// what runs an engine for a test.
var suites = []string{
	"store/storetest", "sandbox/sandboxtest", "seal/sealtest", "tests/apitest", "tests/pgwire", "sqlstore/pgtest", "sqlstore/sqlitetest", "sqlstore/internal/sqltest", "internal/enginetest", "internal/storms",
	"provider/chain/chaintest", "provider/chain/solana/localnet", "provider/bank/banktest", "provider/kyc/kyctest", "provider/rates/ratestest", "provider/biller/billertest",
	"clockmock", "provider/chain/chainmock", "provider/bank/bankmock", "provider/kyc/kycmock", "provider/rates/ratesmock", "provider/biller/billermock",
}

// embedded is all that engine and memstore may bring into a program beside the
// standard library and this module: import paths, and what is below them.
var embedded = []string{
	"github.com/shopspring/decimal",
	"github.com/google/uuid",
	"code.dny.dev/ssrf",
	"github.com/go-json-experiment/json",
	"filippo.io/edwards25519",
	"github.com/mr-tron/base58",
	"github.com/klauspost/compress",
	"golang.org/x/crypto",
	"golang.org/x/net",
	"golang.org/x/sync",
	"golang.org/x/sys",
	"golang.org/x/text",
	"golang.org/x/time",
}

// domains are the packages in which time and identifiers come from the unit of
// work, and randomness from their configuration.
var domains = []string{"customers", "wallets", "wallets/outgoing", "wallets/deposits", "wallets/custody", "bankfeed", "payments", "payments/links", "payments/accounts", "checkout", "business", "fees", "statement", "disburse", "webhook", "ledger", "idempotency", "lease", "seal"}

// ambient is what domains do not call: package, and the names in it; no names
// means all of them.
var ambient = map[string][]string{
	"time":                   {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"},
	"crypto/rand":            {"Read", "Int", "Prime", "Text"},
	"math/rand":              nil,
	"math/rand/v2":           nil,
	"github.com/google/uuid": nil,
}

// allowed are the calls of ambient that stand for a reason, by file.
var allowed = map[string]string{
	// Deliveries are calls of a real network, which takes real time.
	"webhook/dispatcher.go":   "time.NewTicker",
	"webhook/turns_record.go": "time.AfterFunc",
	// A request waits for another one's call of a provider, which takes real time.
	"customers/inquiry.go": "time.NewTicker",
}

// maxLines is the greatest length of a file outside tests and suites.
const maxLines = 450

// published are the modules of the tree that others import, by their directories.
var published = []string{".", "cmd/ferry", "provider/chain/solana", "seal/tinkseal", "sqlstore"}

// maxModules and maxForeign are how many modules the graph of a program on engine and
// memstore may have beside ferry, and how many of their packages it may compile.
const maxModules, maxForeign = 50, 11

// heavy are modules that such a program does not even know by name: browsers,
// validators, linters, drivers, metrics, and what only a binary needs.
var heavy = []string{
	"github.com/chromedp", "github.com/makiuchi-d/gozxing", "github.com/getkin/kin-openapi", "github.com/santhosh-tekuri/jsonschema", "honnef.co/go/tools",
	"github.com/jackc/pgx", "modernc.org/sqlite", "github.com/pressly/goose", "github.com/prometheus",
	"github.com/alecthomas/kong", "github.com/tink-crypto", "github.com/gagliardetto/solana-go",
}
