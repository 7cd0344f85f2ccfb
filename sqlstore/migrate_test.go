package sqlstore

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// released are the migrations that databases out there have run, as each kind reads
// them, and the beginnings of the hashes of their statements. No statement is ever
// edited: what is to change comes in a new file, which is added here.
var released = map[string]string{
	"postgres/0001_core.sql":                 "6fe499d7d6c9c8e2",
	"postgres/0002_ledger.sql":               "a2139f3a148ca591",
	"postgres/0003_webhooks.sql":             "5754e60515efc252",
	"postgres/0004_businesses.sql":           "5339a4273c363024",
	"postgres/0005_customers.sql":            "7be2c4c5a542f200",
	"postgres/0006_wallets.sql":              "005d41001df42c33",
	"postgres/0007_funding.sql":              "36540394f7e79706",
	"postgres/0008_world.sql":                "e2a4f21c5c381985",
	"postgres/0009_address_keys.sql":         "e76453a434d6e486",
	"postgres/0010_hold.sql":                 "f9cfe7c26e9e84ff",
	"postgres/0020_payments.sql":             "bda6467eadb09275",
	"postgres/0021_links.sql":                "85ea4d987bf41557",
	"postgres/0022_accounts.sql":             "1d2c278388bd1255",
	"postgres/0023_checkout.sql":             "2a84dcc506a22b78",
	"postgres/0024_return_answers.sql":       "decc0c11d8867d55",
	"postgres/0025_audit_walks.sql":          "2d94e99c0e9074e1",
	"postgres/0026_decided.sql":              "041c1cb9b5f99b28",
	"postgres/0027_search.sql":               "438a7d73f9712633",
	"postgres/0029_late.sql":                 "1f640104487c635f",
	"postgres/0030_receipt_price.sql":        "3d2ece663f696d89",
	"postgres/0031_public_names.sql":         "7d7d0f74b5d88a8d",
	"postgres/0035_order_price.sql":          "0515c66f0fd2487d",
	"postgres/0036_parts.sql":                "68ab715d8ba18c3d",
	"postgres/0041_wallet_lists.sql":         "72e46a814bbdba8b",
	"postgres/0045_identity_asked.sql":       "7c7ff3fd23fce71e",
	"postgres/0050_owners.sql":               "f8d6e13969e797c9",
	"postgres/0046_key_scopes.sql":           "41614b660eaec7aa",
	"postgres/0055_queues.sql":               "46f2f9ca03d2495b",
	"postgres/0051_newest_event.sql":         "a2bd2fb4cc0b872a",
	"postgres/0056_suspended.sql":            "1902714561cbe96c",
	"postgres/0066_naira_offers.sql":         "efd09f09dc99160a",
	"postgres/0070_list_names.sql":           "560e8dac17f5726d",
	"postgres/0071_wallet_list_names.sql":    "3efa27339bd78c7a",
	"postgres/0072_transfer_origin.sql":      "bf497d9ada31e5bc",
	"postgres/0073_address_list_names.sql":   "ff1275596dd8b8ed",
	"postgres/0080_wallet_records.sql":       "f2111dabb01fd4e2",
	"postgres/0090_settings.sql":             "5dacffc6b9cb1f0b",
	"postgres/0091_key_ids.sql":              "b631612e789c5c81",
	"postgres/0093_world_version.sql":        "41304bac0db31864",
	"postgres/0092_receipts_of_payment.sql":  "ad8f2b2081d24f46",
	"postgres/0097_payouts.sql":              "84f1699572bd54c1",
	"postgres/0098_transfers.sql":            "a4d095267f8049cc",
	"postgres/0100_outflow_stops.sql":        "8d61d72982599489",
	"postgres/0099_refunds.sql":              "2de3a0998794e57d",
	"postgres/0101_outflow.sql":              "efefe192608ad1c0",
	"postgres/0103_outflow_waits.sql":        "50f9910acd42acfe",
	"postgres/0104_refunds_on_chain.sql":     "5eb6eff3822090ab",
	"postgres/0105_controls.sql":             "08ee0a61bd97cf2c",
	"postgres/0106_approvals_that_wait.sql":  "2b0eedded4ea20fe",
	"postgres/0110_ramp_quotes.sql":          "09ac4defcb11e0f0",
	"postgres/0111_onramps.sql":              "552f613b3b362357",
	"postgres/0113_offramps.sql":             "ce96f5f7ab64612d",
	"postgres/0118_ramp_widgets.sql":         "4f0152e163ade83a",
	"postgres/0115_bills.sql":                "d358eceef0154cb0",
	"postgres/0120_transfers_of_onramps.sql": "b38218cb5530751e",
	"postgres/0123_crypto_bills.sql":         "25b8d6324fe4cb3a",
	"postgres/0126_search_of_the_ramp.sql":   "89f655b2d8041a9c",
	"postgres/0131_used_quotes.sql":          "11ae45a36aab9b96",
	"postgres/0132_visits.sql":               "7b864469618dda30",
	"postgres/0133_kept_deposits.sql":        "e49a53bce52548be",
	"postgres/0134_awaited_addresses.sql":    "202dbc6c9db17e85",
	"postgres/0135_waiting_transfers.sql":    "46095f39cebae7f7",
	"postgres/0136_support.sql":              "f7a9ffb2db1eb1c6",
	"postgres/0137_operator_log.sql":         "7c818786c1847e75",
	"postgres/0138_branding.sql":             "504cab7730dc0589",
	"postgres/0139_found_by_source.sql":      "afe765314e045cb0",
	"postgres/0140_claims.sql":               "6be06b887cf9dff6",
	"postgres/0141_events.sql":               "38ba23297582305c",
	"postgres/0142_owners.sql":               "cdb2e922163aded4",
	"sqlite/0001_core.sql":                   "d0a940b0f92b99d9",
	"sqlite/0002_ledger.sql":                 "cdcd90b1c4b73436",
	"sqlite/0003_webhooks.sql":               "7ca714b4ad720cec",
	"sqlite/0004_businesses.sql":             "d7888d291ca16d59",
	"sqlite/0005_customers.sql":              "2e9f7bbf9dd01c3b",
	"sqlite/0006_wallets.sql":                "a99eab047740e748",
	"sqlite/0007_funding.sql":                "065491563e53d908",
	"sqlite/0008_world.sql":                  "414110b115e97e90",
	"sqlite/0009_address_keys.sql":           "29b971762ee9a6e2",
	"sqlite/0010_hold.sql":                   "28ac41ce83afcb41",
	"sqlite/0020_payments.sql":               "403619b74c51e999",
	"sqlite/0021_links.sql":                  "7a98a49f3ab8fbb4",
	"sqlite/0022_accounts.sql":               "685f4318a59d43c4",
	"sqlite/0023_checkout.sql":               "66763685e02dc4ec",
	"sqlite/0024_return_answers.sql":         "275706e992c77baf",
	"sqlite/0025_audit_walks.sql":            "2d94e99c0e9074e1",
	"sqlite/0026_decided.sql":                "3d67e28dbe50dfa6",
	"sqlite/0027_search.sql":                 "4ff7a0f3e96a2524",
	"sqlite/0029_late.sql":                   "3f3546add6b4c395",
	"sqlite/0030_receipt_price.sql":          "3d2ece663f696d89",
	"sqlite/0031_public_names.sql":           "7d7d0f74b5d88a8d",
	"sqlite/0035_order_price.sql":            "d5b8202a4eb333b6",
	"sqlite/0036_parts.sql":                  "68ab715d8ba18c3d",
	"sqlite/0041_wallet_lists.sql":           "1dda2d39427e5201",
	"sqlite/0045_identity_asked.sql":         "260849ee53402172",
	"sqlite/0050_owners.sql":                 "896742345fff5504",
	"sqlite/0046_key_scopes.sql":             "ae71d8034aa8a024",
	"sqlite/0055_queues.sql":                 "46f2f9ca03d2495b",
	"sqlite/0051_newest_event.sql":           "a2bd2fb4cc0b872a",
	"sqlite/0056_suspended.sql":              "1902714561cbe96c",
	"sqlite/0066_naira_offers.sql":           "387c3d43176f7a87",
	"sqlite/0070_list_names.sql":             "560e8dac17f5726d",
	"sqlite/0071_wallet_list_names.sql":      "3efa27339bd78c7a",
	"sqlite/0072_transfer_origin.sql":        "c9b68be5ce0e8670",
	"sqlite/0073_address_list_names.sql":     "ff1275596dd8b8ed",
	"sqlite/0080_wallet_records.sql":         "c6886d6ac910fb2e",
	"sqlite/0090_settings.sql":               "c1e87eac991c42dc",
	"sqlite/0091_key_ids.sql":                "c0819424851c6a27",
	"sqlite/0093_world_version.sql":          "9a50609b71ff21bc",
	"sqlite/0092_receipts_of_payment.sql":    "ad8f2b2081d24f46",
	"sqlite/0097_payouts.sql":                "6298becfe398c9f9",
	"sqlite/0098_transfers.sql":              "ccc9cb5598523ae2",
	"sqlite/0100_outflow_stops.sql":          "14e487a8cb4ecee3",
	"sqlite/0099_refunds.sql":                "f5f6133016d1f594",
	"sqlite/0101_outflow.sql":                "a0d954a899f8167a",
	"sqlite/0103_outflow_waits.sql":          "3daa64ffa94fc2de",
	"sqlite/0104_refunds_on_chain.sql":       "56c5607bf42430ce",
	"sqlite/0105_controls.sql":               "a37d8a6fd486f400",
	"sqlite/0106_approvals_that_wait.sql":    "2b0eedded4ea20fe",
	"sqlite/0110_ramp_quotes.sql":            "8a1e649e44e0b4e3",
	"sqlite/0111_onramps.sql":                "d3d86f07c26d054e",
	"sqlite/0113_offramps.sql":               "ff9467cefd0d3f29",
	"sqlite/0118_ramp_widgets.sql":           "78bf68045b96c3f2",
	"sqlite/0115_bills.sql":                  "69c8fffbddfee730",
	"sqlite/0120_transfers_of_onramps.sql":   "b38218cb5530751e",
	"sqlite/0123_crypto_bills.sql":           "51864f61b8946e87",
	"sqlite/0126_search_of_the_ramp.sql":     "dfab7bd2b48e1bed",
	"sqlite/0131_used_quotes.sql":            "154f3694c44b6013",
	"sqlite/0132_visits.sql":                 "46c314dd46246d85",
	"sqlite/0133_kept_deposits.sql":          "e0aeb40a57ae88ca",
	"sqlite/0134_awaited_addresses.sql":      "507afe1c7c2e0739",
	"sqlite/0135_waiting_transfers.sql":      "8d4d5469c11fc6fd",
	"sqlite/0136_support.sql":                "8cd27579cc77acfa",
	"sqlite/0137_operator_log.sql":           "3a602f3ee90adec7",
	"sqlite/0138_branding.sql":               "07eb8efe9eecb4f0",
	"sqlite/0139_found_by_source.sql":        "afe765314e045cb0",
	"sqlite/0140_claims.sql":                 "f2b423119f280196",
	"sqlite/0141_events.sql":                 "944d0c34fca2f37f",
	"sqlite/0142_owners.sql":                 "fec0f277517e8443",
}

func TestAMigrationThatWasReleasedIsNeverEdited(t *testing.T) {
	there := map[string]string{}
	for folder, w := range map[string]words{"sqlite": forFile, "postgres": forServer} {
		files := migrationsIn(w)
		names, err := fs.Glob(files, "*.sql")
		require.NoError(t, err)
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			require.NoError(t, err)
			sum := sha256.Sum256([]byte(uncommented(string(text))))
			there[folder+"/"+name] = hex.EncodeToString(sum[:8])
			require.NotEmpty(t, released[folder+"/"+name], "add the new migration to released, with the sum %s", there[folder+"/"+name])
		}
	}
	require.Equal(t, released, there, "a released migration was edited: write a new one instead")
}

var comment = regexp.MustCompile(`--[^\n]*`)

// uncommented is a migration without its comments, and with one space for any.
func uncommented(text string) string {
	return strings.Join(strings.Fields(comment.ReplaceAllString(text, "")), " ")
}

func TestAMigrationIsOneFileForBothKindsOfDatabase(t *testing.T) {
	there, err := os.ReadDir("migrations")
	require.NoError(t, err)
	marks := []string{"-- +sqlite", "-- +postgres", "-- +both", "-- +goose Up", "-- +goose StatementBegin", "-- +goose StatementEnd"}
	for _, f := range there {
		require.False(t, f.IsDir(), "docs/storage.md says how a migration is written")
		text, err := os.ReadFile("migrations/" + f.Name())
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "-- +") {
				require.Contains(t, marks, line, f.Name())
			}
		}
	}
}

func TestWhatAMigrationSaysIsReadByEachKindOfDatabaseInItsWords(t *testing.T) {
	const migration = `CREATE TABLE things (
    no    INTEGER PRIMARY KEY,
    name  TEXT NOT NULL,
    large BOOLEAN NOT NULL,
    late  BOOLEAN NOT NULL DEFAULT FALSE,
    bytes BLOB
) STRICT, WITHOUT ROWID;
-- +sqlite
PRAGMA TEXT;
-- +postgres
ANALYZE INTEGER;
-- +both
SELECT 1;
`
	require.Equal(t, `CREATE TABLE things (
    no    INTEGER PRIMARY KEY,
    name  TEXT NOT NULL,
    large INTEGER NOT NULL CHECK (large IN (0, 1)),
    late  INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1)),
    bytes BLOB
) STRICT, WITHOUT ROWID;
PRAGMA TEXT;
SELECT 1;
`, forFile.of(migration))
	require.Equal(t, `CREATE TABLE things (
    no    BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    name  TEXT COLLATE "C" NOT NULL,
    large BOOLEAN NOT NULL,
    late  BOOLEAN NOT NULL DEFAULT FALSE,
    bytes BYTEA
);
ANALYZE INTEGER;
SELECT 1;
`, forServer.of(migration))
}
