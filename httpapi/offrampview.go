package httpapi

import (
	"cmp"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/wallets"
)

type payeeView struct {
	BankCode      string       `json:"bank_code" eg:"058"`
	BankName      optionalText `json:"bank_name" doc:"Null when the code is not on the list of banks" eg:"Guaranty Trust Bank"`
	AccountName   optionalText `json:"account_name" doc:"That of the bank; the given one while the bank does not tell it" eg:"Ada Obi"`
	AccountNumber string       `json:"account_number" eg:"0123456780"`
}

// askedView is the USDC that an order takes in.
type askedView struct {
	AmountStablecoin number       `json:"amount_stablecoin" doc:"USDC to be sent, at the rate of the quote" eg:"10"`
	AmountReceived   number       `json:"amount_received" doc:"USDC that came and counts" eg:"0"`
	AmountDue        number       `json:"amount_due" doc:"USDC that is still asked for" eg:"10"`
	Rate             json.Number  `json:"rate" doc:"Naira for one USDC, with the spread in it" eg:"1500"`
	RateExpiresAt    timestamp    `json:"rate_expires_at" doc:"USDC of later blocks counts at the rate of its moment" eg:"2026-03-02T09:30:00.120Z"`
	QuoteID          ramp.QuoteID `json:"quote_id" eg:"qte_019cadd46e0878ec834189614d3d15ce"`
	Network          string       `json:"network" enum:"solana" eg:"solana"`
	Chain            string       `json:"chain" enum:"SOLANA" eg:"SOLANA"`
	Asset            string       `json:"asset" enum:"USDC" eg:"USDC"`
	DepositAddress   optionalText `json:"deposit_address" doc:"Null when it is not that of its key" eg:"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
}

func viewAsked(o offramp.Order) askedView {
	return askedView{
		AmountStablecoin: number(o.Crypto), AmountReceived: number(o.Received), AmountDue: number(o.Due()),
		Rate: json.Number(cmp.Or(o.Rate, "0")), RateExpiresAt: timestamp(o.RateUntil), QuoteID: o.Quote,
		Network: wallets.Network, Chain: rampChain, Asset: wallets.Asset.String(), DepositAddress: optionalText(o.Deposit),
	}
}

// offrampRowView is an offramp without its deposits.
type offrampRowView struct {
	ID                offramp.ID  `json:"id" eg:"ofr_019cadd46e0878ec834189614d3d15ce"`
	UID               string      `json:"uid" doc:"The legacy form of id" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	Reference         string      `json:"reference" eg:"cashout-981"`
	ProviderReference offramp.ID  `json:"provider_reference" doc:"Equals id" eg:"ofr_019cadd46e0878ec834189614d3d15ce"`
	Status            ramp.Status `json:"status" enum:"pending,processing,successful,failed" eg:"pending"`
	Stage             ramp.Stage  `json:"stage" enum:"awaiting_deposit,funds_received,payment_submitted,done,expired,refunded" eg:"awaiting_deposit"`
	Currency          string      `json:"fiat_currency" enum:"NGN" eg:"NGN"`
	Amount            number      `json:"amount" doc:"Naira that the account gets" eg:"15000"`
	AmountFiat        number      `json:"amount_fiat" doc:"Equals amount" eg:"15000"`
	AmountUnit        string      `json:"amount_unit" enum:"major" eg:"major"`
	askedView
	Beneficiary payeeView    `json:"beneficiary"`
	SessionID   optionalText `json:"session_id" doc:"The bank's own id of the payment; null until it is paid" eg:"null"`
	LastError   optionalText `json:"last_error" doc:"Why it failed, or why the naira came back" eg:"null"`
	ExpiresAt   timestamp    `json:"expires_at" doc:"USDC of later blocks goes back" eg:"2026-03-02T09:30:00.120Z"`
	FundedAt    optionalTime `json:"funded_at" doc:"When all USDC was there" eg:"null"`
	PaidAt      optionalTime `json:"paid_at" eg:"null"`
	ReturnedAt  optionalTime `json:"returned_at" doc:"When the naira came back after success, to the business's balance" eg:"null"`
	CreatedAt   timestamp    `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt   timestamp    `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewOfframpRow(o offramp.Order) offrampRowView {
	return offrampRowView{
		ID: o.ID, UID: ferry.UID(string(o.ID)), Reference: o.Reference, ProviderReference: o.ID, Status: o.Status, Stage: o.Stage,
		Currency: money.AssetNGN.String(), Amount: number(o.Amount), AmountFiat: number(o.Amount), AmountUnit: "major",
		askedView:   viewAsked(o),
		Beneficiary: payeeView{o.To.BankCode, optionalText(o.BankName()), optionalText(o.To.AccountName), o.To.AccountNumber},
		SessionID:   optionalText(o.SessionID), LastError: optionalText(o.Failure), ExpiresAt: timestamp(o.ExpiresAt),
		FundedAt: optionalTime(o.FundedAt), PaidAt: optionalTime(o.PaidAt), ReturnedAt: optionalTime(o.ReturnedAt),
		CreatedAt: timestamp(o.CreatedAt), UpdatedAt: timestamp(o.UpdatedAt),
	}
}

// offrampView is an offramp with its deposits, the oldest first.
type offrampView struct {
	offrampRowView
	Deposits []offrampDepositView `json:"deposits"`
}

type offrampDepositView struct {
	Amount          number               `json:"amount" doc:"USDC that came, or a part of it" eg:"10"`
	Status          offramp.DepositState `json:"status" doc:"held: it is not decided yet; taken: it was exchanged; due and sending: it goes back; returned: it went back; kept: it cannot go back, and the operator says where it goes" enum:"held,taken,due,sending,returned,kept" eg:"held"`
	Reason          optionalText         `json:"reason" doc:"Why it goes back: excess, late, underpaid, payout_failed, or purchase_failed of a bill" eg:"null"`
	Rate            *json.Number         `json:"rate" doc:"At which it counted; null when it did not" eg:"1500"`
	Sender          optionalText         `json:"sender" doc:"Where it came from, and goes back to" eg:"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"`
	Source          string               `json:"source" doc:"The signature that brought it, or the movement inside" eg:"5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"`
	AmountReturned  number               `json:"amount_returned" doc:"What its sender got, less the fee of the network" eg:"0"`
	TransactionHash optionalText         `json:"transaction_hash" doc:"The signature of its way back" eg:"null"`
	CreatedAt       timestamp            `json:"created_at" eg:"2026-03-02T09:16:00.120Z"`
}

func viewOfframp(d offramp.Details) offrampView {
	return offrampView{viewOfframpRow(d.Order), viewDeposits(d.Deposits)}
}

func viewDeposits(all []offramp.Deposit) []offrampDepositView {
	views := make([]offrampDepositView, 0, len(all))
	for _, came := range all {
		one := offrampDepositView{
			Amount: number(came.Amount), Status: came.State, Reason: optionalText(came.Reason), Sender: optionalText(came.Sender),
			Source: came.Source, AmountReturned: number(came.Returned), TransactionHash: optionalText(came.Signature),
			CreatedAt: timestamp(came.CreatedAt),
		}
		if rate := json.Number(came.Rate); came.Rate != "" {
			one.Rate = &rate
		}
		views = append(views, one)
	}
	return views
}
