package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

const tagWallets = "Wallets"

func (a *api) walletRoutes() []route {
	return []route{
		post("/v1/wallets", makes(a.createWallet, viewNewWallet), about{
			id: "createWallet", scope: business.Collect, tag: tagWallets,
			summary: "Create a wallet with its primary address", message: "Wallet created successfully",
		}),
		get("/v1/wallets", query(a.wallets), about{
			id: "getWallet", tag: tagWallets,
			summary: "Read one wallet by id or reference, or list wallets", message: "Wallets retrieved successfully",
		}),
		get("/v1/wallets/balance", query(a.walletBalance), about{
			id: "getWalletBalance", tag: tagWallets,
			summary: "Read the balances of a wallet by address", message: "Balance retrieved successfully",
		}),
		post("/v1/wallets/status", unit(a.setWalletStatus), about{
			id: "setWalletStatus", scope: business.Manage, tag: tagWallets,
			summary: "Suspend, reactivate or close a wallet", message: "Wallet status updated successfully",
		}),
	}
}

type createWalletInput struct {
	Type       string         `json:"type" required:"true" enum:"stablecoin" eg:"stablecoin"`
	Network    string         `json:"network" required:"true" doc:"solana, in any letter case" eg:"solana"`
	Asset      string         `json:"asset" required:"true" doc:"USDC, in any letter case" eg:"USDC"`
	Reference  string         `json:"reference" doc:"The business's own name for the wallet: unique for ever, never changed; by default the wallet's id" max:"100" eg:"treasury"`
	Label      string         `json:"label" max:"100" eg:"Treasury"`
	CustomerID string         `json:"customer_id" doc:"The customer whose wallets will list it" eg:"cus_019cadd4569875d7a1b61a53693e7f0f"`
	Metadata   ferry.Metadata `json:"metadata" eg:"{\"team\": \"finance\"}"`
}

func (in *createWalletInput) check(p *ferry.Problems) {
	in.params().Check(p)
}

func (in *createWalletInput) params() wallets.CreateParams {
	return wallets.CreateParams{
		Type: in.Type, Network: in.Network, Asset: in.Asset,
		Reference: in.Reference, Label: in.Label, CustomerID: ownerID(in.CustomerID), Metadata: in.Metadata,
	}
}

func (a *api) createWallet(c *call, in createWalletInput) ferry.Operation[wallets.Tx, wallets.Wallet] {
	return a.engine.Wallets.CreateOp(c.scope, in.params())
}

// walletQuery names one wallet.
type walletQuery struct {
	ID        string `query:"id" doc:"In either form, wal_… or uid_…"`
	UID       string `query:"uid" doc:"As id"`
	Reference string `query:"reference"`
}

// walletBalanceQuery is walletQuery where the reference is the usual name.
type walletBalanceQuery struct{ walletQuery }

func (in *walletBalanceQuery) check(p *ferry.Problems) {
	if in.ID == "" && in.UID == "" {
		mustHave(p, "reference", in.Reference)
	}
}

func (in *walletQuery) ref() (wallets.WalletRef, error) {
	return walletRef(in.Reference, in.ID, in.UID)
}

// walletRef names the one wallet that a reference and all given ids name.
func walletRef(reference string, ids ...string) (wallets.WalletRef, error) {
	ref := wallets.WalletRef{Reference: reference}
	for _, given := range ids {
		if given == "" {
			continue
		}
		id, ok := sameID("wal_", ids...)
		if !ok {
			return wallets.WalletRef{}, wallets.ErrWalletNotFound
		}
		ref.ID = id
	}
	return ref, nil
}

// walletsQuery reads one wallet when an id or a reference is given.
type walletsQuery struct {
	walletQuery
	Status     string `query:"status" enum:"active,suspended,closed"`
	CustomerID string `query:"customer_id" doc:"The customer's, in either form"`
	Search     string `query:"search" doc:"Part of the reference or the label"`
	rangeQuery
	pageQuery
}

type walletsOutput = either[walletDetailsView, walletView]

func (a *api) wallets(ctx context.Context, c *call, in walletsQuery) (walletsOutput, error) {
	if in.walletQuery != (walletQuery{}) {
		found, err := a.findWallet(ctx, c, in.walletQuery)
		return one[walletDetailsView, walletView](viewWalletDetails(found)), err
	}
	found, err := a.engine.Wallets.List(ctx, c.scope, wallets.WalletFilter{
		Status: wallets.Status(in.Status), CustomerID: ownerID(in.CustomerID), Search: in.Search, Range: in.between(),
	}, in.page())
	return walletsOutput{list: paged(in.page(), found, viewWallet)}, err
}

// ownerID is the id of a customer, given in either form.
func ownerID(given string) string {
	if id, ok := ferry.CanonicalID("cus_", given); ok {
		return id
	}
	return given
}

func (a *api) findWallet(ctx context.Context, c *call, in walletQuery) (wallets.FundedWallet, error) {
	ref, err := in.ref()
	if err != nil {
		return wallets.FundedWallet{}, err
	}
	return a.engine.Wallets.Get(ctx, c.scope, ref)
}

func (a *api) walletBalance(ctx context.Context, c *call, in walletBalanceQuery) (with[[]balanceView, counterBeside], error) {
	w, err := a.findWallet(ctx, c, in.walletQuery)
	if err != nil {
		return with[[]balanceView, counterBeside]{}, err
	}
	rows := make([]balanceView, 0, len(w.Addresses))
	for _, address := range w.Addresses {
		rows = append(rows, viewAddressBalance(address))
	}
	counter := counterBeside{counterView{len(rows), number(w.Balance)}}
	return with[[]balanceView, counterBeside]{rows, &counter}, nil
}

type walletStatusInput struct {
	ID        string `json:"id" doc:"In either form; this or reference" eg:"wal_019cadd462507d13b44a8c99b3aacd81"`
	UID       string `json:"uid" doc:"As id"`
	Reference string `json:"reference"`
	Status    string `json:"status" required:"true" enum:"active,suspended,closed" eg:"suspended"`
}

func (in *walletStatusInput) check(p *ferry.Problems) {
	if in.ID == "" && in.UID == "" && in.Reference == "" {
		p.Add("id", "Give an id or a reference")
	}
}

func (a *api) setWalletStatus(ctx context.Context, tx store.Tx, c *call, in walletStatusInput) (walletDetailsView, error) {
	ref, err := walletRef(in.Reference, in.ID, in.UID)
	if err != nil {
		return walletDetailsView{}, err
	}
	moved, err := a.engine.Wallets.SetStatusIn(ctx, tx, c.scope, ref, wallets.Status(in.Status))
	return viewWalletDetails(moved), err
}

type walletView struct {
	ID             wallets.ID     `json:"id" eg:"wal_019cadd462507d13b44a8c99b3aacd81"`
	UID            string         `json:"uid" doc:"The legacy form of id" eg:"uid_019cadd462507d13b44a8c99b3aacd81"`
	Reference      string         `json:"reference" eg:"treasury"`
	Label          string         `json:"label" eg:"Treasury"`
	Type           string         `json:"type" enum:"stablecoin" eg:"stablecoin"`
	Network        string         `json:"network" enum:"solana" eg:"solana"`
	Asset          string         `json:"asset" enum:"USDC" eg:"USDC"`
	PrimaryAddress string         `json:"primary_address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	CustomerID     string         `json:"customer_id,omitempty" eg:"cus_019cadd4569875d7a1b61a53693e7f0f"`
	Status         wallets.Status `json:"status" enum:"active,suspended,closed" eg:"active"`
	SuspendedBy    string         `json:"suspended_by,omitempty" enum:"business,alarm,business_and_alarm" doc:"Who keeps a suspended wallet so; only the operator ends an alarm" eg:"alarm"`
	Balance        number         `json:"balance" doc:"What may be sent: posted minus reserved" eg:"0"`
	Metadata       metadata       `json:"metadata" eg:"{\"team\": \"finance\"}"`
	CreatedAt      timestamp      `json:"created_at" eg:"2026-03-02T09:15:03.120Z"`
	UpdatedAt      timestamp      `json:"updated_at" eg:"2026-03-02T09:15:03.120Z"`
}

type walletDetailsView struct {
	walletView
	Addresses []walletAddressView `json:"addresses"`
}

type walletAddressView struct {
	Address   string `json:"address" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	Label     string `json:"label" eg:"Treasury"`
	IsPrimary bool   `json:"is_primary" eg:"true"`
}

type balanceView struct {
	UID             wallets.AddressID `json:"uid" eg:"addr_019cadd466387a099bfcccd28521daba"`
	Address         string            `json:"address" eg:"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"`
	Balance         number            `json:"balance" eg:"25.5"`
	UpdatedAt       timestamp         `json:"updated_at" eg:"2026-03-02T09:20:31.512Z"`
	WalletReference string            `json:"wallet_reference" eg:"treasury"`
	Type            string            `json:"type" enum:"stablecoin" eg:"stablecoin"`
	Network         string            `json:"network" enum:"solana" eg:"solana"`
	Asset           string            `json:"asset" enum:"USDC" eg:"USDC"`
}

type counterBeside struct {
	Counter counterView `json:"counter"`
}

type counterView struct {
	TotalAddresses int    `json:"total_addresses" eg:"1"`
	TotalBalance   number `json:"total_balance" eg:"25.5"`
}

func viewNewWallet(w wallets.Wallet) walletView { return viewWallet(wallets.FundedWallet{Wallet: w}) }

func viewWallet(w wallets.FundedWallet) walletView {
	return walletView{
		ID: w.ID, UID: ferry.UID(string(w.ID)), Reference: w.Reference, Label: w.Label,
		Type: wallets.Type, Network: wallets.Network, Asset: wallets.Asset.String(),
		PrimaryAddress: string(w.PrimaryAddress), CustomerID: w.CustomerID,
		Status: w.Status, SuspendedBy: string(w.SuspendedBy), Balance: number(w.Balance), Metadata: metadata(w.Metadata),
		CreatedAt: timestamp(w.CreatedAt), UpdatedAt: timestamp(w.UpdatedAt),
	}
}

func viewWalletDetails(w wallets.FundedWallet) walletDetailsView {
	view := walletDetailsView{viewWallet(w), make([]walletAddressView, 0, len(w.Addresses))}
	for _, address := range w.Addresses {
		view.Addresses = append(view.Addresses, walletAddressView{
			string(address.Address.Address), address.Label, address.Primary,
		})
	}
	return view
}

func viewAddressBalance(a wallets.FundedAddress) balanceView {
	updated := a.UpdatedAt
	if a.LastDepositAt.After(updated) {
		updated = a.LastDepositAt
	}
	return balanceView{
		UID: a.ID, Address: string(a.Address.Address), Balance: number(a.Balance),
		UpdatedAt: timestamp(updated), WalletReference: a.WalletReference,
		Type: wallets.Type, Network: wallets.Network, Asset: wallets.Asset.String(),
	}
}
