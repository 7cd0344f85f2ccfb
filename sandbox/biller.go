package sandbox

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
)

// simBiller is the simulated biller.
type simBiller struct{ world *World }

var _ biller.Biller = simBiller{}

func (b simBiller) provider() provider {
	return provider{b.world, TargetBiller, biller.ErrUnavailable}
}

// Providers returns the same companies always.
func (b simBiller) Providers(ctx context.Context, s biller.Service) (all []biller.Provider, err error) {
	err = b.provider().query(ctx, func(*moment) error { return nil })
	for _, p := range billProviders {
		if p.Service == s && err == nil {
			all = append(all, p)
		}
	}
	return all, err
}

// Products returns the same products always.
func (b simBiller) Products(ctx context.Context, s biller.Service, provider string) (all []biller.Product, err error) {
	err = b.provider().query(ctx, func(*moment) error { return nil })
	for _, p := range billProducts {
		if p.Service == s && p.Provider == provider && err == nil {
			all = append(all, p)
		}
	}
	return all, err
}

// Verify answers for all numbers but those of zeros only, which belong to nobody.
func (b simBiller) Verify(ctx context.Context, t biller.Target) (biller.Customer, error) {
	err := b.provider().query(ctx, func(*moment) error { return nil })
	switch {
	case err != nil:
		return biller.Customer{}, err
	case strings.Trim(t.Number, "0") == "":
		return biller.Customer{}, biller.ErrNoCustomer
	case t.Service == biller.Airtime || t.Service == biller.Data:
		return biller.Customer{}, nil
	}
	d := dice(sha256.Sum256([]byte("customer" + t.Provider + t.Number)))
	customer := biller.Customer{Name: from(d, 1, womensNames) + " " + from(d, 3, lastNames)}
	if t.Service == biller.Utility {
		customer.Address = "7 Marina Road, Lagos"
	}
	return customer, nil
}

// billProviders are the companies whose bills the sandbox sells.
var billProviders = slices.Concat(
	companies(biller.Airtime, "mtn", "MTN", "airtel", "Airtel", "glo", "Glo", "9mobile", "9mobile"),
	companies(biller.Data, "mtn", "MTN", "airtel", "Airtel", "glo", "Glo", "9mobile", "9mobile"),
	companies(biller.CableTV, "dstv", "DStv", "gotv", "GOtv", "startimes", "StarTimes"),
	companies(biller.Utility, "ikeja-electric", "Ikeja Electric", "eko-electric", "Eko Electricity", "abuja-electric", "Abuja Electricity"),
)

// companies are providers of a service, by pairs of code and name.
func companies(s biller.Service, pairs ...string) (all []biller.Provider) {
	for pair := range slices.Chunk(pairs, 2) {
		all = append(all, biller.Provider{Service: s, Code: pair[0], Name: pair[1]})
	}
	return all
}

// billProducts are what they sell.
var billProducts = products()

// plan is a product with a price in naira.
type plan struct {
	category, code, name string
	naira                int64
}

var plansOf = map[biller.Service][]plan{
	biller.Data:    {{"DAILY", "1gb-daily", "1 GB, 1 day", 500}, {"WEEKLY", "5gb-weekly", "5 GB, 7 days", 1_500}, {"MONTHLY", "10gb-monthly", "10 GB, 30 days", 4_500}},
	biller.CableTV: {{"BOUQUET", "basic", "Basic", 4_400}, {"BOUQUET", "premium", "Premium", 44_500}, {"ADDON", "sports", "Sports", 6_000}},
}

func products() (all []biller.Product) {
	none := money.NGN(0)
	for _, p := range billProviders {
		product := biller.Product{Service: p.Service, Provider: p.Code, Price: none, Least: none, Most: none}
		switch p.Service {
		case biller.Airtime:
			product.Code, product.Name, product.Category = p.Code+"-vtu", p.Name+" airtime", "VTU"
			product.Least, product.Most = money.NGN(50_00), money.NGN(50_000_00)
			all = append(all, product)
		case biller.Utility:
			for _, vend := range []string{biller.Prepaid, biller.Postpaid} {
				product.Code, product.Name, product.Category = p.Code+"-"+strings.ToLower(vend), p.Name+" "+strings.ToLower(vend), vend
				product.Least, product.Most = money.NGN(500_00), money.NGN(1_000_000_00)
				all = append(all, product)
			}
		default:
			for _, plan := range plansOf[p.Service] {
				product.Code, product.Name, product.Category = p.Code+"-"+plan.code, p.Name+" "+plan.name, plan.category
				product.Price = money.NGN(plan.naira * 100)
				all = append(all, product)
			}
		}
	}
	return all
}
