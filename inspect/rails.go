package inspect

import (
	"context"
	"net/http"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// railsData is the page of the bank and the chain.
type railsData struct {
	Accounts []accountRow `json:"accounts"`
	Payments []paymentRow `json:"payments"`
	// RealChain reports whether the chain is a real one, of which the page shows nothing.
	RealChain bool `json:"real_chain"`
	// Slot and Height are the newest of the chain, and Finalized is the height that is final.
	Slot         uint64           `json:"slot"`
	Height       uint64           `json:"height"`
	Finalized    uint64           `json:"finalized"`
	Transactions []transactionRow `json:"transactions"`
	Holders      []holderRow      `json:"holders"`
}

// accountRow is an account at a bank.
type accountRow struct {
	BankCode      string `json:"bank_code"`
	AccountNumber string `json:"account_number"`
	AccountName   string `json:"account_name"`
}

// paymentRow is a payment that the bank has under way.
type paymentRow struct {
	Reference string `json:"reference"`
	// Thing is what is paid, or empty when it is of another business.
	Thing  string       `json:"thing,omitempty"`
	To     accountRow   `json:"to"`
	Amount money.Amount `json:"amount"`
	Since  time.Time    `json:"since"`
}

// addressRow is an address, and the thing that it belongs to. One without is of outside, or of another business.
type addressRow struct {
	Address string `json:"address"`
	Thing   string `json:"thing,omitempty"`
}

// transactionRow is a transaction on the chain. From is empty when the tokens come from outside.
type transactionRow struct {
	Signature string     `json:"signature"`
	From      string     `json:"from,omitempty"`
	To        addressRow `json:"to"`
	Mint      string     `json:"mint"`
	// Amount is zero for another token than USDC.
	Amount money.Amount `json:"amount"`
	// Stage says how sure it is, and Error why it failed.
	Stage string `json:"stage"`
	Error string `json:"error,omitempty"`
	Found bool   `json:"found"`
	// Above is the number of blocks on top of its own, at most those that make it final.
	Above uint64 `json:"above"`
}

// holderRow is an address that has received USDC.
type holderRow struct {
	addressRow
	Amount money.Amount `json:"amount"`
}

// rails shows what the simulated bank and chain have: accounts and addresses to pay to, and what is
// under way.
func (i *Inspector) rails(ctx context.Context, _ *http.Request) (any, error) {
	seen, err := i.engine.World.Look(ctx)
	if err != nil {
		return nil, err
	}
	known := map[chain.Address]addressRow{}
	address := func(a chain.Address) addressRow { // asks once
		if _, asked := known[a]; !asked {
			known[a] = addressRow{string(a), i.quiet.belongsTo(ctx, string(a))}
		}
		return known[a]
	}
	d := railsData{RealChain: i.engine.RealChain(), Slot: seen.Slot, Height: seen.Height, Finalized: seen.Finalized}
	for _, a := range seen.Accounts {
		d.Accounts = append(d.Accounts, accountRow{a.BankCode, a.AccountNumber, a.AccountName})
	}
	for _, p := range seen.Payments {
		d.Payments = append(d.Payments, paymentRow{p.Reference, i.quiet.belongsTo(ctx, p.Reference), accountRow(p.To), p.Amount, p.Since})
	}
	for _, t := range seen.Transactions {
		row := transactionRow{
			Signature: string(t.Signature), From: string(t.From), To: address(t.To), Mint: t.Mint, Amount: t.Amount,
			Stage: "waits for a block", Error: t.Status.Err, Found: t.Status.Found, Above: min(t.Above, sandbox.FinalizedAfter),
		}
		if row.Found {
			row.Stage = string(t.Status.Commitment)
		}
		d.Transactions = append(d.Transactions, row)
	}
	for _, h := range seen.Holders {
		d.Holders = append(d.Holders, holderRow{address(h.Address), h.Amount})
	}
	return d, nil
}

// Credit makes naira arrive at an account, and Deposit USDC at an address of the business.
func (railsData) Credit(account string) Act { return act("₦5,000 arrive", credit(account, "5000")) }
func (railsData) Deposit(address string) Act {
	return act("25 USDC arrive", deposit(address, "25"))
}

// FinalAfter is how many blocks on top make a transaction final.
func (railsData) FinalAfter() uint64 { return sandbox.FinalizedAfter }
