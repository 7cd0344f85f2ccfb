package httpapi

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

const tagLinks = "Payment links"

func (a *api) linkRoutes() []route {
	return []route{
		post("/v1/payment-links", unit(a.createLink), about{
			id: "createPaymentLink", scope: business.Collect, tag: tagLinks, prose: []string{"description"},
			summary: "Make a link at which anybody may pay", message: "Payment link created successfully",
		}),
		get("/v1/payment-links", query(a.links), about{
			id: "getPaymentLinks", tag: tagLinks,
			summary: "Read one link by id, or list them", message: "Payment links retrieved successfully",
		}),
		get("/v1/payment-links/transactions", query(a.linkTransactions), about{
			id: "getPaymentLinkTransactions", tag: tagLinks,
			summary: "List attempts to pay through links, or read one", message: "Transactions retrieved successfully",
		}),
		post("/v1/payment-links/status", unit(a.setLinkStatus), about{
			id: "setPaymentLinkStatus", scope: business.Collect, tag: tagLinks,
			summary: "Disable a link (A), or move it (B)", message: "Payment link updated successfully",
		}),
		post("/v1/payment-links/pay", does(a.payLink, a.paidLink), about{
			id: "payPaymentLink", scope: business.Collect, tag: tagLinks, forms: true,
			summary: "Begin to pay through a link", message: "Checkout Created",
		}).keyed(inBody),
	}
}

// instantText is an instant in a body.
type instantText string

func (t instantText) read(p *ferry.Problems, field string) time.Time {
	at, _, ok := parseInstant(string(t))
	return t.within(p, field, at, ok, notInstant)
}

// readExact is read for an instant that has to say its offset.
func (t instantText) readExact(p *ferry.Problems, field string) time.Time {
	at, form, ok := parseInstant(string(t))
	return t.within(p, field, at, ok && form.offset, "Must be an ISO 8601 time with an offset")
}

// within returns an instant in years that everything can write, and the zero instant, which
// is none, when it is refused. Otherwise is the problem of one that was not read.
func (t instantText) within(p *ferry.Problems, field string, at time.Time, read bool, otherwise string) time.Time {
	switch {
	case t == "":
	case !read:
		p.Add(field, otherwise)
	case at.Year() < 1970 || at.Year() > 9999:
		p.Add(field, "Must be in the years 1970 to 9999")
	default:
		return at
	}
	return time.Time{}
}

type createLinkInput struct {
	minorUnits
	Type          string             `json:"type" doc:"fixed, or open: the payer enters the amount" enum:"fixed,open" eg:"fixed"`
	Amount        strictjson.Literal `json:"amount" doc:"Kobo for NGN, full units for USDC; of an open link a suggestion (A)" eg:"500000" form:"price"`
	Currency      string             `json:"currency" required:"true" doc:"NGN or USDC" eg:"NGN"`
	Title         string             `json:"title" required:"true" max:"100" eg:"Jollof for six"`
	Description   string             `json:"description" max:"500" eg:"With chicken"`
	Slug          string             `json:"slug" doc:"Letters, digits, hyphen, underscore; random by default" max:"50" eg:"jollof"`
	QuantityLimit *int64             `json:"quantity_limit" doc:"How many payments it takes; any number by default" min:"1" eg:"10"`
	ExpiresAt     instantText        `json:"expires_at" doc:"ISO 8601; never by default" eg:"2026-12-31T23:59:59Z"`
	SuccessURL    string             `json:"success_url" eg:"https://shop.example.com/thanks"`
	CancelURL     string             `json:"cancel_url" eg:"https://shop.example.com/cart"`
	Fields        []string           `json:"fields" doc:"What payers are asked for: Address, Phone, Email (A), any labels (B)" eg:"[\"Phone\"]"`
	Metadata      ferry.Metadata     `json:"metadata" eg:"{\"shelf\": 4}"`
}

func (in *createLinkInput) check(p *ferry.Problems) {
	in.refuse(p)
	priceOf(p, "amount", in.Currency, in.Amount)
	in.ExpiresAt.read(p, "expires_at")
}

func (a *api) createLink(ctx context.Context, tx store.Tx, c *call, in createLinkInput) (with[linkView, urlBeside], error) {
	as, err := c.dialectIn(ctx, tx)
	if err != nil {
		return with[linkView, urlBeside]{}, err
	}
	made, err := a.engine.Links.CreateIn(ctx, tx, c.scope, links.CreateParams{
		Policy: as, Type: links.Type(in.Type), Currency: in.Currency,
		Amount: priceOf(new(ferry.Problems), "amount", in.Currency, in.Amount), Title: in.Title, Description: in.Description,
		Slug: in.Slug, QuantityLimit: in.QuantityLimit, Fields: in.Fields,
		ExpiresAt:  in.ExpiresAt.read(new(ferry.Problems), "expires_at"),
		SuccessURL: in.SuccessURL, CancelURL: in.CancelURL, Metadata: in.Metadata,
	})
	if err != nil {
		return with[linkView, urlBeside]{}, err
	}
	view := c.viewLink(links.Details{Link: made, Total: money.Of(made.Amount.Asset(), 0)}, as)
	return with[linkView, urlBeside]{view, &urlBeside{view.URL}}, nil
}

type linksQuery struct {
	ID       string `query:"id" doc:"Reads one link, in either form, plink_… or uid_…"`
	UID      string `query:"uid" doc:"As id"`
	Status   string `query:"status" enum:"pending,active,inactive,expired,disabled,completed"`
	Currency string `query:"currency" doc:"NGN or USDC"`
	Slug     string `query:"slug"`
	Search   string `query:"search" doc:"Part of the title, description or slug"`
	rangeQuery
	pageQuery
}

func (a *api) links(ctx context.Context, c *call, in linksQuery) (either[linkView, linkView], error) {
	return ferry.InRead(ctx, a.engine.Units(c.scope.Env), func(ctx context.Context, tx store.Tx) (either[linkView, linkView], error) {
		if in.ID != "" || in.UID != "" {
			return linkIn(ctx, tx, c, in)
		}
		return linksIn(ctx, tx, c, in)
	})
}

func linkIn(ctx context.Context, tx store.Tx, c *call, in linksQuery) (either[linkView, linkView], error) {
	id, ok := sameID(links.Prefix, in.ID, in.UID)
	if ok {
		links.Prefetch(tx, c.scope, id)
	}
	as, err := c.dialectIn(ctx, tx)
	if err != nil {
		return either[linkView, linkView]{}, err
	}
	if !ok {
		return either[linkView, linkView]{}, links.ErrNotFound
	}
	found, err := links.GetIn(ctx, tx, c.scope, id)
	return one[linkView, linkView](c.viewLink(found, as)), err
}

func linksIn(ctx context.Context, tx store.Tx, c *call, in linksQuery) (either[linkView, linkView], error) {
	as, err := c.dialectIn(ctx, tx)
	if err != nil {
		return either[linkView, linkView]{}, err
	}
	asset, err := assetOf(in.Currency)
	if err != nil {
		return either[linkView, linkView]{}, err
	}
	found, err := links.ListIn(ctx, tx, c.scope, links.Filter{
		Status: links.Status(in.Status), As: as, Asset: asset, Slug: in.Slug, Search: in.Search, Range: in.between(),
	}, in.page())
	view := func(d links.Details) linkView { return c.viewLink(d, as) }
	return either[linkView, linkView]{list: paged(in.page(), found, view)}, err
}

// assetOf reads a currency to filter by; none keeps all.
func assetOf(currency string) (money.Asset, error) {
	if currency == "" {
		return 0, nil
	}
	asset, err := money.ParseAsset(currency)
	if err != nil {
		return 0, checkout.ErrInvalidCurrency
	}
	return asset, nil
}

type linkStatusInput struct {
	UID    string `json:"uid" doc:"In either form, plink_… or uid_…" eg:"plink_019cadd462507d13b44a8c99b3aacd81"`
	ID     string `json:"id" doc:"As uid"`
	Status string `json:"status" required:"true" enum:"pending,active,inactive,expired,disabled" eg:"active"`
}

func (in *linkStatusInput) check(p *ferry.Problems) {
	if in.UID == "" && in.ID == "" {
		p.Add("uid", missing)
	}
}

func (a *api) setLinkStatus(ctx context.Context, tx store.Tx, c *call, in linkStatusInput) (linkView, error) {
	as, err := c.dialectIn(ctx, tx)
	if err != nil {
		return linkView{}, err
	}
	id, ok := sameID(links.Prefix, in.UID, in.ID)
	if !ok {
		return linkView{}, links.ErrNotFound
	}
	moved, err := a.engine.Links.SetStatusIn(ctx, tx, c.scope, id, as, links.Status(in.Status))
	return c.viewLink(moved, as), err
}

type linkTransactionsQuery struct {
	UID       string `query:"uid" doc:"The link, in either form"`
	TrxID     string `query:"trx_id" doc:"Reads one transaction: the trx_id or pay_…"`
	Reference string `query:"reference" doc:"As trx_id"`
	Status    string `query:"status" enum:"pending,success,failed,cancelled,expired,reversed"`
	Email     string `query:"customer_email"`
	Search    string `query:"search" doc:"Part of the trx_id, the reference, or the customer's email or name"`
	rangeQuery
	pageQuery
}

type linkTransactionsOutput = either[linkTransactionView, linkTransactionView]

func (a *api) linkTransactions(ctx context.Context, c *call, in linkTransactionsQuery) (linkTransactionsOutput, error) {
	filter := payments.Filter{
		Status: payments.Status(in.Status), Channel: fees.Link, Email: foldedEmail(in.Email),
		Search: in.Search, Range: in.between(),
	}
	if in.UID != "" {
		l, err := a.engine.Links.Get(ctx, c.scope, in.UID)
		if err != nil {
			return linkTransactionsOutput{}, err
		}
		filter.Link, filter.Channel = string(l.ID), ""
	}
	if in.TrxID != "" || in.Reference != "" {
		p, err := a.engine.Payments.Get(ctx, c.scope, payments.Ref{Reference: in.TrxID, ID: in.Reference})
		if errors.Is(err, payments.ErrNotFound) || err == nil && (p.Link == "" || filter.Link != "" && p.Link != filter.Link) {
			err = statement.ErrNotFound
		}
		if err != nil {
			return linkTransactionsOutput{}, err
		}
		return one[linkTransactionView, linkTransactionView](viewLinkTransaction(p)), nil
	}
	found, err := a.engine.Payments.List(ctx, c.scope, filter, in.page())
	return linkTransactionsOutput{list: paged(in.page(), found, viewLinkTransaction)}, err
}

type payLinkInput struct {
	minorUnits
	PublicKey string             `json:"public_key" required:"true" eg:"pk_test_…"`
	Slug      string             `json:"slug" doc:"This or id" eg:"jollof"`
	ID        string             `json:"id" doc:"In either form"`
	Email     string             `json:"email" required:"true" eg:"ada@example.com"`
	Name      string             `json:"name" eg:"Ada Obi"`
	Phone     string             `json:"phone" eg:"08012345678"`
	Fields    map[string]string  `json:"fields" doc:"Answers to the link's fields, by label"`
	Amount    strictjson.Literal `json:"amount" doc:"For open links, in the link's own unit" form:"price"`
}

func (in *payLinkInput) check(p *ferry.Problems) {
	in.refuse(p)
	if in.Slug == "" && in.ID == "" {
		p.Add("slug", "Give a slug or an id")
	}
}

// linkToPay finds the link that an order names, and reads what the order says in its unit.
func (a *api) linkToPay(ctx context.Context, c *call, in payLinkInput) (links.Link, checkout.PayParams, error) {
	p := checkout.PayParams{Link: in.ID, Slug: in.Slug, Email: in.Email, Name: in.Name, Phone: in.Phone, Fields: in.Fields, Pages: c.baseURL()}
	l, err := a.engine.Checkout.FindLink(ctx, c.scope, p)
	if err != nil {
		return l, p, err
	}
	var problems ferry.Problems
	p.Amount = priceOf(&problems, "amount", l.Amount.Asset().String(), in.Amount)
	return l, p, problems.Err()
}

// payLink takes a place of a link and makes a session for it. The link is read when the
// session is prepared; a repeated request does not need it.
func (a *api) payLink(c *call, in payLinkInput) ferry.Operation[checkout.Tx, checkout.Created] {
	op := a.engine.Checkout.PayLinkOp(links.Link{Scope: c.scope}, checkout.PayParams{})
	begin := op.Begin
	op.Begin = func() ferry.Steps[checkout.Tx, checkout.Created] {
		steps := begin() // go on with a session that was recorded
		return ferry.Steps[checkout.Tx, checkout.Created]{
			Prepare: func(ctx context.Context, resource string) error {
				if resource == "" {
					l, p, err := a.linkToPay(ctx, c, in)
					if err != nil {
						return err
					}
					if err := c.takeRoom(ctx, l); err != nil {
						return err
					}
					steps = a.engine.Checkout.PayLinkOp(l, p).Begin()
				}
				return steps.Prepare(ctx, resource)
			},
			Record: func(ctx context.Context, tx checkout.Tx, resource string) (ferry.Step[checkout.Created], error) {
				step, err := steps.Record(ctx, tx, resource)
				c.resource = step.Resource
				return step, err
			},
			Act: func(ctx context.Context) { steps.Act(ctx) },
			Conclude: func(ctx context.Context, tx checkout.Tx) (ferry.Step[checkout.Created], error) {
				return steps.Conclude(ctx, tx)
			},
			Abandon: func(ctx context.Context, tx checkout.Tx) error { return steps.Abandon(ctx, tx) },
			Recall:  steps.Recall,
		}
	}
	return op
}

func (a *api) paidLink(ctx context.Context, tx checkout.Tx, c *call, _ payLinkInput, made checkout.Created) (checkoutOutput, error) {
	return a.madeCheckout(ctx, tx, c, made)
}

// takeRoom takes room among the unpaid sessions of a link, once for the call. It is given
// back when no session stands; that of a key stands, because its retry goes on with it.
func (c *call) takeRoom(ctx context.Context, l links.Link) error {
	if c.after != nil {
		return nil
	}
	settle, err := c.room(ctx, l)
	if err != nil {
		return err
	}
	c.after = func(success bool) {
		if !success && c.client == "" {
			settle("")
			return
		}
		settle(checkout.ID(c.resource))
	}
	return nil
}

type urlBeside struct {
	URL string `json:"url" eg:"https://pay.example.com/pay/jollof"`
}

// linkMetadata is metadata with the collected fields in it.
type linkMetadata map[string]any

type linkView struct {
	ID            links.ID     `json:"id" eg:"plink_019cadd462507d13b44a8c99b3aacd81"`
	UID           string       `json:"uid" doc:"The legacy form of id" eg:"uid_019cadd462507d13b44a8c99b3aacd81"`
	URL           string       `json:"url" eg:"https://pay.example.com/pay/jollof"`
	QRURL         string       `json:"qr_url" doc:"A QR code of url, as a picture for posters and pages" eg:"https://pay.example.com/pay/jollof/qr.svg"`
	Slug          string       `json:"slug" eg:"jollof"`
	Type          links.Type   `json:"type" enum:"fixed,open" eg:"fixed"`
	Title         string       `json:"title" eg:"Jollof for six"`
	Description   string       `json:"description" eg:"With chicken"`
	Amount        *price       `json:"amount" doc:"Kobo for NGN, full units for USDC; of an open link the suggestion, or null" eg:"500000" form:"price"`
	Currency      string       `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	Status        links.Status `json:"status" doc:"In the words of the dialect" enum:"pending,active,inactive,expired,disabled,completed" eg:"active"`
	QuantityLimit *int64       `json:"quantity_limit" eg:"10"`
	ExpiresAt     optionalTime `json:"expires_at" eg:"null"`
	SuccessURL    optionalText `json:"success_url" eg:"https://shop.example.com/thanks"`
	CancelURL     optionalText `json:"cancel_url" eg:"https://shop.example.com/cart"`
	Fields        []string     `json:"fields" eg:"[\"Phone\"]"`
	Metadata      linkMetadata `json:"metadata" doc:"Under B with the collected fields as fields" eg:"{\"shelf\": 4}"`
	PaymentsCount int64        `json:"payments_count" doc:"Successful payments" eg:"0"`
	TotalPaid     price        `json:"total_paid" eg:"0"`
	DisabledAt    optionalTime `json:"disabled_at" eg:"null"`
	CreatedAt     timestamp    `json:"created_at" eg:"2026-03-02T09:15:03.120Z"`
	UpdatedAt     timestamp    `json:"updated_at" eg:"2026-03-02T09:15:03.120Z"`
}

type linkTransactionView struct {
	ID             int64           `json:"id" doc:"For display; rises, with gaps" eg:"1598640128000001"`
	TrxID          string          `json:"trx_id" eg:"pl_019cadd46e0878ec834189614d3d15ce"`
	Reference      payments.ID     `json:"reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Status         payments.Status `json:"status" enum:"pending,success,failed,cancelled,expired,reversed" eg:"success"`
	Amount         price           `json:"amount" eg:"500000"`
	Currency       string          `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	CustomerEmail  string          `json:"customer_email" eg:"ada@example.com"`
	PaymentLinkUID string          `json:"payment_link_uid" eg:"uid_019cadd462507d13b44a8c99b3aacd81"`
	CreatedAt      timestamp       `json:"created_at" eg:"2026-03-02T09:15:06.120Z"`
	UpdatedAt      timestamp       `json:"updated_at" eg:"2026-03-02T09:15:09.120Z"`
}

func (c *call) viewLink(d links.Details, as business.Dialect) linkView {
	view := linkView{
		ID: d.ID, UID: ferry.UID(string(d.ID)), URL: c.baseURL() + "/pay/" + d.Slug, QRURL: c.baseURL() + "/pay/" + d.Slug + "/qr.svg", Slug: d.Slug, Type: d.Type,
		Title: d.Title, Description: d.Description, Currency: d.Amount.Asset().String(), Status: d.Seen(as),
		ExpiresAt: optionalTime(d.ExpiresAt), SuccessURL: optionalText(d.SuccessURL), CancelURL: optionalText(d.CancelURL),
		Fields: append([]string{}, d.Fields...), Metadata: linkMetadata{},
		PaymentsCount: d.Paid, TotalPaid: price(d.Total), DisabledAt: optionalTime(d.DisabledAt),
		CreatedAt: timestamp(d.CreatedAt), UpdatedAt: timestamp(d.UpdatedAt),
	}
	for key, value := range d.Metadata {
		view.Metadata[key] = value
	}
	if as == business.DialectB {
		view.Metadata["fields"] = view.Fields
	}
	if d.Type == links.Fixed || d.Amount.Sign() > 0 {
		view.Amount = (*price)(&d.Amount)
	}
	if d.QuantityLimit > 0 {
		view.QuantityLimit = &d.QuantityLimit
	}
	return view
}

func viewLinkTransaction(p payments.Payment) linkTransactionView {
	return linkTransactionView{
		ID: ferry.Number(string(p.ID)), TrxID: p.Reference, Reference: p.ID, Status: p.Status,
		Amount: price(p.Amount), Currency: p.Amount.Asset().String(), CustomerEmail: p.Customer.Email,
		PaymentLinkUID: ferry.UID(p.Link), CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
	}
}
