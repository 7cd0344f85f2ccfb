package sqlstore

import "github.com/ferrypay/ferry/wallets"

// The port below is not written yet: it goes away with its file.

func (u *unit) Wallets() wallets.Store { return struct{ wallets.Store }{} }
