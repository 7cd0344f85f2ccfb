package httpapi

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry/provider/biller"
)

// billCatalogueRoutes are what can be bought.
func (a *api) billCatalogueRoutes() []route {
	all := []route{
		get("/v1/bill/services", query(a.billServices), about{
			id: "listBillServices", tag: tagBills, summary: "List the services of bills", message: "Services retrieved successfully",
		}),
		get("/v1/bill/categories", query(a.billCategories), about{
			id: "listBillCategories", tag: tagBills, summary: "List the categories of a service's products", message: "Categories retrieved successfully",
		}),
		get("/v1/bill/products", query(a.billProducts), about{
			id: "listBillProducts", tag: tagBills, summary: "List the products of a service", message: "Products retrieved successfully",
		}),
	}
	for _, s := range billServices {
		all = append(all,
			get("/v1/bill/"+s.path+"/providers", query(a.billProvidersOf(s.service)), about{
				id: "list" + s.name + "Providers", tag: tagBills, summary: "List the providers of " + s.is, message: "Providers retrieved successfully",
			}),
			get("/v1/bill/"+s.path+"/"+s.products, query(a.billProductsOf(s.service)), about{
				id: "list" + s.name + "Products", tag: tagBills, summary: "List the products of " + s.is, message: "Products retrieved successfully",
			}),
		)
	}
	return all
}

// billServices are the services, with the words of their routes.
var billServices = []struct {
	service                  biller.Service
	path, name, is, products string
}{
	{biller.Airtime, "airtime", "Airtime", "airtime", "plans"},
	{biller.Data, "data", "Data", "data", "plans"},
	{biller.CableTV, "cable", "Cable", "television", "plans"},
	{biller.Utility, "electricity", "Electricity", "electricity", "products"},
}

type billerServiceView struct {
	Code biller.Service `json:"code" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Name string         `json:"name" eg:"Electricity"`
}

func (a *api) billServices(context.Context, *call, struct{}) (all []billerServiceView, err error) {
	for _, s := range billServices {
		all = append(all, billerServiceView{s.service, s.name})
	}
	return all, nil
}

type billServiceQuery struct {
	Service string `query:"service" required:"true" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
}

type billerCategoryView struct {
	Service biller.Service `json:"service" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Code    string         `json:"code" doc:"For electricity it is the vend_type" eg:"PREPAID"`
}

func (a *api) billCategories(ctx context.Context, c *call, in billServiceQuery) ([]billerCategoryView, error) {
	products, err := a.engine.Bills.Products(ctx, c.scope.Env, biller.Service(in.Service), "")
	all := []billerCategoryView{}
	for _, p := range products {
		if view := (billerCategoryView{p.Service, p.Category}); !slices.Contains(all, view) {
			all = append(all, view)
		}
	}
	return all, err
}

type billProductsQuery struct {
	billServiceQuery
	Provider string `query:"provider" doc:"Keeps those of one provider, by its code"`
	Category string `query:"category" doc:"Keeps those of one category"`
}

func (a *api) billProducts(ctx context.Context, c *call, in billProductsQuery) ([]billerProductView, error) {
	products, err := a.engine.Bills.Products(ctx, c.scope.Env, biller.Service(in.Service), in.Provider)
	return viewProducts(products, in.Category), err
}

type serviceProductsQuery struct {
	Provider string `query:"provider" doc:"Keeps those of one provider, by its code"`
	Category string `query:"category" doc:"Keeps those of one category"`
}

func (a *api) billProductsOf(s biller.Service) func(context.Context, *call, serviceProductsQuery) ([]billerProductView, error) {
	return func(ctx context.Context, c *call, in serviceProductsQuery) ([]billerProductView, error) {
		products, err := a.engine.Bills.Products(ctx, c.scope.Env, s, in.Provider)
		return viewProducts(products, in.Category), err
	}
}

type billerProviderView struct {
	Service biller.Service `json:"service" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Code    string         `json:"code" eg:"ikeja-electric"`
	Name    string         `json:"name" eg:"Ikeja Electric"`
}

func (a *api) billProvidersOf(s biller.Service) func(context.Context, *call, struct{}) ([]billerProviderView, error) {
	return func(ctx context.Context, c *call, _ struct{}) ([]billerProviderView, error) {
		providers, err := a.engine.Bills.Providers(ctx, c.scope.Env, s)
		all := []billerProviderView{}
		for _, p := range providers {
			all = append(all, billerProviderView{p.Service, p.Code, p.Name})
		}
		return all, err
	}
}

type billerProductView struct {
	Service    biller.Service `json:"service" enum:"AIRTIME,DATA,CABLETV,UTILITY" eg:"UTILITY"`
	Provider   string         `json:"provider" eg:"ikeja-electric"`
	Code       string         `json:"code" eg:"ikeja-electric-prepaid"`
	Name       string         `json:"name" eg:"Ikeja Electric prepaid"`
	Category   string         `json:"category" doc:"For electricity it is the vend_type" eg:"PREPAID"`
	Price      number         `json:"price" doc:"Naira; 0 when the buyer chooses the amount" eg:"0"`
	Minimum    number         `json:"minimum" doc:"The least amount of a product without a price" eg:"500"`
	Maximum    number         `json:"maximum" doc:"The greatest one" eg:"1000000"`
	AmountUnit string         `json:"amount_unit" enum:"major" eg:"major"`
}

func viewProducts(products []biller.Product, category string) []billerProductView {
	all := []billerProductView{}
	for _, p := range products {
		if category == "" || p.Category == category {
			all = append(all, billerProductView{
				p.Service, p.Provider, p.Code, p.Name, p.Category, number(p.Price), number(p.Least), number(p.Most), "major",
			})
		}
	}
	return all
}
