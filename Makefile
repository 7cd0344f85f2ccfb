# make            explains itself
# make test       is everything that decides whether a change is good

SHELL := /bin/sh
.DEFAULT_GOAL := help

GO ?= go
# How long each fuzz target and each benchmark runs, and how often the latter.
FUZZTIME ?= 10s
BENCHTIME ?= 500ms
ROUNDS ?= 5
# All packages of the modules that go.work lists.
PKG ?= work
# How many accidents each store has to survive in make crash, and what they are
# drawn from; 0 draws that too.
KILLS ?= 200
SEED ?= 0
# How many payments make chainfaults makes, drawn from SEED too.
PAYMENTS ?= 10000
# How many stories each store lives through in make stories, drawn from SEED too.
STORIES ?= 1000
# How many storms make sim runs, from which seed on, and how long each of them is.
RUNS ?= 200
FIRST ?= 1
STEPS ?= 4000
# How long make storm runs.
HOURS ?= 8
# On which store make sim and make storm run: memory, sqlite (where the power is cut, too) or postgres.
STORE ?= memory
STORMS_memory := ./ferrytest/sim
STORMS_sqlite := ./sqlstore/sqlite
STORMS_postgres := -tags postgres ./sqlstore/postgres
STORMS = $(or $(STORMS_$(STORE)),$(error STORE is memory, sqlite or postgres))
# The file that remembers the storms on a store.
NOTES = bin/storms$(if $(filter-out memory,$(STORE)),-$(STORE)).json

# Version stamps need a repository that the present user owns; nothing here uses them. Without the paths
# of this machine, what is compiled here serves a test that installs the binary elsewhere, too.
export GOFLAGS := -buildvcs=false -trimpath $(GOFLAGS)
# The race detector is C.
export CGO_ENABLED := 1

# Files with these tags need PostgreSQL, which tests start for themselves, Chromium, and the
# Solana chain in Node.js. Those with the tag slow are vetted with the others, and run by
# targets of their own.
TAGS := -tags postgres,browser,localnet
# Races are looked for in what calls SQLite, not in SQLite: it is C that was
# translated to Go, and would take most of the time of the tests.
# Packages that use generic types of others cannot be left out: the linker may take their copy
# of a generic function for all, and then misses what orders memory.
# Nobody debugs these binaries: without the tables of a debugger they are made sooner, and need less disk.
UNWATCHED := -ldflags=-w -gcflags='all=-dwarf=false' -gcflags='modernc.org/sqlite/lib=-dwarf=false -race=false -d=checkptr=0' -gcflags='modernc.org/libc/...=-dwarf=false -race=false -d=checkptr=0'

# The Solana chain for tests, and the port on which it answers by hand; 0 is a free one.
LOCALNET := provider/chain/solana/localnet/node
PORT ?= 8899

# Files that `make generate` writes.
GENERATED = docs/lifecycles.md docs/records.md docs/events.md docs/reference.md httpapi/eventsamples.json $$(grep -rl --include='*.go' '^// Code generated .* DO NOT EDIT\.$$' .)

.NOTPARALLEL:

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: deps format tidied vet elsewhere staticcheck fresh build openapi race told ## everything: format, vet, staticcheck, generated files, tests with the race detector

.PHONY: deps
deps: ## bring what the tests need: a C compiler, git, curl, strace (on Linux), PostgreSQL, Chromium, npm packages, the modules
	@command -v $(GO) >/dev/null || { echo "make: Go 1.26 is needed: https://go.dev/dl/" >&2; exit 1; }
	@if command -v gcc >/dev/null && command -v git >/dev/null && command -v curl >/dev/null && { [ "$$(uname)" != Linux ] || command -v strace >/dev/null; } && echo '#include <stdlib.h>' | gcc -E - >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends gcc libc6-dev git curl strace ca-certificates; \
	else \
		echo "make: a C compiler, git, curl and (on Linux) strace are needed: sudo apt-get install -y gcc libc6-dev git curl strace" >&2; exit 1; \
	fi
	@if command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		: the programs only, no server that runs && \
		mkdir -p /etc/postgresql-common/createcluster.d && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/ferry.conf && \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends postgresql; \
	else \
		echo "make: PostgreSQL 13 or newer is needed: sudo apt-get install -y postgresql" >&2; exit 1; \
	fi
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium; \
	else \
		echo "make: Chromium is needed: sudo apt-get install -y chromium" >&2; exit 1; \
	fi
	@if command -v npm >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends nodejs npm; \
	else \
		echo "make: Node.js 20 with npm is needed: sudo apt-get install -y nodejs npm" >&2; exit 1; \
	fi
	@$(MAKE) -s packages
	@$(GO) mod download && export GOWORK=off && $(GO) mod download -modfile=tools/mockgen.mod && $(GO) mod download -modfile=tools/staticcheck.mod && \
	cd tools/oapi && $(GO) mod download

# The packages of a directory that are not there yet. What npm says goes to standard error, because
# the first line of the localnet is for programs.
BRING = for dir in $(1); do cmp -s $$dir/package-lock.json $$dir/node_modules/.from || \
	{ npm --prefix $$dir ci --no-audit --no-fund >&2 && cp $$dir/package-lock.json $$dir/node_modules/.from; } || exit 1; done

.PHONY: packages
packages: ## bring the npm packages that are not there yet
	@$(call BRING,tools/browser tools/openapi $(LOCALNET))

.PHONY: format
format: ## fail when a file is not in gofmt's form
	@files=$$($$($(GO) env GOROOT)/bin/gofmt -l .); [ -z "$$files" ] || { echo "not in gofmt's form:" >&2; echo "$$files" >&2; exit 1; }

.PHONY: tidy
tidy: ## write the go.mod and go.sum of every module anew
	$(GO) run ./internal/modules tidy

.PHONY: tidied
tidied: ## fail when a go.mod or a go.sum is not tidy
	$(GO) run ./internal/modules tidy -check

.PHONY: tag
tag: ## make the modules require VERSION of each other, commit, and tag them; DRY=-n prints the steps only
	@[ -n "$(VERSION)" ] || { echo "make: say which: make tag VERSION=v0.3.0" >&2; exit 1; }
	$(GO) run ./internal/modules tag $(DRY) $(VERSION)

.PHONY: vet
vet: ## run go vet
	$(GO) vet $(TAGS),slow,seeded work

.PHONY: elsewhere
elsewhere: ## type-check for Windows and macOS, tests included, so that they compile there
	$(GO) run ./internal/elsewhere windows darwin

.PHONY: staticcheck
staticcheck: ## run staticcheck
	@mkdir -p bin && GOWORK=off $(GO) build -modfile=tools/staticcheck.mod -o bin/ honnef.co/go/tools/cmd/staticcheck
	bin/staticcheck $(TAGS),slow,seeded work

.PHONY: fresh
fresh: ## fail when a generated file is stale (and write it anew)
	@before=$$(cat $(GENERATED) | cksum); $(MAKE) -s generate && after=$$(cat $(GENERATED) | cksum) && \
	[ "$$before" = "$$after" ] || { echo "make: generated files were stale; they are fresh now, commit them" >&2; exit 1; }

.PHONY: build
build: ## build every package, the binary and the examples
	$(GO) build $(TAGS) work

.PHONY: openapi
openapi: ## lint the OpenAPI document
	@mkdir -p bin && $(GO) run ./cmd/ferry openapi > bin/openapi.json && \
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true tools/openapi/node_modules/.bin/redocly lint --config tools/openapi/redocly.yaml bin/openapi.json

# What a go command has built for its tests stays on the disk until it ends, so there are two. The second
# has the packages that wait most, for databases and browsers. Each begins with those that take longest. Three run
# at a time, as each waits part of its time.
SLOW := ./webhook ./provider/chain/solana ./cmd/ferry
LONG := ./tests/hosted ./tests/scenario ./sqlstore ./tests/... ./sqlstore/...
# These run in told: their servers are processes without the detector, and what looks after them needs none.
KILLED := ./tests/crash
# These as well: they read and write files, one after the other, so there is no race to be found.
TOOLS := ./internal/arch ./internal/clientgen ./internal/docgen ./internal/elsewhere ./internal/modules

# These tests write into memory, where there is room and programs may run: a slow disk makes them take
# several times as long. What is built stays on the disk.
MEMORY := $(shell awk '$$2 == "/dev/shm" && $$4 !~ /noexec/ { print $$2; exit }' /proc/mounts 2>/dev/null)
ROOMY := $(shell [ -n "$(MEMORY)" ] && df -Pk $(MEMORY) | awk 'NR == 2 && $$4 > 8000000 { print "$(MEMORY)" }')
race told: export GOTMPDIR := $(or $(GOTMPDIR),$(TMPDIR),/tmp)
race told: export TMPDIR := $(or $(ROOMY),$(TMPDIR),/tmp)

.PHONY: race
race: ## run the tests with the race detector
	@short=$$($(GO) list $(TAGS) $(SLOW) work | grep -v -e /ferry/sqlstore -e /ferry/tests/ $(foreach tool,$(TOOLS),-e $(tool:.%=ferry%)$$)) && failed=0; \
	$(GO) test -race $(TAGS) $(UNWATCHED) -p 3 -timeout 60m $$short || failed=1; \
	long=$$($(GO) list $(TAGS) $(LONG) | grep -v $(KILLED:.%=ferry%)$$) && \
	$(GO) test -race $(TAGS) $(UNWATCHED) -p 3 -timeout 60m $$long || failed=1; exit $$failed

.PHONY: scenarios
scenarios: ## run the scenarios at full length on every store: days on databases, crowds of a hundred, every odd value everywhere
	$(GO) test $(TAGS) -count=1 -timeout 2h ./tests/scenario -storm

.PHONY: sim
sim: ## run the engine in RUNS simulated storms of STEPS steps, from the seed FIRST on, on the STORE memory, sqlite or postgres
	$(GO) test -count=1 -timeout 2h -run TheStorm $(STORMS) -seeds $(RUNS) -steps $(STEPS) -seed $(FIRST)

.PHONY: storm
storm: ## run fresh simulated storms on all processors for HOURS, on the STORE, on from where the last one ended; bin/storms.json keeps what failed
	@mkdir -p bin
	$(GO) test -count=1 -timeout 0 -v -run StormsForHours $(STORMS) -hours $(HOURS) -steps $(STEPS) -notes $(CURDIR)/$(NOTES)

.PHONY: seeded
seeded: ## build the engine with each of the seeded bugs, and let storms look for it
	$(GO) test -tags seeded -count=1 -timeout 3h -v -run StormFinds ./internal/seededbugs

.PHONY: mutants
mutants: ## change the sources of money in thousands of small ways, and print what no test notices (takes hours; it goes on from where it ended)
	$(GO) run ./internal/mutants

.PHONY: crash
crash: ## kill servers under load, KILLS times on each store, pause one of two, and hold what is left against a model
	$(GO) test $(TAGS) -v -count=1 -timeout 2h -run 'Acknowledged|EachPaymentEnds|EachExchange|EachPaymentOnPostgreSQL' ./tests/crash -kills $(KILLS) -pauses 60s -every-way -seed $(SEED)

.PHONY: chainfaults
chainfaults: packages ## make PAYMENTS payments on a real chain, while each fault of it meets the death of the server at each place
	$(GO) test $(TAGS) -v -count=1 -timeout 2h -run RealChain ./tests/crash -payments $(PAYMENTS) -seed $(SEED)

.PHONY: told
told: ## run what the race detector would slow or distort: each scenario on each store, servers that are killed, 60 fixed stories on each store, the tools, every kind of rows on SQLite and PostgreSQL, what bodies cost, and every hostile text
	failed=0; \
	$(GO) test $(TAGS) -count=1 -timeout 30m -run 'TheContractOn|KeepTheContract' ./sqlstore ./store/storefault & contract=$$!; \
	$(GO) test $(TAGS) -count=1 -timeout 30m ./tests/scenario $(KILLED) ./tests/stories $(TOOLS) || failed=1; \
	wait $$contract || failed=1; exit $$failed
	$(GO) test -count=1 -run Dear ./internal/strictjson ./tests/httpapi
	$(GO) test -count=1 -run Inert ./tests/hosted

.PHONY: stories
stories: ## tell STORIES stories on each store, drawn from SEED
	$(GO) test $(TAGS) -count=1 -timeout 3h ./tests/stories -stories $(STORIES) -seed $(SEED)

.PHONY: generate
generate: ## write the generated files
	GOWORK=off $(GO) generate ./...
	@for name in lifecycles records events reference; do text=$$($(GO) run ./internal/docgen $$name) && printf '%s\n' "$$text" > docs/$$name.md || exit 1; done
	@text=$$($(GO) run ./internal/docgen samples) && printf '%s\n' "$$text" > httpapi/eventsamples.json

.PHONY: localnet
localnet: ## run a Solana chain to use by hand, on PORT, until Ctrl-C
	@$(call BRING,$(LOCALNET))
	@cd $(LOCALNET) && exec node main.js --slot-ms 400 --port $(PORT) --explain

.PHONY: screenshots
screenshots: deps ## take the pictures of the pages that the README shows
	$(GO) test $(TAGS) -count=1 -run AsPictures ./tests/hosted -pictures $(CURDIR)/docs/img

.PHONY: bench
bench: packages ## measure ours beside yardsticks, ROUNDS times in turn, and print the ratios
	@mkdir -p bin && $(GO) test $(TAGS) -c -o bin/ ./tests/bench ./money ./sqlstore ./provider/chain/solana ./inspect && $(GO) build -o bin/ ./tests/bench/ratios
	@for round in $$(seq $(ROUNDS)); do for tests in bench money sqlstore solana inspect; do \
		bin/$$tests.test -test.run '^$$' -test.bench . -test.benchtime $(BENCHTIME) || exit 1; \
	done; done | bin/ratios
	$(GO) test $(TAGS) -v -count=1 -run ThousandLines ./tests/hosted -flood 60s

.PHONY: bench-growth
bench-growth: ## let stores grow to 200,000 wallets and 2 million transfers, and hold their speed against what it was (takes hours)
	$(GO) test $(TAGS),slow -v -count=1 -timeout 12h -run Growth ./tests/bench

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME
	@set -e; for pkg in $$($(GO) list $(PKG)); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done

.PHONY: cover
cover: ## say which share of the statements the tests reach
	$(GO) test $(TAGS) -coverpkg=work -coverprofile=cover.out $(PKG)
	@$(GO) tool cover -func=cover.out | tail -n 1

.PHONY: lint
lint: ## run every linter (the first time builds it, which takes minutes)
	@mkdir -p bin && GOWORK=off $(GO) build -modfile=tools/golangci.mod -o bin/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@for dir in $$($(GO) list -m -f '{{.Dir}}'); do (cd "$$dir" && $(CURDIR)/bin/golangci-lint run --config $(CURDIR)/.golangci.yaml) || exit 1; done
