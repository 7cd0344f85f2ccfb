package main

import (
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/httpapi"
)

// written is a file of a configuration that nobody else may read.
func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ferry.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

const smallest = `{"store":"sqlite:ferry.db","keyset":{"file":"keyset","kek_env":"KEK"}}`

func TestAConfigurationNeedsAStoreAndAKeysetOnly(t *testing.T) {
	c, err := readConfig(written(t, smallest))
	require.NoError(t, err)
	require.Equal(t, config{
		Addr:      "127.0.0.1:8080",
		Store:     "sqlite:ferry.db",
		Keyset:    keysetConfig{File: "keyset", KEKEnv: "KEK"},
		LogLevel:  slog.LevelInfo,
		LogFormat: logJSON,
		RateLimit: rateConfig{Test: 25, Live: 100},
		Brand:     brandConfig{"service", "x-service-signature", "tsara_fee", "service-checkout", ""},

		KeyInitiations: 100,
		NumberGuesses:  50,
		edgeConfig:     edgeConfig{AdminAddr: "127.0.0.1:8081", Connections: capsConfig{2000, 100}},
	}, c)
}

func TestEveryFieldOfAConfigurationCounts(t *testing.T) {
	c, err := readConfig(written(t, `{"addr":":0","store":"postgres://db/ferry","keyset":{"file":"k","kek_file":"f"},
		"log_level":"warn","log_format":"text","rate_limit":{"test":0,"live":7},"key_initiations":9,"number_guesses":4,"base_url":"https://pay.example.com",
		"origins":["https://shop.example.com","http://localhost:3000"],
		"fees":{"checkout":{"platform":{"percent":1.5}}},
		"ramp":{"onramp_spread":150,"offramp_spread":100,"quote_seconds":600},
		"admin_addr":"127.0.0.1:9","trusted_proxies":["10.0.0.0/8","fd00::/8"],"max_connections":{"total":9,"per_address":3},"log_requests":true,
		"operator":{"tokens_file":"t","user_header":"X-User","proxies":["10.1.0.0/16"],"hosts":["ops.example.com"]},
		"brand":{"name":"acme","signature_header":"x-hook","platform_fee":"acme_fee","message_source":"till","global":"Acme"}}`))
	require.NoError(t, err)
	require.Equal(t, config{
		Addr: ":0", Store: "postgres://db/ferry", Keyset: keysetConfig{File: "k", KEKFile: "f"},
		LogLevel: slog.LevelWarn, LogFormat: logText, RateLimit: rateConfig{Live: 7}, KeyInitiations: 9, NumberGuesses: 4, BaseURL: "https://pay.example.com",
		Origins: []httpapi.Origin{"https://shop.example.com", "http://localhost:3000"},
		Fees:    feesConfig{fees.Checkout: {Platform: ruleConfig{Percent: jsontext.Value("1.5")}}},
		Ramp:    rampConfig{150, 100, 600},
		Brand:   brandConfig{"acme", "x-hook", "acme_fee", "till", "Acme"},
		edgeConfig: edgeConfig{
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")},
			Connections:    capsConfig{9, 3}, LogRequests: true, AdminAddr: "127.0.0.1:9",
			Operator: operatorConfig{"t", "X-User", []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}, []string{"ops.example.com"}},
		},
	}, c)
}

func TestTheStoreMayBeNamedInAFileOrTheEnvironment(t *testing.T) {
	const keyset = `"keyset":{"file":"keyset","kek_env":"KEK"}}`
	secret := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.WriteFile(secret, []byte("postgres://ferry:hunter2@db/ferry\n"), 0o600))
	c, err := readConfig(written(t, `{"store_file":"`+secret+`",`+keyset))
	require.NoError(t, err)
	require.Equal(t, "postgres://ferry:hunter2@db/ferry", string(c.Store))

	t.Setenv("TEST_FERRY_STORE", "postgres://ferry:hunter3@db/ferry")
	c, err = readConfig(written(t, `{"store_env":"TEST_FERRY_STORE",`+keyset))
	require.NoError(t, err)
	require.Equal(t, "postgres://ferry:hunter3@db/ferry", string(c.Store))

	_, err = readConfig(written(t, `{"store_env":"TEST_FERRY_NOTHING",`+keyset))
	require.ErrorContains(t, err, "store_env: the variable TEST_FERRY_NOTHING is not set, or empty")
	require.NoError(t, os.Chmod(secret, 0o644))
	_, err = readConfig(written(t, `{"store_file":"`+secret+`",`+keyset))
	require.ErrorContains(t, err, "open to everybody")
}

func TestAConfigurationIsRefusedThat(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"is empty":                                  {"", "not one JSON object"},
		"is no JSON":                                {"addr: x", "not one JSON object"},
		"is followed by more":                       {smallest + "{}", "not one JSON object"},
		"is a list":                                 {"[]", "not one JSON object"},
		"has an unknown field":                      {`{"port":"x"}`, `unknown field "port": there are addr, origins, store, `},
		"has an unknown field further in":           {`{"keyset":{"kek":"x"}}`, `unknown field "keyset.kek": there are file, kek_file, kek_env`},
		"has a field in another case":               {`{"Addr":"x"}`, `unknown field "Addr"`},
		"has a field twice":                         {`{"addr":"a","addr":"b"}`, `field "addr" stands twice`},
		"has a field of another type":               {`{"rate_limit":{"test":"fast"}}`, `field "rate_limit.test" has a wrong value: it must be a whole number`},
		"has a broken number":                       {`{"rate_limit":{"test":1.5}}`, `field "rate_limit.test" has a wrong value: it must be a whole number`},
		"lets a key initiate nothing":               {strings.Replace(smallest, "{", `{"key_initiations":0,`, 1), `"key_initiations" has a wrong value: it must be 1 or more`},
		"lets a business try no number":             {strings.Replace(smallest, "{", `{"number_guesses":0,`, 1), `"number_guesses" has a wrong value: it must be 1 or more`},
		"has a negative rate":                       {strings.Replace(smallest, "{", `{"rate_limit":{"live":-1},`, 1), `"rate_limit.live" has a wrong value: it must be 0, for any number, or more`},
		"has a number for a text":                   {`{"addr":8080}`, `field "addr" has a wrong value: it must be a text in quotes`},
		"has a number for an object":                {`{"rate_limit":25}`, `field "rate_limit" has a wrong value: it must be an object in braces`},
		"has a text for a list":                     {`{"trusted_proxies":"10.0.0.0/8"}`, `field "trusted_proxies" has a wrong value: it must be a list in brackets`},
		"has an address for a network":              {`{"trusted_proxies":["10.0.0.7"]}`, `field "trusted_proxies.0" has a wrong value: it must be a network, as 10.0.0.0/8, or 10.0.0.7/32`},
		"has a comma too many":                      {"{\n\"addr\": \"127.0.0.1:0\",\n}", "not one JSON object: see line 2"},
		"has a negative cap":                        {strings.Replace(smallest, "{", `{"max_connections":{"per_address":-1},`, 1), `"max_connections.per_address" has a wrong value: it must be 0, for any number, or more`},
		"has an unknown level":                      {strings.Replace(smallest, "{", `{"log_level":"loud",`, 1), `field "log_level" has a wrong value`},
		"has an unknown format":                     {strings.Replace(smallest, "{", `{"log_format":"xml",`, 1), `field "log_format" has a wrong value: it must be json or text`},
		"has an origin with a wildcard":             {strings.Replace(smallest, "{", `{"origins":["https://a.example.com","https://*.example.com"],`, 1), `origins: "https://*.example.com"`},
		"has an origin with a path":                 {strings.Replace(smallest, "{", `{"origins":["https://shop.example.com/"],`, 1), `origins: "https://shop.example.com/" is no origin`},
		"has a base URL without a host":             {strings.Replace(smallest, "{", `{"base_url":"pay.example.com",`, 1), "base_url: must be like"},
		"has a base URL with a path":                {strings.Replace(smallest, "{", `{"base_url":"https://example.com/pay",`, 1), "base_url: must end with its host"},
		"has fees of an unknown channel":            {strings.Replace(smallest, "{", `{"fees":{"cash":{}},`, 1), `fees: there is no channel "cash"`},
		"has a fee of more than all":                {strings.Replace(smallest, "{", `{"fees":{"api":{"platform":{"percent":100.0001}}},`, 1), "fees.api.platform.percent: must be"},
		"has a fee below nothing":                   {strings.Replace(smallest, "{", `{"fees":{"api":{"platform":{"percent":-1}}},`, 1), "fees.api.platform.percent: must be"},
		"has a percentage that is too fine":         {strings.Replace(smallest, "{", `{"fees":{"api":{"platform":{"percent":0.00001}}},`, 1), "fees.api.platform.percent: must be"},
		"has a percentage in words":                 {strings.Replace(smallest, "{", `{"fees":{"api":{"platform":{"percent":"1/3"}}},`, 1), "fees.api.platform.percent: must be"},
		"has a flat fee of less than a kobo":        {strings.Replace(smallest, "{", `{"fees":{"api":{"processing":{"flat":0.001}}},`, 1), "fees.api.processing.flat: "},
		"has a negative flat fee":                   {strings.Replace(smallest, "{", `{"fees":{"api":{"processing":{"flat":-1}}},`, 1), "fees.api.processing.flat: "},
		"has a cap below the minimum":               {strings.Replace(smallest, "{", `{"fees":{"api":{"processing":{"minimum":5,"cap":4}}},`, 1), "fees.api.processing.cap: below the minimum"},
		"has a signature header of another kind":    {strings.Replace(smallest, "{", `{"brand":{"signature_header":"Webhook-Id"},`, 1), "brand.signature_header: must be"},
		"limits what leaves an unknown environment": {strings.Replace(smallest, "{", `{"outflow":{"prod":{}},`, 1), `outflow: there is no environment "prod"`},
		"limits an unknown currency":                {strings.Replace(smallest, "{", `{"outflow":{"live":{"EUR":{}}},`, 1), `outflow.live: there is no currency "EUR"`},
		"has a limit below nothing":                 {strings.Replace(smallest, "{", `{"outflow":{"live":{"NGN":{"key_day":-1}}},`, 1), "outflow.live.NGN.key_day: "},
		"has a spread below nothing":                {strings.Replace(smallest, "{", `{"ramp":{"onramp_spread":-1},`, 1), "\"ramp.onramp_spread\" has a wrong value: it must be 0 to 9999"},
		"has a spread of all":                       {strings.Replace(smallest, "{", `{"ramp":{"offramp_spread":10000},`, 1), "\"ramp.offramp_spread\" has a wrong value: it must be 0 to 9999"},
		"stands by a quote for two days":            {strings.Replace(smallest, "{", `{"ramp":{"quote_seconds":172800},`, 1), "\"ramp.quote_seconds\" has a wrong value: it must be 0 to 86400"},
		"calls two fees alike":                      {strings.Replace(smallest, "{", `{"brand":{"platform_fee":"total_fees"},`, 1), "brand.platform_fee: must be"},
		"has a source with a quote":                 {strings.Replace(smallest, "{", `{"brand":{"message_source":"a\"b"},`, 1), "brand.message_source: must be"},
		"has an empty address":                      {strings.Replace(smallest, "{", `{"addr":"",`, 1), `"addr" has a wrong value: it must be a host and a port`},
		"names no store":                            {`{"keyset":{"file":"k","kek_env":"K"}}`, "store, store_file and store_env: exactly one"},
		"names two stores":                          {strings.Replace(smallest, "{", `{"store_env":"X",`, 1), "store, store_file and store_env: exactly one"},
		"names a store in memory":                   {strings.Replace(smallest, "sqlite:ferry.db", "memory", 1), errMemory.Error()},
		"names a store of another kind":             {strings.Replace(smallest, "sqlite:ferry.db", "mysql://db", 1), errNoAddress.Error()},
		"names no keyset":                           {`{"store":"sqlite:x"}`, "keyset.file is missing"},
		"names no key for the keyset":               {`{"store":"sqlite:x","keyset":{"file":"k"}}`, "keyset.kek_file and keyset.kek_env: exactly one"},
		"names two keys for the keyset":             {`{"store":"sqlite:x","keyset":{"file":"k","kek_file":"f","kek_env":"E"}}`, "keyset.kek_file and keyset.kek_env: exactly one"},
		"has a file with a store that is not there": {`{"store_file":"/nowhere/store","keyset":{"file":"k","kek_env":"K"}}`, "store_file: stat /nowhere/store: no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			file := written(t, c.text)
			_, err := readConfig(file)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, file, "it says which file")
		})
	}
	_, err := readConfig("/nowhere/ferry.json")
	require.EqualError(t, err, "configuration /nowhere/ferry.json: no such file or directory")
}

func TestAPasswordStandsOnlyInAFileOfItsOwner(t *testing.T) {
	file := written(t, strings.Replace(smallest, "sqlite:ferry.db", "postgres://ferry:hunter2@db/ferry", 1))
	_, err := readConfig(file)
	require.NoError(t, err)
	for _, mode := range []os.FileMode{0o604, 0o644, 0o602, 0o666} {
		require.NoError(t, os.Chmod(file, mode))
		_, err = readConfig(file)
		require.ErrorContains(t, err, "it holds a password, and "+file+" is open to everybody")
		require.NotContains(t, err.Error(), "hunter2")
	}
	require.NoError(t, os.Chmod(file, 0o640))
	_, err = readConfig(file)
	require.NoError(t, err, "the group of a service may read its configuration")

	open := written(t, smallest)
	require.NoError(t, os.Chmod(open, 0o644))
	_, err = readConfig(open)
	require.NoError(t, err, "without a password it is no secret")
}

func TestEveryFieldIsDocumented(t *testing.T) {
	operations, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	for _, name := range fieldNames(reflect.TypeFor[config](), "") {
		require.Contains(t, configHelp, "\n  "+name+" ", "ferry serve --help")
		require.Contains(t, string(operations), "| `"+name+"` |", "docs/operations.md")
	}
}

// fieldNames are the names of a type's fields in JSON, those further in with a dot.
func fieldNames(of reflect.Type, prefix string) (names []string) {
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous {
			names = append(names, fieldNames(field.Type, prefix)...)
			continue
		}
		if field.Type.Kind() == reflect.Struct {
			if !field.Anonymous {
				name += "."
			}
			names = append(names, fieldNames(field.Type, prefix+name)...)
			continue
		}
		names = append(names, prefix+name)
	}
	return names
}
