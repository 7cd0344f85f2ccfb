package httpapi

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/wallets"
)

const tagStablecoin = "Stablecoin routes"

// stablecoinRoutes are the wallet routes under their other names, and two that
// exist there only.
func (a *api) stablecoinRoutes() []route {
	named := map[string]route{}
	for _, r := range slices.Concat(a.walletRoutes(), a.addressRoutes(), a.transferRoutes()) {
		named[r.id] = r
	}
	return []route{
		named["createWallet"].alias("createStablecoinWallet", tagStablecoin, "/v1/stablecoin/wallets"),
		named["getWallet"].alias("getStablecoinWallet", tagStablecoin, "/v1/stablecoin/wallets"),
		named["getWalletBalance"].alias("getStablecoinBalance", tagStablecoin, "/v1/stablecoin/wallets/balance"),
		get("/v1/stablecoin/wallets/rate", query(a.rate), about{
			id: "getStablecoinRate", tag: tagStablecoin,
			summary: "Read the price of one USDC", message: "Rate retrieved successfully",
		}),
		named["createAddress"].alias("createStablecoinAddress", tagStablecoin, "/v1/stablecoin/wallets/addresses"),
		named["getAddresses"].alias("getStablecoinAddresses", tagStablecoin, "/v1/stablecoin/wallets/addresses"),
		get("/v1/stablecoin/wallets/addresses/balance", query(a.addressBalance), about{
			id: "getStablecoinAddressBalance", tag: tagStablecoin,
			summary: "Read the balance of one address", message: "Balance retrieved successfully",
		}),
		named["createTransfer"].alias("sendStablecoin", tagStablecoin, "/v1/stablecoin/wallets/addresses/send"),
		named["createTransfer"].alias("createStablecoinTransfer", tagStablecoin, "/v1/stablecoin/wallets/transfers"),
		named["getTransactions"].alias("getStablecoinTransactions", tagStablecoin, "/v1/stablecoin/wallets/transfers"),
	}
}

type addressBalanceQuery struct{ oneAddress }

func (in *addressBalanceQuery) check(p *ferry.Problems) {
	if !in.given() {
		p.Add("id", "Give an id or an address")
	}
}

func (a *api) addressBalance(ctx context.Context, c *call, in addressBalanceQuery) (balanceView, error) {
	found, err := a.findAddress(ctx, c, in.oneAddress)
	return viewAddressBalance(found), err
}

type rateQuery struct {
	Asset    string `query:"asset" doc:"USDC, or solana:usdc"`
	Currency string `query:"currency,fiat_currency" doc:"NGN"`
}

func (a *api) rate(ctx context.Context, c *call, in rateQuery) (rateView, error) {
	if err := in.check(); err != nil {
		return rateView{}, err
	}
	if err := a.engine.Wallets.Serves(c.scope.Env); err != nil {
		return rateView{}, err
	}
	source := a.engine.Rates(c.scope.Env)
	if source == nil {
		return rateView{}, errNoRates
	}
	quote, err := source.Quote(ctx, money.AssetUSDC, money.AssetNGN)
	if err != nil {
		return rateView{}, errRates.Because(err)
	}
	return rateView{
		Asset: money.AssetUSDC.String(), Currency: money.AssetNGN.String(),
		Rate: json.Number(quote.Rate.Price()), ExpiresAt: timestamp(quote.ExpiresAt),
	}, nil
}

// check refuses anything but the price of USDC in naira, the defaults.
func (in rateQuery) check() error {
	asset := strings.TrimPrefix(strings.ToUpper(in.Asset), "SOLANA:")
	if asset != "" && asset != money.AssetUSDC.String() {
		return wallets.ErrInvalidAsset
	}
	if in.Currency != "" && !strings.EqualFold(in.Currency, money.AssetNGN.String()) {
		return errCurrency
	}
	return nil
}

// rateView is the price of one full unit of the asset.
type rateView struct {
	Asset     string      `json:"asset" enum:"USDC" eg:"USDC"`
	Currency  string      `json:"currency" enum:"NGN" eg:"NGN"`
	Rate      json.Number `json:"rate" doc:"Of one unit of the asset" eg:"1500"`
	ExpiresAt timestamp   `json:"expires_at" eg:"2026-03-02T09:30:00.120Z"`
}
