package httpapi

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

type depositInput struct {
	Address string             `json:"address" required:"true" doc:"A deposit address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	Amount  strictjson.Literal `json:"amount" required:"true" doc:"In full units" eg:"100"`
	Sender  string             `json:"sender" doc:"The address that sends; by default that of somebody outside"`
	Mint    string             `json:"mint" doc:"The mint of another token; by default that of USDC"`
	Wait    *bool              `json:"wait" doc:"Answer once the deposit is credited or judged unsupported; the default" eg:"true"`
}

func (in *depositInput) check(p *ferry.Problems) {
	requirePositive(p, money.AssetUSDC, in.Amount)
	requireAddress(p, "sender", in.Sender)
	requireAddress(p, "mint", in.Mint)
}

// requireAddress notes what is given and is no address of the chain.
func requireAddress(p *ferry.Problems, field, given string) {
	if _, err := chain.ParseAddress(given); err != nil && given != "" {
		p.Add(field, "Must be an address in base58")
	}
}

// requirePositive notes an amount that cannot move.
func requirePositive(p *ferry.Problems, asset money.Asset, literal strictjson.Literal) {
	var syntax ferry.Problems
	amount := amountOf(&syntax, "amount", asset, literal)
	switch {
	case literal == "":
	case syntax.Err() != nil:
		amountOf(p, "amount", asset, literal)
	case amount.Sign() <= 0:
		p.Add("amount", "The amount must be positive")
	case amount.AboveCeiling():
		p.Add("amount", amount.CeilingProblem())
	}
}

func (a *api) deposit(ctx context.Context, c *call, in depositInput) (depositView, error) {
	return a.depositOn(ctx, c, sandbox.DepositParams{
		To: chain.Address(in.Address), Amount: amountOf(new(ferry.Problems), "amount", money.AssetUSDC, in.Amount),
		Mint: in.Mint, Sender: chain.Address(in.Sender), Once: c.resource,
	}, in.Wait == nil || *in.Wait)
}

func (a *api) depositOn(ctx context.Context, c *call, p sandbox.DepositParams, wait bool) (depositView, error) {
	if _, err := a.engine.Deposits.ArrivalOf(ctx, c.scope.Env, p.To, ""); err != nil {
		return depositView{}, err
	}
	if a.engine.RealChain() {
		return depositView{}, engine.ErrRealChain.Saying("This sandbox runs on a real chain: send USDC to the address on that chain")
	}
	signature, err := a.engine.World.Deposit(ctx, p)
	if errors.Is(err, chain.ErrInvalidAddress) {
		return depositView{}, outgoing.ErrInvalidAddress.Saying("The chain refuses this deposit").Because(err)
	}
	if err != nil {
		return depositView{}, tooMuch(err)
	}
	arrival := deposits.ArrivalUnknown
	if wait {
		arrival, err = a.engine.AwaitDeposit(ctx, p.To, signature)
	}
	return depositView{signature, p.To, number(p.Amount), arrival}, err
}

type fundInput struct {
	Currency string             `json:"currency" required:"true" enum:"NGN,USDC" eg:"NGN"`
	Amount   strictjson.Literal `json:"amount" required:"true" doc:"In full units" eg:"5000"`
	Wallet   string             `json:"wallet" doc:"For USDC: id or reference of the wallet"`
}

func (in *fundInput) check(p *ferry.Problems) {
	asset, err := money.ParseAsset(in.Currency)
	if err != nil {
		asset = money.AssetUSDC // the one that allows more
	}
	requirePositive(p, asset, in.Amount)
	if err == nil && asset == money.AssetUSDC {
		mustHave(p, "wallet", in.Wallet)
	}
}

func (a *api) fund(ctx context.Context, c *call, in fundInput) (fundView, error) {
	asset, err := money.ParseAsset(in.Currency)
	if err != nil {
		return fundView{}, errCurrency.Because(err)
	}
	amount := amountOf(new(ferry.Problems), "amount", asset, in.Amount)
	if asset == money.AssetUSDC {
		return a.fundWallet(ctx, c, in.Wallet, amount)
	}
	if err := a.engine.FundNGN(ctx, c.scope, amount); err != nil {
		return fundView{}, tooMuch(err)
	}
	totals, err := a.engine.Balances(ctx, c.scope)
	balance := money.Of(asset, 0)
	for _, t := range totals {
		if t.Asset == asset {
			balance, err = t.Posted.Sub(t.Reserved)
		}
	}
	return fundView{asset.String(), number(balance)}, err
}

func (a *api) fundWallet(ctx context.Context, c *call, named string, amount money.Amount) (fundView, error) {
	ref := wallets.WalletRef{Reference: named}
	if id, ok := ferry.CanonicalID("wal_", named); ok {
		ref = wallets.WalletRef{ID: id}
	}
	w, err := a.engine.Wallets.Get(ctx, c.scope, ref)
	if err != nil {
		return fundView{}, err
	}
	if _, err := a.depositOn(ctx, c, sandbox.DepositParams{To: w.PrimaryAddress, Amount: amount, Once: c.resource}, true); err != nil {
		return fundView{}, err
	}
	w, err = a.engine.Wallets.Get(ctx, c.scope, ref)
	return fundView{wallets.Asset.String(), number(w.Balance)}, err
}

type senderInput struct {
	BankCode      string `json:"bank_code" eg:"058"`
	AccountNumber string `json:"account_number" eg:"0123456789"`
	AccountName   string `json:"account_name" eg:"Bola Ade"`
}

type bankCreditInput struct {
	AccountNumber string             `json:"account_number" required:"true" doc:"A source account of a business, a collection account, or the account of a session or an onramp" eg:"9000000001"`
	Amount        strictjson.Literal `json:"amount" required:"true" doc:"Naira" eg:"5000"`
	Sender        senderInput        `json:"sender"`
	Narration     string             `json:"narration" eg:"Top-up"`
	SessionID     string             `json:"session_id" doc:"The same one again is a duplicate notice"`
	Wait          *bool              `json:"wait" doc:"Answer once the credit is booked; the default" eg:"true"`
}

func (in *bankCreditInput) check(p *ferry.Problems) {
	requirePositive(p, money.AssetNGN, in.Amount)
}

func (a *api) bankCredit(ctx context.Context, c *call, in bankCreditInput) (bankCreditView, error) {
	notice, err := a.engine.World.Credit(ctx, sandbox.CreditParams{
		AccountNumber: in.AccountNumber,
		Amount:        amountOf(new(ferry.Problems), "amount", money.AssetNGN, in.Amount),
		Sender:        bank.Party(in.Sender),
		Narration:     in.Narration, SessionID: in.SessionID,
	})
	if errors.Is(err, sandbox.ErrNoAccount) {
		return bankCreditView{}, ferry.ErrValidation.About("account_number", "No bank account has this number")
	}
	if err == nil && notice.AccountNumber != in.AccountNumber { // perhaps of another business
		return bankCreditView{}, ferry.ErrValidation.About("session_id", "Names a credit to another account")
	}
	view := bankCreditView{notice.SessionID, notice.AccountNumber, number(notice.Amount), creditPending}
	if err != nil || in.Wait != nil && !*in.Wait {
		return view, tooMuch(err)
	}
	booked, err := a.engine.AwaitCredit(ctx, c.scope.Env, notice.SessionID)
	if booked {
		view.Status = creditBooked
	}
	return view, err
}

// tooMuch is the problem of an amount that the simulated world cannot hold.
func tooMuch(err error) error {
	if errors.Is(err, sandbox.ErrAmount) {
		return ferry.ErrValidation.About("amount", "Is more than the sandbox can hold").Because(err)
	}
	return err
}

type depositView struct {
	TransactionHash chain.Signature  `json:"transaction_hash" eg:"5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"`
	Address         chain.Address    `json:"address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	Amount          number           `json:"amount" eg:"100"`
	Status          deposits.Arrival `json:"status" enum:"pending,credited,unsupported" eg:"credited"`
}

type fundView struct {
	Currency string `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	Balance  number `json:"balance" eg:"1005000"`
}

const (
	creditPending = "pending"
	creditBooked  = "credited"
)

type bankCreditView struct {
	SessionID     string `json:"session_id" eg:"999000260302091500000000000001"`
	AccountNumber string `json:"account_number" eg:"9000000001"`
	Amount        number `json:"amount" eg:"5000"`
	Status        string `json:"status" enum:"pending,credited" eg:"credited"`
}
