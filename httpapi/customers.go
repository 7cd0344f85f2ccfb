package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/store"
)

const tagCustomers = "Customers"

func (a *api) customerRoutes() []route {
	return []route{
		post("/v1/customers", unit(a.createCustomer), about{
			id: "createCustomer", scope: business.Collect, tag: tagCustomers,
			summary: "Create a customer", message: "Customer created successfully",
		}),
		get("/v1/customers", query(a.customers), about{
			id: "getCustomers", tag: tagCustomers,
			summary: "Read one customer by id, or list customers", message: "Customers retrieved successfully",
		}),
		patch("/v1/customers", unit(a.patchCustomer), about{
			id: "patchCustomer", scope: business.Collect, tag: tagCustomers,
			summary: "Change a customer", message: "Customer updated successfully",
		}),
		post("/v1/customers/update", unit(a.updateCustomer), about{
			id: "updateCustomer", scope: business.Collect, tag: tagCustomers,
			summary: "Change a customer named in the body", message: "Customer updated successfully",
		}),
	}
}

type contactInput struct {
	FirstName string `json:"first_name" eg:"Bola"`
	LastName  string `json:"last_name" eg:"Ade"`
	Email     string `json:"email" eg:"bola@example.com"`
	Phone     string `json:"phone" eg:"+2348012345679"`
}

type createCustomerInput struct {
	Type         string         `json:"type" required:"true" enum:"individual,business" eg:"individual"`
	FirstName    string         `json:"first_name" doc:"Required of individuals; 2 to 50 characters" eg:"Ada"`
	LastName     string         `json:"last_name" doc:"Required of individuals; 2 to 50 characters" eg:"Obi"`
	BusinessName string         `json:"business_name" doc:"Required of businesses; 5 to 100 characters"`
	Email        string         `json:"email" required:"true" doc:"Unique among the customers of the business" eg:"Ada@example.com"`
	Phone        string         `json:"phone" required:"true" doc:"International, beginning with +; unique among the customers of the business" eg:"+2348012345678"`
	BVN          string         `json:"bvn" doc:"Of an individual; 11 digits" eg:"22212345670"`
	NIN          string         `json:"nin" doc:"Of an individual; 11 digits"`
	DateOfBirth  string         `json:"date_of_birth" doc:"Of an individual; YYYY-MM-DD" eg:"1990-04-17"`
	CACNumber    string         `json:"cac_number" doc:"Required of businesses; RC and digits"`
	TaxID        string         `json:"tax_id" doc:"Of a business"`
	Industry     string         `json:"industry" doc:"Of a business"`
	Contact      contactInput   `json:"contact_person" doc:"Of a business; each member is optional" eg:"-"`
	Address      string         `json:"address" eg:"12 Marina Road"`
	City         string         `json:"city" eg:"Lagos"`
	State        string         `json:"state" eg:"Lagos"`
	Country      string         `json:"country" doc:"Two-letter code; NG for a business that names none" eg:"NG"`
	Metadata     ferry.Metadata `json:"metadata" eg:"{\"tier\": \"gold\"}"`
}

func (in createCustomerInput) params() customers.CreateParams {
	return customers.CreateParams{
		Type:      customers.Type(in.Type),
		FirstName: in.FirstName, LastName: in.LastName,
		BusinessName: in.BusinessName, CACNumber: in.CACNumber,
		Email: in.Email, Phone: in.Phone,
		BVN: customers.Number(in.BVN), NIN: customers.Number(in.NIN),
		DateOfBirth: in.DateOfBirth,
		TaxID:       in.TaxID, Industry: in.Industry,
		Contact: customers.ContactPerson(in.Contact),
		Address: in.Address, City: in.City, State: in.State, Country: in.Country,
		Metadata: in.Metadata,
	}
}

func (a *api) createCustomer(ctx context.Context, tx store.Tx, c *call, in createCustomerInput) (customerView, error) {
	made, err := a.engine.Customers.CreateIn(ctx, tx, c.scope, in.params())
	if err != nil {
		return customerView{}, err
	}
	return a.viewCustomer(made)
}

// customersQuery reads one customer when an id is given.
type customersQuery struct {
	ID     string `query:"id" doc:"Reads one customer"`
	UID    string `query:"uid" doc:"As id"`
	Type   string `query:"type" enum:"individual,business"`
	Status string `query:"status" enum:"pending_verification,verified,rejected"`
	Email  string `query:"email"`
	Phone  string `query:"phone"`
	Search string `query:"search" doc:"Part of a name or email"`
	rangeQuery
	pageQuery
}

func (a *api) customers(ctx context.Context, c *call, in customersQuery) (either[customerDetailsView, customerRow], error) {
	if in.ID != "" || in.UID != "" {
		return a.customer(ctx, c, in)
	}
	filter := customers.Filter{
		Type: customers.Type(in.Type), Status: customers.Status(in.Status),
		Email: in.Email, Phone: in.Phone, Search: in.Search, Range: in.between(),
	}
	found, err := a.engine.Customers.List(ctx, c.scope, filter, in.page())
	return either[customerDetailsView, customerRow]{list: paged(in.page(), found, viewCustomerRow)}, err
}

func (a *api) customer(ctx context.Context, c *call, in customersQuery) (either[customerDetailsView, customerRow], error) {
	id, err := customerID(in.ID, in.UID)
	if err != nil {
		return either[customerDetailsView, customerRow]{}, err
	}
	found, err := a.engine.Customer(ctx, c.scope, id)
	if err != nil {
		return either[customerDetailsView, customerRow]{}, err
	}
	view, err := a.viewCustomerDetails(found)
	return one[customerDetailsView, customerRow](view), err
}

// customerID is the one customer that all given identifiers name.
func customerID(given ...string) (customers.ID, error) {
	id, ok := sameID("cus_", given...)
	if !ok {
		return "", customers.ErrNotFound
	}
	return customers.ID(id), nil
}

// customerChanges are the members of a change. Those that cannot change are
// read so that they can be compared with what is there.
type customerChanges struct {
	Email        *string             `json:"email" eg:"ada.obi@example.com"`
	Phone        *string             `json:"phone"`
	Address      *string             `json:"address" eg:"14 Marina Road"`
	City         *string             `json:"city"`
	State        *string             `json:"state"`
	Metadata     ferry.Metadata      `json:"metadata" doc:"Laid over what is there; null removes a key" eg:"{\"tier\": null, \"vip\": true}"`
	BVN          *string             `json:"bvn" doc:"May be set once"`
	NIN          *string             `json:"nin" doc:"May be set once"`
	CACNumber    *string             `json:"cac_number" doc:"Cannot be changed"`
	Type         *string             `json:"type" doc:"Cannot be changed"`
	FirstName    *string             `json:"first_name" doc:"Cannot be changed"`
	LastName     *string             `json:"last_name" doc:"Cannot be changed"`
	BusinessName *string             `json:"business_name" doc:"Cannot be changed"`
	Name         *string             `json:"name" doc:"Cannot be changed"`
	DateOfBirth  *string             `json:"date_of_birth" doc:"Cannot be changed"`
	TaxID        *string             `json:"tax_id" doc:"Cannot be changed"`
	Industry     *string             `json:"industry" doc:"Cannot be changed"`
	Country      *string             `json:"country" doc:"Cannot be changed"`
	Status       *string             `json:"status" doc:"Cannot be changed"`
	Identity     *string             `json:"identity_status" doc:"Cannot be changed"`
	Contact      contactChangesInput `json:"contact_person" doc:"Cannot be changed"`
}

// contactChangesInput is a contact person whose members cannot change either.
type contactChangesInput struct {
	FirstName *string `json:"first_name"`
	LastName  *string `json:"last_name"`
	Email     *string `json:"email"`
	Phone     *string `json:"phone"`
}

func (in customerChanges) params() customers.UpdateParams {
	p := customers.UpdateParams{
		Email: in.Email, Phone: in.Phone, Address: in.Address, City: in.City, State: in.State,
		Metadata: in.Metadata,
		BVN:      (*customers.Number)(in.BVN), NIN: (*customers.Number)(in.NIN), CACNumber: in.CACNumber,
		Fixed: map[string]string{},
	}
	for name, value := range in.fixed() {
		if value != nil {
			p.Fixed[name] = *value
		}
	}
	return p
}

// fixed are the members that cannot change, by name.
func (in customerChanges) fixed() map[string]*string {
	return map[string]*string{
		"type": in.Type, "first_name": in.FirstName, "last_name": in.LastName, "business_name": in.BusinessName, "name": in.Name,
		"date_of_birth": in.DateOfBirth, "tax_id": in.TaxID, "industry": in.Industry, "country": in.Country,
		"status": in.Status, "identity_status": in.Identity,
		"contact_person.first_name": in.Contact.FirstName, "contact_person.last_name": in.Contact.LastName,
		"contact_person.email": in.Contact.Email, "contact_person.phone": in.Contact.Phone,
	}
}

type patchCustomerInput struct {
	ID string `query:"id" json:"-" required:"true"`
	customerChanges
}

func (a *api) patchCustomer(ctx context.Context, tx store.Tx, c *call, in patchCustomerInput) (customerView, error) {
	return a.changeCustomer(ctx, tx, c, in.ID, in.customerChanges)
}

type updateCustomerInput struct {
	CustomerID string `json:"customer_id" required:"true" eg:"cus_019cadd4569875d7a1b61a53693e7f0f"`
	customerChanges
}

func (a *api) updateCustomer(ctx context.Context, tx store.Tx, c *call, in updateCustomerInput) (customerView, error) {
	return a.changeCustomer(ctx, tx, c, in.CustomerID, in.customerChanges)
}

func (a *api) changeCustomer(ctx context.Context, tx store.Tx, c *call, named string, changes customerChanges) (customerView, error) {
	id, err := customerID(named)
	if err != nil {
		return customerView{}, err
	}
	changed, err := a.engine.Customers.UpdateIn(ctx, tx, c.scope, id, changes.params())
	if err != nil {
		return customerView{}, err
	}
	return a.viewCustomer(changed)
}

// customerRow is a customer in a list.
type customerRow struct {
	ID             customers.ID     `json:"id" eg:"cus_019cadd4569875d7a1b61a53693e7f0f"`
	Type           customers.Type   `json:"type" enum:"individual,business" eg:"individual"`
	FirstName      string           `json:"first_name,omitempty" eg:"Ada"`
	LastName       string           `json:"last_name,omitempty" eg:"Obi"`
	BusinessName   string           `json:"business_name,omitempty"`
	Name           string           `json:"name" eg:"Ada Obi"`
	Email          string           `json:"email" eg:"ada@example.com"`
	Phone          string           `json:"phone" eg:"+2348012345678"`
	Status         customers.Status `json:"status" enum:"pending_verification,verified,rejected" eg:"pending_verification"`
	IdentityStatus customers.Status `json:"identity_status" doc:"As status" enum:"pending_verification,verified,rejected" eg:"pending_verification"`
	CreatedAt      timestamp        `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
}

type contactView struct {
	FirstName string `json:"first_name,omitempty" eg:"Bola"`
	LastName  string `json:"last_name,omitempty" eg:"Ade"`
	Email     string `json:"email,omitempty" eg:"bola@example.com"`
	Phone     string `json:"phone,omitempty" eg:"+2348012345679"`
}

type customerView struct {
	customerRow
	BVN         string       `json:"bvn,omitempty" doc:"Masked" eg:"222123****0"`
	NIN         string       `json:"nin,omitempty" doc:"Masked"`
	DateOfBirth string       `json:"date_of_birth,omitempty" eg:"1990-04-17"`
	CACNumber   string       `json:"cac_number,omitempty"`
	TaxID       string       `json:"tax_id,omitempty"`
	Industry    string       `json:"industry,omitempty"`
	Contact     *contactView `json:"contact_person,omitempty"`
	Address     string       `json:"address,omitempty" eg:"12 Marina Road"`
	City        string       `json:"city,omitempty" eg:"Lagos"`
	State       string       `json:"state,omitempty" eg:"Lagos"`
	Country     string       `json:"country,omitempty" eg:"NG"`
	Metadata    metadata     `json:"metadata" eg:"{\"tier\": \"gold\"}"`
	UpdatedAt   timestamp    `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

// customerDetailsView adds what only the reading of one customer shows.
type customerDetailsView struct {
	customerView
	Verification     *verificationView `json:"verification_details,omitempty" doc:"Once verified"`
	Wallets          []string          `json:"wallets" doc:"Ids of the wallets made for the customer" eg:"[\"wal_019cadd462507d13b44a8c99b3aacd81\"]"`
	ReservedAccounts []string          `json:"reserved_accounts" doc:"Ids of the reserved accounts of its verified identities" eg:"[]"`
}

type verificationView struct {
	Method       string    `json:"method" enum:"bvn,nin,cac" eg:"bvn"`
	VerifiedAt   timestamp `json:"verified_at" eg:"2026-03-02T09:16:10.004Z"`
	VerifiedName string    `json:"verified_name" eg:"Ada Obi"`
}

func viewCustomerRow(c customers.Customer) customerRow {
	return customerRow{
		ID: c.ID, Type: c.Type,
		FirstName: c.FirstName, LastName: c.LastName, BusinessName: c.BusinessName, Name: c.Name(),
		Email: c.Email, Phone: c.Phone, Status: c.Status, IdentityStatus: c.Status, CreatedAt: timestamp(c.CreatedAt),
	}
}

func (a *api) viewCustomer(c customers.Customer) (customerView, error) {
	masks, err := a.engine.Customers.Masks(c)
	view := customerView{
		customerRow: viewCustomerRow(c),
		BVN:         string(masks.BVN), NIN: string(masks.NIN),
		DateOfBirth: c.DateOfBirth, CACNumber: c.CACNumber, TaxID: c.TaxID, Industry: c.Industry,
		Address: c.Address, City: c.City, State: c.State, Country: c.Country,
		Metadata: metadata(c.Metadata), UpdatedAt: timestamp(c.UpdatedAt),
	}
	if c.Contact != (customers.ContactPerson{}) {
		contact := contactView(c.Contact)
		view.Contact = &contact
	}
	return view, err
}

func (a *api) viewCustomerDetails(d engine.CustomerDetails) (customerDetailsView, error) {
	view, err := a.viewCustomer(d.Customer)
	details := customerDetailsView{customerView: view, Wallets: []string{}, ReservedAccounts: []string{}}
	for _, id := range d.Wallets {
		details.Wallets = append(details.Wallets, string(id))
	}
	for _, id := range d.Accounts {
		details.ReservedAccounts = append(details.ReservedAccounts, string(id))
	}
	if d.Customer.Status == customers.Verified {
		v := d.Customer.Verification
		details.Verification = &verificationView{string(v.Method), timestamp(v.VerifiedAt), v.VerifiedName}
	}
	return details, err
}
