package recovery

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
)

// format is what the header of a file says that it is.
const format = "ferry wallet keys 1"

// header is the first line of a file.
type header struct {
	Format    string    `json:"format"`
	Recipient string    `json:"recipient"`
	MadeAt    time.Time `json:"made_at"`
}

// Entry says whose key it is.
type Entry struct {
	Environment ferry.Env         `json:"environment"`
	Business    ferry.BusinessID  `json:"business_id"`
	Wallet      wallets.ID        `json:"wallet_id"`
	ID          wallets.AddressID `json:"address_id"`
	Address     chain.Address     `json:"address"`
}

// EntryOf is the entry of an address.
func EntryOf(a wallets.Address) Entry {
	return Entry{a.Scope.Env, a.Scope.Business, a.Wallet, a.ID, a.Address}
}

// context binds a sealed key to its entry.
func (e Entry) context() seal.Context {
	return seal.Context{
		Purpose: "wallets.recovery", Env: string(e.Environment), Version: 1,
		Owner: string(e.Business) + "/" + string(e.Wallet) + "/" + string(e.ID) + "/" + string(e.Address),
	}
}

// line is any line of a file after the header: an entry with its sealed key, or the end.
type line struct {
	Entry

	Sealed []byte `json:"sealed"`
	// Keys is how many keys the file has, in its last line only.
	Keys *int `json:"keys,omitempty"`
}

// end is the last line of a file.
type end struct {
	Keys int `json:"keys"`
}
