package money_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/ferrypay/ferry/money"
)

func ExampleParseMajor() {
	price, _ := money.ParseMajor(money.AssetNGN, "2500.50")
	fmt.Println(price, "is", price.Minor(), "kobo")

	_, err := money.ParseMajor(money.AssetNGN, "2500.505")
	fmt.Println(err)
	// Output:
	// 2500.5 NGN is 250050 kobo
	// money: "2500.505" has too many decimals
}

func ExampleAmount_Add() {
	_, err := money.NGN(150_000).Add(money.USDC(1_000_000))
	fmt.Println(err)
	// Output: money: 1500 NGN and 1 USDC are different assets
}

func ExampleAmount_Split() {
	shares, _ := money.NGN(100_00).Split(3)
	fmt.Println(shares)
	// Output: [33.34 NGN 33.33 NGN 33.33 NGN]
}

func ExampleRate_Convert() {
	rate, _ := money.NewRate(money.AssetUSDC, money.AssetNGN, "1500")
	worth, _ := rate.Convert(money.USDC(2_500_000))
	fmt.Println(worth)
	// Output: 3750 NGN
}

func ExampleSyntaxError() {
	_, err := money.ParseMinor(money.AssetNGN, "-5")
	if refused, ok := errors.AsType[*money.SyntaxError](err); ok {
		fmt.Println(refused.Reason == money.Negative)
	}
	// Output: true
}

func ExampleAmount_MarshalText() {
	receipt := struct {
		Paid money.Amount `json:"paid"`
	}{money.USDC(25_500_000)}
	text, _ := json.Marshal(receipt)
	fmt.Println(string(text))
	// Output: {"paid":"25.5 USDC"}
}

func ExampleFromDecimal() {
	price, _ := money.FromDecimal(money.AssetNGN, decimal.RequireFromString("2500.50"))
	fmt.Println(price, price.Decimal().Mul(decimal.NewFromInt(2)))

	_, err := money.FromDecimal(money.AssetNGN, decimal.RequireFromString("2500.505"))
	fmt.Println(err)
	// Output:
	// 2500.5 NGN 5001
	// money: "2500505e-3" has too many decimals
}
