package sqlstore

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// released are the migrations that databases out there have run, and the
// beginnings of their hashes. None of them is ever edited: what is to change comes
// in a new file, which is added here.
var released = map[string]string{
	"postgres/0001_core.sql":           "e42bbfe3f846d5c2",
	"postgres/0002_ledger.sql":         "1e6645064a06ce36",
	"postgres/0003_webhooks.sql":       "7235c38525fe2ede",
	"postgres/0004_businesses.sql":     "484778f7c834f006",
	"postgres/0005_customers.sql":      "19e4e01808ff2e4d",
	"postgres/0006_wallets.sql":        "e7ee9fc083b70686",
	"postgres/0007_funding.sql":        "dfb6e083d4c8ecb9",
	"postgres/0008_world.sql":          "3d61cf6ba0bfe5e4",
	"postgres/0009_address_keys.sql":   "bb387c2920ad480b",
	"postgres/0010_hold.sql":           "c56d7527e600bbec",
	"postgres/0020_payments.sql":       "5a4e47a8655690dc",
	"postgres/0021_links.sql":          "1c90029528f5f24b",
	"postgres/0022_accounts.sql":       "f6656aef2d9d180d",
	"postgres/0023_checkout.sql":       "b31cef3a4e2dd107",
	"postgres/0024_return_answers.sql": "18cc10062fa042d6",
	"postgres/0025_audit_walks.sql":    "764ad49cedd4f488",
	"postgres/0026_decided.sql":        "adcee7ddc83c2046",
	"postgres/0027_search.sql":         "c785f12af765d261",
	"postgres/0029_late.sql":           "5bcacfd67b6265eb",
	"postgres/0030_receipt_price.sql":  "a467baf08285fa77",
	"postgres/0031_public_names.sql":   "8a8f30f7ac67a722",
	"postgres/0035_order_price.sql":    "116136388180aebd",
	"postgres/0036_parts.sql":          "51c0243862a3d9a0",
	"postgres/0041_wallet_lists.sql":   "d1147d47c2bf9069",
	"postgres/0045_identity_asked.sql": "34b10dc0d21f8f3b",
	"postgres/0050_owners.sql":         "f762616c0e96f9e5",
	"postgres/0046_key_scopes.sql":     "ecdb4f96e4fdb0bb",
	"postgres/0055_queues.sql":         "6e07e74c64e7e71c",
	"postgres/0051_newest_event.sql":   "a776073ce4d7d61b",
	"postgres/0056_suspended.sql":      "612b86fcd34d4c5b",
	"postgres/0066_naira_offers.sql":   "ef2181a17e284439",
	"postgres/0070_list_names.sql":     "d4de9994226545b3",
	"sqlite/0001_core.sql":             "1b6adea265aab942",
	"sqlite/0002_ledger.sql":           "28ac5deecedfca96",
	"sqlite/0003_webhooks.sql":         "c4ee9b9415858f63",
	"sqlite/0004_businesses.sql":       "ec77b4baac9216c5",
	"sqlite/0005_customers.sql":        "1eb33c156a73bde2",
	"sqlite/0006_wallets.sql":          "84868b381bf17ca8",
	"sqlite/0007_funding.sql":          "44481be01fb3edcb",
	"sqlite/0008_world.sql":            "b2fb290dd023d9a2",
	"sqlite/0009_address_keys.sql":     "fc294a4a04f31a74",
	"sqlite/0010_hold.sql":             "97f690dc96fd21d8",
	"sqlite/0020_payments.sql":         "d03ad8b08bf0ec6e",
	"sqlite/0021_links.sql":            "33ed14ae99507301",
	"sqlite/0022_accounts.sql":         "8fec77f13ea30460",
	"sqlite/0023_checkout.sql":         "f05991b2610acf68",
	"sqlite/0024_return_answers.sql":   "14d9dafd9ababa84",
	"sqlite/0025_audit_walks.sql":      "764ad49cedd4f488",
	"sqlite/0026_decided.sql":          "b84d94d326606f2d",
	"sqlite/0027_search.sql":           "b4d4060c8adb05e9",
	"sqlite/0029_late.sql":             "594da348cd741697",
	"sqlite/0030_receipt_price.sql":    "a467baf08285fa77",
	"sqlite/0031_public_names.sql":     "8a8f30f7ac67a722",
	"sqlite/0035_order_price.sql":      "e6e0e9fe3d55d059",
	"sqlite/0036_parts.sql":            "51c0243862a3d9a0",
	"sqlite/0041_wallet_lists.sql":     "15c3797876ad8fde",
	"sqlite/0045_identity_asked.sql":   "c3f22b15a65ade47",
	"sqlite/0050_owners.sql":           "ccb76715fd6fcaf6",
	"sqlite/0046_key_scopes.sql":       "3b6be5de110c20eb",
	"sqlite/0055_queues.sql":           "6e07e74c64e7e71c",
	"sqlite/0051_newest_event.sql":     "a776073ce4d7d61b",
	"sqlite/0056_suspended.sql":        "612b86fcd34d4c5b",
	"sqlite/0066_naira_offers.sql":     "13f3b25238baa73f",
	"sqlite/0070_list_names.sql":       "d4de9994226545b3",
}

func TestAMigrationThatWasReleasedIsNeverEdited(t *testing.T) {
	there := map[string]string{}
	require.NoError(t, fs.WalkDir(migrations, "migrations", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := migrations.ReadFile(path)
		sum := sha256.Sum256(text)
		there[path[len("migrations/"):]] = hex.EncodeToString(sum[:8])
		return err
	}))
	require.Equal(t, released, there)
}
