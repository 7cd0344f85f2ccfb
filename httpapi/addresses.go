package httpapi

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

const tagAddresses = "Addresses"

func (a *api) addressRoutes() []route {
	return []route{
		post("/v1/wallets/addresses", makes(a.createAddress, a.viewNewAddress), about{
			id: "createAddress", scope: business.Collect, tag: tagAddresses, limit: addressBucket,
			summary: "Create a deposit address", message: "Address created successfully",
		}),
		get("/v1/wallets/addresses", query(a.addresses), about{
			id: "getAddresses", tag: tagAddresses,
			summary: "Read one address, or list addresses", message: "Addresses retrieved successfully",
		}),
		patch("/v1/wallets/addresses/{address_id}", unit(a.patchAddress), about{
			id: "patchAddress", scope: business.Collect, tag: tagAddresses,
			summary: "Change an address", message: "Address updated successfully",
		}),
		post("/v1/wallets/{wallet_id}/addresses", makes(a.createAddressOf, a.viewNewAddress), about{
			id: "createAddressOfWallet", scope: business.Collect, tag: tagAddresses, limit: addressBucket,
			summary: "Create a deposit address of the wallet in the path", message: "Address created successfully",
		}),
	}
}

type createAddressInput struct {
	WalletID  string         `json:"wallet_id" doc:"In either form, wal_… or uid_…; this or wallet_uid" eg:"wal_019cadd462507d13b44a8c99b3aacd81"`
	WalletUID string         `json:"wallet_uid" doc:"As wallet_id"`
	Network   string         `json:"network" required:"true" doc:"solana, in any letter case" eg:"solana"`
	Label     string         `json:"label" max:"100" eg:"Order 17"`
	Metadata  ferry.Metadata `json:"metadata" eg:"{\"order\": \"17\"}"`
}

func (in *createAddressInput) check(p *ferry.Problems) {
	in.params().Check(p)
}

func (in *createAddressInput) params() wallets.AddressParams {
	return wallets.AddressParams{
		Wallet:  wallets.WalletRef{ID: cmp.Or(in.WalletID, in.WalletUID)},
		Network: in.Network, Label: in.Label, Metadata: in.Metadata,
	}
}

func (a *api) createAddress(c *call, in createAddressInput) ferry.Operation[wallets.Tx, wallets.Address] {
	var err error
	if _, ok := sameID("wal_", in.WalletID, in.WalletUID); !ok {
		err = wallets.ErrUnknownWallet
	}
	return unless(err, a.engine.Wallets.CreateAddressOp(c.scope, in.params()))
}

// createAddressOfInput is createAddressInput with the wallet in the path.
type createAddressOfInput struct {
	WalletID string         `path:"wallet_id" json:"-"`
	Network  string         `json:"network" doc:"solana, in any letter case" eg:"solana"`
	Label    string         `json:"label" max:"100" eg:"Order 17"`
	Metadata ferry.Metadata `json:"metadata" eg:"{\"order\": \"17\"}"`
}

func (in *createAddressOfInput) check(p *ferry.Problems) { in.params().Check(p) }

func (in *createAddressOfInput) params() wallets.AddressParams {
	return wallets.AddressParams{
		Wallet:  wallets.WalletRef{ID: in.WalletID},
		Network: in.Network, Label: in.Label, Metadata: in.Metadata,
	}
}

func (a *api) createAddressOf(c *call, in createAddressOfInput) ferry.Operation[wallets.Tx, wallets.Address] {
	return a.engine.Wallets.CreateAddressOp(c.scope, in.params())
}

// oneAddress names an address by its id, by what it is on the chain, or by both.
type oneAddress struct {
	ID      string `query:"id" doc:"In either form, addr_… or uid_…"`
	UID     string `query:"uid" doc:"As id"`
	Address string `query:"address" doc:"The address on the chain"`
}

func (in oneAddress) given() bool { return in != oneAddress{} }

func (in oneAddress) ref() (wallets.AddressRef, error) {
	ref := wallets.AddressRef{Address: in.Address}
	if in.ID == "" && in.UID == "" {
		return ref, nil
	}
	id, ok := sameID("addr_", in.ID, in.UID)
	if !ok {
		return wallets.AddressRef{}, wallets.ErrAddressNotFound
	}
	ref.ID = id
	return ref, nil
}

// addressesQuery reads one address when an id or an address is given.
type addressesQuery struct {
	oneAddress
	WalletID        string `query:"wallet_id"`
	WalletUID       string `query:"wallet_uid" doc:"As wallet_id"`
	WalletReference string `query:"wallet_reference"`
	Status          string `query:"status" enum:"active,inactive"`
	HasBalance      *bool  `query:"has_balance" doc:"Keeps addresses that hold something, or nothing"`
	pageQuery
}

// addressesOutput is one address, or a list with its summary.
type addressesOutput = with[either[addressView, addressView], summaryBeside]

func (a *api) addresses(ctx context.Context, c *call, in addressesQuery) (addressesOutput, error) {
	if in.given() {
		found, err := a.findAddress(ctx, c, in.oneAddress)
		return addressesOutput{data: one[addressView, addressView](a.viewAddress(found))}, err
	}
	wallet, err := walletRef(in.WalletReference, in.WalletID, in.WalletUID)
	if err != nil {
		return addressesOutput{}, err
	}
	found, err := a.engine.Wallets.ListAddresses(ctx, c.scope, wallets.AddressQuery{
		Wallet: wallet, Status: wallets.AddressStatus(in.Status), HasBalance: in.HasBalance,
	}, in.page())
	if err != nil {
		return addressesOutput{}, err
	}
	page := either[addressView, addressView]{list: paged(in.page(), found.List, a.viewAddress)}
	return addressesOutput{page, &summaryBeside{viewSummary(found.Summary)}}, nil
}

func (a *api) findAddress(ctx context.Context, c *call, in oneAddress) (wallets.FundedAddress, error) {
	ref, err := in.ref()
	if err != nil {
		return wallets.FundedAddress{}, err
	}
	return a.engine.Wallets.GetAddress(ctx, c.scope, ref)
}

type patchAddressInput struct {
	ID       string         `path:"address_id" json:"-"`
	Label    *string        `json:"label" max:"100" eg:"Order 17, paid"`
	Metadata ferry.Metadata `json:"metadata" doc:"Replaces what is there" eg:"{\"order\": \"17\"}"`
	Status   *string        `json:"status" enum:"active,inactive" eg:"inactive"`
	Address  *string        `json:"address" doc:"Cannot be changed"`
}

func (in *patchAddressInput) check(p *ferry.Problems) {
	if in.Address != nil {
		p.Add("address", "This field cannot be changed")
	}
	in.params().Check(p)
}

func (in *patchAddressInput) params() wallets.UpdateAddressParams {
	return wallets.UpdateAddressParams{
		Label: in.Label, Metadata: in.Metadata, Status: (*wallets.AddressStatus)(in.Status),
	}
}

func (a *api) patchAddress(ctx context.Context, tx store.Tx, c *call, in patchAddressInput) (changedAddressView, error) {
	changed, err := a.engine.Wallets.UpdateAddressIn(ctx, tx, c.scope, wallets.AddressRef{ID: in.ID}, in.params())
	return changedAddressView{a.viewAddress(changed), timestamp(changed.UpdatedAt)}, err
}

type addressView struct {
	ID              wallets.AddressID     `json:"id" eg:"addr_019cadd466387a099bfcccd28521daba"`
	UID             wallets.AddressID     `json:"uid" doc:"Equals id" eg:"addr_019cadd466387a099bfcccd28521daba"`
	WalletID        wallets.ID            `json:"wallet_id" eg:"wal_019cadd462507d13b44a8c99b3aacd81"`
	WalletReference string                `json:"wallet_reference" eg:"treasury"`
	Address         string                `json:"address" eg:"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"`
	PaymentURL      string                `json:"payment_url" doc:"A Solana Pay URL for a QR code, without an amount; the bare address when the chain names no mint" eg:"solana:9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM?spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"`
	Network         string                `json:"network" enum:"solana" eg:"solana"`
	Asset           string                `json:"asset" enum:"USDC" eg:"USDC"`
	Label           string                `json:"label" eg:"Order 17"`
	Status          wallets.AddressStatus `json:"status" enum:"active,inactive" eg:"active"`
	Balance         number                `json:"balance" eg:"0"`
	TotalReceived   number                `json:"total_received" eg:"0"`
	DepositCount    int64                 `json:"deposit_count" eg:"0"`
	Metadata        metadata              `json:"metadata" eg:"{\"order\": \"17\"}"`
	CreatedAt       timestamp             `json:"created_at" eg:"2026-03-02T09:15:04.120Z"`
	LastDepositAt   optionalTime          `json:"last_deposit_at" eg:"null"`
}

type changedAddressView struct {
	addressView
	UpdatedAt timestamp `json:"updated_at" eg:"2026-03-02T09:21:00.000Z"`
}

type summaryBeside struct {
	Summary summaryView `json:"summary"`
}

// summaryView sums up all addresses that a list's filters keep.
type summaryView struct {
	TotalAddresses  int    `json:"total_addresses" eg:"2"`
	ActiveAddresses int    `json:"active_addresses" eg:"2"`
	TotalBalance    number `json:"total_balance" eg:"25.5"`
	TotalReceived   number `json:"total_received" eg:"125.5"`
}

func (a *api) viewNewAddress(made wallets.Address) addressView {
	return a.viewAddress(wallets.FundedAddress{Address: made})
}

func (a *api) viewAddress(f wallets.FundedAddress) addressView {
	return addressView{
		ID: f.ID, UID: f.ID, WalletID: f.Wallet, WalletReference: f.WalletReference,
		Address:    string(f.Address.Address),
		PaymentURL: chain.PaymentRequest{To: f.Address.Address, Mint: a.engine.Mint(f.Scope.Env)}.URL(),
		Network:    wallets.Network, Asset: wallets.Asset.String(),
		Label: f.Label, Status: f.Status, Balance: number(f.Balance),
		TotalReceived: number(f.TotalReceived), DepositCount: f.DepositCount,
		Metadata:  metadata(f.Metadata),
		CreatedAt: timestamp(f.CreatedAt), LastDepositAt: optionalTime(f.LastDepositAt),
	}
}

func viewSummary(s wallets.AddressSummary) summaryView {
	return summaryView{s.Total, s.Active, number(s.Balance), number(s.Received)}
}
