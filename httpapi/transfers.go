package httpapi

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

const tagTransfers = "Wallet transfers"

func (a *api) transferRoutes() []route {
	return []route{
		post("/v1/wallets/transfer", makes(a.transfer, a.viewTransfer), about{
			id: "createTransfer", scope: business.PayOut, tag: tagTransfers,
			summary: "Send USDC to any address", message: "Transfer initiated",
		}),
		get("/v1/wallets/transfers", query(a.transactions), about{
			id: "getTransactions", tag: tagTransfers,
			summary: "List what went in and out of wallets", message: "Transactions retrieved successfully",
		}),
		get("/v1/wallets/transfers/{id}", query(a.transaction), about{
			id: "getTransaction", tag: tagTransfers,
			summary: "Read one transfer or deposit by id or reference", message: "Transaction retrieved successfully",
		}),
	}
}

type transferInput struct {
	From      string             `json:"from_address" required:"true" doc:"An address of the business" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	To        string             `json:"to_address" required:"true" eg:"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"`
	Amount    strictjson.Literal `json:"amount" required:"true" doc:"USDC, from 0.01, at most 6 decimals" eg:"25.5"`
	Network   string             `json:"network" required:"true" doc:"solana, in any letter case" eg:"solana"`
	Asset     string             `json:"asset" required:"true" doc:"USDC, in any letter case" eg:"USDC"`
	Reference string             `json:"reference" doc:"The business's own name for the transfer: unique for ever; by default the transfer's id" max:"100" eg:"payout-981"`
	Memo      string             `json:"memo" doc:"Written on the chain" max:"200" eg:"Invoice 981"`
	Metadata  ferry.Metadata     `json:"metadata" eg:"{\"invoice\": 981}"`
}

func (in *transferInput) check(p *ferry.Problems) {
	in.params(p).Check(p)
}

func (in *transferInput) params(p *ferry.Problems) outgoing.TransferParams {
	return outgoing.TransferParams{
		From: in.From, To: in.To, Amount: amountOf(p, "amount", wallets.Asset, in.Amount),
		Network: in.Network, Asset: in.Asset,
		Reference: in.Reference, Memo: in.Memo, Metadata: in.Metadata,
	}
}

// transferOutput is a transfer with its links beside it.
type transferOutput = with[transferView, linksBeside]

func (a *api) transfer(c *call, in transferInput) ferry.Operation[wallets.Tx, outgoing.Transfer] {
	return a.engine.Outgoing.TransferOp(c.scope, in.params(new(ferry.Problems)))
}

// transactionPage is the length of a page when none is asked for.
const transactionPage = 25

type transactionsQuery struct {
	Reference         string `query:"reference" doc:"The wallet's reference; or that of one transfer, when no wallet has it"`
	TransferReference string `query:"transfer_reference" doc:"Reads one transfer"`
	ID                string `query:"id" doc:"Reads one transfer or deposit, in either form, trx_… or uid_…"`
	UID               string `query:"uid" doc:"As id"`
	TrxID             string `query:"trx_id" doc:"As id"`
	Status            string `query:"status" enum:"pending,success,failed"`
	Type              string `query:"type" enum:"IN,OUT"`
	rangeQuery
	pageQuery
}

func (in transactionsQuery) page() ferry.Page {
	in.Limit = cmp.Or(in.Limit, transactionPage)
	return in.pageQuery.page()
}

// names are the given identifiers of one transaction.
func (in transactionsQuery) names() []string {
	given := []string{in.ID, in.UID, in.TrxID, in.TransferReference}
	return slices.DeleteFunc(given, func(name string) bool { return name == "" })
}

type transactionsOutput = either[transactionView, transactionView]

func (a *api) transactions(ctx context.Context, c *call, in transactionsQuery) (transactionsOutput, error) {
	if names := in.names(); len(names) > 0 {
		return a.oneTransaction(ctx, c, names, in.Reference)
	}
	found, err := a.engine.Wallets.Transactions(ctx, c.scope, wallets.TransactionQuery{
		Wallet:    wallets.WalletRef{Reference: in.Reference},
		Status:    wallets.TransferStatus(in.Status),
		Direction: wallets.Direction(in.Type),
		Range:     in.between(),
	}, in.page())
	if errors.Is(err, wallets.ErrWalletNotFound) {
		line, notTransfer := a.oneTransaction(ctx, c, []string{in.Reference}, "")
		if errors.Is(notTransfer, wallets.ErrTransactionNotFound) {
			return line, err
		}
		return line, notTransfer
	}
	return transactionsOutput{list: paged(in.page(), found, a.viewTransaction)}, err
}

// oneTransaction reads the one line that all names mean. A wallet's reference,
// when it is given, must be that of its wallet.
func (a *api) oneTransaction(ctx context.Context, c *call, names []string, wallet string) (transactionsOutput, error) {
	var found wallets.StatementLine
	for i, name := range names {
		line, err := a.engine.Outgoing.Line(ctx, c.scope, name)
		if err == nil && i > 0 && line.ID != found.ID {
			err = wallets.ErrTransactionNotFound
		}
		if err != nil {
			return transactionsOutput{}, err
		}
		found = line
	}
	if wallet != "" && wallet != found.WalletReference {
		return transactionsOutput{}, wallets.ErrTransactionNotFound
	}
	return one[transactionView, transactionView](a.viewTransaction(found)), nil
}

type transactionQuery struct {
	ID string `path:"id" doc:"trx_…, uid_… or the reference of a transfer"`
}

func (a *api) transaction(ctx context.Context, c *call, in transactionQuery) (transactionView, error) {
	found, err := a.engine.Outgoing.Line(ctx, c.scope, in.ID)
	return a.viewTransaction(found), err
}

type transferView struct {
	ID                    wallets.TransferID     `json:"id" eg:"trx_019cadd46e0878ec834189614d3d15ce"`
	UID                   wallets.TransferID     `json:"uid" doc:"Equals id" eg:"trx_019cadd46e0878ec834189614d3d15ce"`
	Reference             string                 `json:"reference" eg:"payout-981"`
	SourceWalletID        wallets.ID             `json:"source_wallet_id" eg:"wal_019cadd462507d13b44a8c99b3aacd81"`
	SourceWalletReference string                 `json:"source_wallet_reference" eg:"treasury"`
	From                  string                 `json:"from_address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	To                    string                 `json:"to_address" eg:"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"`
	Amount                number                 `json:"amount" eg:"25.5"`
	Asset                 string                 `json:"asset" enum:"USDC" eg:"USDC"`
	Network               string                 `json:"network" enum:"solana" eg:"solana"`
	Status                wallets.TransferStatus `json:"status" enum:"pending,success,failed" eg:"pending"`
	TransferType          outgoing.Kind          `json:"transfer_type" enum:"internal,external" eg:"external"`
	Fees                  feesView               `json:"fees"`
	OnchainTx             optionalText           `json:"onchain_tx" doc:"The signature, once it is signed; null for an internal transfer" eg:"5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"`
	URL                   optionalText           `json:"url" doc:"A page that shows the transaction" eg:"https://explorer.solana.com/tx/5VERv8?cluster=devnet"`
	Stage                 outflow.Stage          `json:"stage,omitempty" doc:"What it waits for before it is signed; left out when that is nothing" enum:"pending_approval" eg:"-"`
	WaitingFor            wallets.Waiting        `json:"waiting_for,omitempty" doc:"Why it is pending and not signed yet, as of the last try; left out when that is nothing" enum:"fee_payer,fee_budget,chain,operator" eg:"-"`
	Memo                  string                 `json:"memo,omitempty" eg:"Invoice 981"`
	Metadata              metadata               `json:"metadata" eg:"{\"invoice\": 981}"`
	CreatedAt             timestamp              `json:"created_at" eg:"2026-03-02T09:15:06.120Z"`
	ConfirmedAt           optionalTime           `json:"confirmed_at" eg:"null"`
}

type feesView struct {
	Network number `json:"network_fee" eg:"0.005"`
	Total   number `json:"total_fees" eg:"0.005"`
}

// linksBeside repeats beside the data what its links are.
type linksBeside struct {
	URL             optionalText `json:"url" eg:"https://explorer.solana.com/tx/5VERv8?cluster=devnet"`
	TransactionHash optionalText `json:"transaction_hash" eg:"5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"`
}

// transactionView is a line of a statement. Its hash is in camel case, unlike
// that of a transfer.
type transactionView struct {
	UID             wallets.TransactionID  `json:"uid" eg:"trx_019cadd46e0878ec834189614d3d15ce"`
	Reference       string                 `json:"reference" eg:"payout-981"`
	Type            wallets.Direction      `json:"trx_type" enum:"IN,OUT" eg:"OUT"`
	From            optionalText           `json:"from_address" doc:"Null when the chain does not name the sender" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	To              string                 `json:"to_address" eg:"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"`
	Amount          number                 `json:"amount" eg:"25.5"`
	BalanceBefore   *number                `json:"balance_before" doc:"The wallet's posted balance; null while nothing is posted" eg:"100"`
	BalanceAfter    *number                `json:"balance_after" eg:"74.495"`
	NetworkFee      *number                `json:"network_fee,omitempty" doc:"On outgoing items only" eg:"0.005"`
	Status          wallets.TransferStatus `json:"status" enum:"pending,success,failed" eg:"success"`
	WaitingFor      wallets.Waiting        `json:"waiting_for,omitempty" doc:"Of a transfer: why it is pending and not signed yet, as of the last try; left out when that is nothing" enum:"fee_payer,fee_budget,chain,operator" eg:"-"`
	TransactionHash optionalText           `json:"transactionHash" eg:"5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"`
	URL             optionalText           `json:"url" eg:"https://explorer.solana.com/tx/5VERv8?cluster=devnet"`
	CreatedAt       timestamp              `json:"created_at" eg:"2026-03-02T09:15:06.120Z"`
	ConfirmedAt     optionalTime           `json:"confirmed_at" eg:"2026-03-02T09:15:41.300Z"`
	Network         string                 `json:"network" enum:"solana" eg:"solana"`
	Asset           string                 `json:"asset" enum:"USDC" eg:"USDC"`
}

func (a *api) viewTransfer(t outgoing.Transfer) transferOutput {
	url := optionalText(a.engine.Wallets.ExplorerURL(t.Scope.Env, t.Signature))
	return transferOutput{transferView{
		ID: t.ID, UID: t.ID, Reference: t.Reference,
		SourceWalletID: t.Wallet, SourceWalletReference: t.WalletReference,
		From: string(t.From), To: string(t.To),
		Amount: number(t.Amount), Asset: wallets.Asset.String(), Network: wallets.Network,
		Status: t.Status, TransferType: t.Kind, Fees: feesView{number(t.Fee), number(t.Fee)},
		OnchainTx: optionalText(t.Signature), URL: url, Stage: t.Stage, WaitingFor: t.Waiting, Memo: t.Memo, Metadata: metadata(t.Metadata),
		CreatedAt: timestamp(t.CreatedAt), ConfirmedAt: optionalTime(t.ConfirmedAt),
	}, &linksBeside{url, optionalText(t.Signature)}}
}

func (a *api) viewTransaction(l wallets.StatementLine) transactionView {
	view := transactionView{
		UID: l.ID, Reference: l.Reference, Type: l.Direction,
		From: optionalText(l.From), To: string(l.To), Amount: number(l.Amount), Status: l.Status, WaitingFor: l.Waiting,
		TransactionHash: optionalText(l.Signature), URL: optionalText(a.engine.Wallets.ExplorerURL(l.Scope.Env, l.Signature)),
		CreatedAt: timestamp(l.CreatedAt), ConfirmedAt: optionalTime(l.ConfirmedAt),
		Network: wallets.Network, Asset: wallets.Asset.String(),
	}
	if l.Balances != nil {
		view.BalanceBefore, view.BalanceAfter = numberOf(l.Balances.Before), numberOf(l.Balances.After)
	}
	if l.Direction == wallets.Out {
		view.NetworkFee = numberOf(l.Fee)
	}
	return view
}
