package crash_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// client is one of the many that use the server at once. It sends one request
// after the other, and each until it knows what became of it, so that it always
// knows how its own resources must look.
type client struct {
	run    *run
	number int
	random *rand.Rand
	made   int // counts keys, references and labels

	wallets   []*resource
	addresses []*address
	customers []*resource

	answered []*keyedRequest // all that have an answer
	parked   []*keyedRequest // those whose keys are busy after a crash
}

// resource is something that a client made, and how it must read.
type resource struct {
	path string // where it is read
	want object
}

// address is a resource that holds money.
type address struct {
	resource

	id, address, wallet string
}

// The greatest numbers of what a client makes.
const (
	maxWallets   = 3
	maxAddresses = 6
)

// work does one request after the other until the run says that it is enough.
func (c *client) work(ctx context.Context) {
	for !c.run.resting() && ctx.Err() == nil {
		if d := c.unpark(); d != nil {
			c.do(ctx, d)
		} else {
			c.do(ctx, c.next())
		}
	}
}

// unpark returns a request whose key is free again.
func (c *client) unpark() *keyedRequest {
	if len(c.parked) == 0 || time.Since(c.parked[0].interrupted) < keyBusy {
		return nil
	}
	d := c.parked[0]
	c.parked = c.parked[1:]
	return d
}

// keyBusy is how long the key of a request stays busy that a crash has left begun.
const keyBusy = idempotency.Busy + time.Second

// How long an attempt may take: one that may find its key busy is not worth a
// long wait.
const (
	patience     = 20 * time.Second
	secondGlance = time.Second
)

// do sends a request until it is answered, or parks it.
func (c *client) do(ctx context.Context, d *keyedRequest) {
	for {
		s := c.run.wait(ctx)
		if s == nil {
			c.parked = append(c.parked, d)
			return
		}
		wait := patience
		if d.steps && !d.interrupted.IsZero() {
			wait = secondGlance
		}
		again := !d.interrupted.IsZero()
		err := d.attempt(ctx, c.run.web, s, wait)
		switch {
		case err == nil:
			c.answered = append(c.answered, d)
			return
		case !errors.Is(err, errUnanswered):
			c.run.t.Errorf("client %d: %v", c.number, err)
			return
		case d.steps && again:
			c.parked = append(c.parked, d)
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// post is a request of a POST under a new key.
func (c *client) post(path string, body object, learn func(object)) *keyedRequest {
	return &keyedRequest{method: http.MethodPost, path: path, key: c.name("key"), body: body, learn: learn}
}

// name returns a new name.
func (c *client) name(kind string) string {
	c.made++
	return fmt.Sprintf("%s-%d-%d", kind, c.number, c.made)
}

// next draws what to do. Money comes first: nothing moves without.
func (c *client) next() *keyedRequest {
	if len(c.wallets) == 0 {
		return c.makeWallet()
	}
	switch n := c.random.IntN(100); {
	case n < 5 && len(c.wallets) < maxWallets:
		return c.makeWallet()
	case n < 10 && len(c.addresses) < maxAddresses:
		return c.makeAddress()
	case n < 18:
		return c.makeCustomer()
	case n < 26 && len(c.customers) > 0:
		return c.changeCustomer()
	case n < 32:
		return c.changeAddress()
	case n < 41:
		return c.deposit()
	case n < 45:
		return c.bankCredit()
	case n < 48:
		return c.overdraw()
	case n < 49:
		return c.disturb()
	case n < 50:
		return c.askForAnEvent()
	case n < 75:
		return c.transfer(c.run.anyAddress(c.random))
	}
	return c.transfer(nil)
}

func (c *client) makeWallet() *keyedRequest {
	body := object{
		"type": "stablecoin", "network": "solana", "asset": "USDC",
		"reference": c.name("wallet"), "label": c.name("label"), "metadata": object{"client": c.number},
	}
	return c.post("/v1/wallets", body, func(data object) {
		path := "/v1/wallets?id=" + data["id"].(string)
		c.wallets = append(c.wallets, &resource{path, without(data, "balance", "updated_at")})
		primary := object{
			"address": data["primary_address"], "wallet_id": data["id"], "wallet_reference": data["reference"],
			"label": data["label"],
		}
		c.own(&address{resource{"/v1/wallets/addresses?address=" + data["primary_address"].(string), primary},
			"", data["primary_address"].(string), data["id"].(string)})
	})
}

func (c *client) makeAddress() *keyedRequest {
	in := c.wallets[c.random.IntN(len(c.wallets))]
	body := object{"wallet_id": in.want["id"], "network": "solana", "label": c.name("label"), "metadata": object{"order": c.made}}
	return c.post("/v1/wallets/addresses", body, func(data object) {
		path := "/v1/wallets/addresses?id=" + data["id"].(string)
		c.own(&address{resource{path, fixed(data)}, data["id"].(string), data["address"].(string), data["wallet_id"].(string)})
	})
}

// fixed is an address without what moves by itself.
func fixed(data object) object {
	return without(data, "balance", "total_received", "deposit_count", "last_deposit_at", "updated_at")
}

// own notes a new address, and lets all clients pay to it.
func (c *client) own(a *address) {
	c.addresses = append(c.addresses, a)
	c.run.publish(a)
}

func (c *client) changeAddress() *keyedRequest {
	for _, a := range c.addresses {
		if a.id == "" || c.random.IntN(2) == 0 {
			continue
		}
		return &keyedRequest{
			method: http.MethodPatch, path: "/v1/wallets/addresses/" + a.id, key: c.name("key"),
			body:  object{"label": c.name("label"), "metadata": object{"order": c.made}},
			learn: func(data object) { a.want = fixed(data) },
		}
	}
	return c.deposit()
}

func (c *client) makeCustomer() *keyedRequest {
	name := c.name("ada")
	body := object{
		"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": name + "@example.com",
		"phone": fmt.Sprintf("+234%03d%07d", c.number, c.made), "bvn": "22212345670", "metadata": object{"name": name},
	}
	return c.post("/v1/customers", body, func(data object) {
		c.customers = append(c.customers, &resource{"/v1/customers?id=" + data["id"].(string), data})
	})
}

func (c *client) changeCustomer() *keyedRequest {
	of := c.customers[c.random.IntN(len(c.customers))]
	body := object{"customer_id": of.want["id"], "city": c.name("city"), "metadata": object{"times": c.made}}
	return c.post("/v1/customers/update", body, func(data object) { of.want = data })
}

// deposit pays in from outside. Each deposit has an amount of its own.
func (c *client) deposit() *keyedRequest {
	to := c.addresses[c.random.IntN(len(c.addresses))]
	c.made++
	micro := int64(1_000_000*(10+c.number) + c.made)
	d := c.post("/v1/test_helpers/deposits", object{"address": to.address, "amount": usdc(micro), "wait": false}, nil)
	d.steps, d.moves = true, movement{to: to, amount: money.USDC(micro)}
	d.learn = func(data object) { d.moves.signature = data["transaction_hash"].(string) }
	return d
}

func (c *client) bankCredit() *keyedRequest {
	c.made++
	kobo := int64(100 + c.made)
	d := c.post("/v1/test_helpers/bank_credits", object{
		"account_number": c.run.account(), "amount": money.NGN(kobo).Major(), "session_id": c.name("session"), "wait": false,
	}, nil)
	d.steps, d.moves = true, movement{naira: money.NGN(kobo)}
	return d
}

// fee is the network fee of an external transfer.
const fee = 5_000

// transfer pays from an address of the client to another, or to a stranger. It
// may be refused while the money is on its way.
func (c *client) transfer(to *address) *keyedRequest {
	return c.pay(to, 10_000+c.random.Int64N(400_000))
}

// overdraw tries to pay what nobody has.
func (c *client) overdraw() *keyedRequest {
	return c.pay(c.run.anyAddress(c.random), 1_000_000_000_000)
}

func (c *client) pay(to *address, micro int64) *keyedRequest {
	from := c.addresses[c.random.IntN(len(c.addresses))]
	m := movement{from: from, to: to, amount: money.USDC(micro), reference: c.name("transfer")}
	if to == from {
		m.to = nil
	}
	receiver := stranger
	if m.to != nil {
		receiver = m.to.address
	} else {
		m.fee = money.USDC(fee)
	}
	d := c.post("/v1/wallets/transfer", object{
		"from_address": from.address, "to_address": receiver, "amount": usdc(micro),
		"network": "solana", "asset": "USDC", "reference": m.reference, "metadata": object{"client": c.number},
	}, nil)
	d.steps, d.moves, d.refusal = m.to == nil, m, "insufficient_balance"
	return d
}

// stranger is an address that no server manages.
var stranger = func() string {
	seed, err := chain.NewSeed(strings.NewReader(strings.Repeat("crash", 10)))
	if err != nil {
		panic(err)
	}
	return string(seed.Address())
}()

// disturb lets the chain go wrong once, in a way that loses no deposit.
func (c *client) disturb() *keyedRequest {
	kinds := []string{"submission_lost", "landed_late", "fork_landed_again", "program_error", "false_error", "already_processed", "answer_lost"}
	d := c.post("/v1/test_helpers/faults", object{"target": "chain", "kind": kinds[c.random.IntN(len(kinds))], "count": 1}, nil)
	d.steps = true
	return d
}

func (c *client) askForAnEvent() *keyedRequest {
	d := c.post("/v1/webhook/test", object{}, nil)
	d.learn = func(data object) { d.moves.event = data["event_id"].(string) }
	return d
}

// without copies an object without some members.
func without(all object, names ...string) object {
	some := object{}
	for name, value := range all {
		some[name] = value
	}
	for _, name := range names {
		delete(some, name)
	}
	return some
}
