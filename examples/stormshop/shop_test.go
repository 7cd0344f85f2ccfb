package stormshop_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/examples/stormshop"
	"github.com/ferrypay/ferry/ferrytest/sim"
	"github.com/ferrypay/ferry/webhook"
)

var careless = flag.Bool("careless", false, "let the shop forget that a webhook may come twice")

// build puts a shop with its buyers into the storm, and says what has to be true.
func build(careless bool) func(sim.Surroundings) sim.Subject {
	return func(out sim.Surroundings) sim.Subject {
		api, err := client.New(client.Config{BaseURL: out.URL, Key: out.SecretKey, HTTPClient: out.Client, Attempts: 1})
		if err != nil {
			panic(err) // the URL is right
		}
		shop := stormshop.New(api, out.PublicKey)
		shop.Careless = careless
		orders := 0
		return sim.Subject{
			Webhooks: shop.Webhooks(webhook.Verifier{Now: out.Clock.Now}, out.WebhookSecret),
			Act: func(ctx context.Context) {
				if name := fmt.Sprint("order-", 1+out.Rand.IntN(orders+1)); shop.Placed[name] != "" {
					out.Pay(shop.Placed[name], stormshop.Price.Minor())
					return
				}
				orders++
				shop.Order(ctx, fmt.Sprint("order-", orders))
			},
			Work: shop.AskAgain,
			Check: func() error {
				for _, name := range names(shop.Sent) {
					if shop.Sent[name] > 1 {
						return fmt.Errorf("%s was sent to its buyer %d times", name, shop.Sent[name])
					}
				}
				return nil
			},
			AtRest: func(ctx context.Context) error {
				for _, name := range names(shop.Placed) {
					p, err := api.Payments.Get(ctx, name)
					if err != nil {
						return err
					}
					if paid := p.Status == client.PaymentStatusSuccess; paid != (shop.Sent[name] == 1) {
						return fmt.Errorf("%s is %s, and was sent to its buyer %d times", name, p.Status, shop.Sent[name])
					}
				}
				return nil
			},
		}
	}
}

// names are the keys of a map in their order, so that each run is the same.
func names[V any](of map[string]V) (all []string) {
	for name := range of {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func TestTheShopSendsEachPaidOrderOnce(t *testing.T) {
	for seed := range uint64(10) {
		sim.Run(t, sim.Config{Seed: seed + 1, Steps: 1500, Build: build(*careless)})
	}
}

func TestTheStormFindsTheMistakeOfACarelessShop(t *testing.T) {
	for seed := range uint64(10) {
		_, err := sim.Live(sim.Config{Seed: seed + 1, Steps: 1500, Build: build(true)})
		if broken := new(sim.Violation); errors.As(err, &broken) {
			require.Equal(t, "subject", broken.Check)
			require.Contains(t, broken.Text, "was sent to its buyer 2 times")
			t.Log("seed", seed+1, err)
			return
		}
	}
	t.Error("it lives through ten storms")
}
