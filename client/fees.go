package client

import "encoding/json"

// PaymentFees are what a payment cost.
type PaymentFees struct {
	// Platform is the fee of the platform, under whichever name a server has for it.
	Platform   Price
	Processing Price
	Total      Price
}

// UnmarshalJSON reads the fees. That of the platform is the one that bears no other name.
func (f *PaymentFees) UnmarshalJSON(b []byte) error {
	var named map[string]Price
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	for name, fee := range named {
		switch name {
		case "processing_fee":
			f.Processing = fee
		case "total_fees":
			f.Total = fee
		default:
			f.Platform = fee
		}
	}
	return nil
}
