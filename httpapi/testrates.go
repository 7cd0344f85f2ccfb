package httpapi

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
)

type ratesInput struct {
	Prices []string `json:"prices" required:"true" doc:"What one USDC costs in naira, one price after the other; the last one stays" eg:"[\"1500\",\"1620.5\"]"`
	Every  *int64   `json:"every_seconds" doc:"How long each price stands, by default 60" min:"1" max:"31536000" eg:"600"`
}

type ratesView struct {
	Prices []string  `json:"prices" eg:"[\"1500\",\"1620.5\"]"`
	Every  int64     `json:"every_seconds" eg:"600"`
	Since  timestamp `json:"since" eg:"2026-03-02T09:15:00.000Z"`
}

func (a *api) setRates(ctx context.Context, _ *call, in ratesInput) (ratesView, error) {
	every := int64(60)
	if in.Every != nil {
		every = *in.Every
	}
	err := a.engine.World.StepPrice(ctx, time.Duration(every)*time.Second, in.Prices...)
	switch {
	case errors.Is(err, sandbox.ErrSteps):
		err = ferry.ErrValidation.About("prices", "Must be 1 to 100 prices")
	case errors.Is(err, money.ErrRate):
		err = ferry.ErrValidation.About("prices", "Each must be a positive number of naira")
	}
	return ratesView{in.Prices, every, timestamp(a.engine.World.Clock().Now())}, err
}
