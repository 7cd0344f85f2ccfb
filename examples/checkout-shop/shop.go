package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/ferrypay/ferry/webhook"
)

// Config is what a Shop needs; every field is required.
type Config struct {
	// URL is where payers and ferry reach the shop.
	URL string
	// FerryURL is where ferry answers, without /v1.
	FerryURL                 string
	SecretKey, WebhookSecret string
	// Ship is called once for each order that is paid.
	Ship func(order string)
}

// Shop sells one book, over and over.
type Shop struct {
	config Config
	ferry  *ferry

	mu     sync.Mutex
	orders map[string]order // a real shop has a database
}

// order is what the shop knows of an order by itself. Whether it is paid, ferry knows.
type order struct {
	checkoutURL string
	shipped     bool
}

// NewShop returns a shop, and sets its webhook URL at ferry.
func NewShop(ctx context.Context, c Config) (*Shop, error) {
	if c.FerryURL == "" || c.SecretKey == "" || c.WebhookSecret == "" {
		return nil, errors.New("set FERRY_URL, FERRY_KEY and FERRY_WEBHOOK_SECRET")
	}
	f, err := dial(ctx, c.FerryURL, c.SecretKey)
	if err != nil {
		return nil, err
	}
	return &Shop{config: c, ferry: f, orders: map[string]order{}}, f.watch(ctx, c.URL+"/webhooks")
}

// Handler serves the shop. Forms of other sites are refused.
func (s *Shop) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.product)
	mux.HandleFunc("POST /buy", s.buy)
	mux.HandleFunc("GET /inline", s.inline)
	mux.HandleFunc("GET /shop.js", s.script)
	mux.HandleFunc("POST /inline/buy", s.buyInline)
	mux.HandleFunc("GET /orders/{id}", s.show)
	mux.Handle("POST /webhooks", webhook.Handler(s.event, s.config.WebhookSecret))
	return http.NewCrossOriginProtection().Handler(mux)
}

// buy sends the payer to the checkout page, which sends him back to the order.
func (s *Shop) buy(w http.ResponseWriter, r *http.Request) {
	_, checkoutURL, err := s.begin(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	http.Redirect(w, r, checkoutURL, http.StatusSeeOther)
}

// buyInline is buy for a page that opens the checkout in a dialog of its own. The
// session is made here all the same, so that no browser has a say in the price.
func (s *Shop) buyInline(w http.ResponseWriter, r *http.Request) {
	id, checkoutURL, err := s.begin(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"order": orderPath(id), "checkout_url": checkoutURL})
}

// show shows whether an order is paid. It does not read the status in the query of a
// returning payer, because anybody can write a query.
func (s *Shop) show(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	placed, known := s.find(id)
	if !known {
		http.NotFound(w, r)
		return
	}
	payment, err := s.settle(r.Context(), id)
	if err != nil {
		fail(w, err)
		return
	}
	render(w, "order.html", map[string]any{"ID": id, "Payment": payment, "CheckoutURL": placed.checkoutURL})
}

// event receives the events of payments, also when the payer never comes back. The
// signature has been verified.
func (s *Shop) event(ctx context.Context, e webhook.Received) error {
	if e.Type != "payment.success" {
		return nil
	}
	var told struct {
		TrxID string `json:"trx_id"`
	}
	if err := e.Decode(&told); err != nil {
		return err
	}
	_, err := s.settle(ctx, told.TrxID)
	return err
}

// begin places an order and makes a checkout session for it.
func (s *Shop) begin(ctx context.Context) (id, checkoutURL string, err error) {
	id = "order-" + rand.Text()
	checkoutURL, err = s.ferry.createCheckout(ctx, id, s.config.URL+orderPath(id))
	if err != nil {
		return "", "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders[id] = order{checkoutURL: checkoutURL}
	return id, checkoutURL, nil
}

func orderPath(id string) string { return "/orders/" + id }

// settle asks ferry for the payment of an order, and ships it the first time it is paid. An
// event that comes twice, or together with the payer, ships nothing twice.
func (s *Shop) settle(ctx context.Context, id string) (payment, error) {
	if _, ours := s.find(id); !ours {
		return payment{}, nil // the business may sell elsewhere too
	}
	p, err := s.ferry.payment(ctx, id)
	if err != nil || !p.InFull() {
		return p, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if placed := s.orders[id]; !placed.shipped {
		placed.shipped = true
		s.orders[id] = placed
		s.config.Ship(id)
	}
	return p, nil
}

func (s *Shop) find(id string) (placed order, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	placed, known = s.orders[id]
	return placed, known
}
