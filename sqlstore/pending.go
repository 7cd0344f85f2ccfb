package sqlstore

import (
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/wallets"
)

// The ports below are not written yet: each goes away with its file.

func (u *unit) Funding() funding.Store     { return struct{ funding.Store }{} }
func (u *unit) Customers() customers.Store { return struct{ customers.Store }{} }
func (u *unit) Wallets() wallets.Store     { return struct{ wallets.Store }{} }
