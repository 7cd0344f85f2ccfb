package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
)

// servers and businesses are how many there are in a run.
const servers, businesses = 2, 2

// run is one run: everything in it follows from the seed.
type run struct {
	seed uint64
	*trace
	step  int
	wrong *Violation

	clock   *clock
	store   store.Backend
	outside *sandbox.Memory
	world   *sandbox.World // as the outside sees it: it never dies
	weather *weather
	random  interface{ Read([]byte) (int, error) }
	sealer  seal.Sealer
	pepper  business.Pepper

	// scheduling draws what happens next, acting what people do, and keying what they do with keys.
	scheduling, acting, keying dice
	servers                    []*server
	power                      *power
	businesses                 []*owner
	receiver                   *receiver
	claims                     *claims
	subject                    *subject // of Config.Build, or nil
	witness                    *witness
	waiting                    []*call // that wait to be sent
	keys, names                int     // that were used so far
	committed                  bool    // something was, since the books were checked
}

// fail notes the first broken promise. The run ends with it.
func (r *run) fail(check, format string, args ...any) {
	if r.wrong == nil {
		r.wrong = &Violation{check, fmt.Sprintf(format, args...), r.step}
		r.note("WRONG %s", r.wrong)
	}
}

// must takes what cannot fail in a run.
func (r *run) must(err error) {
	if err != nil {
		r.fail("run", "%v", err)
	}
}

// newRun sets a run up: a store, an outside world, businesses with webhooks, and servers.
func newRun(c Config) (*run, error) {
	seed := c.Seed
	r := &run{
		seed: seed, trace: newTrace(c.Trace), clock: newClock(), outside: sandbox.NewMemory(), random: randomBytes(seed),
		scheduling: newDice(seed, 1), acting: newDice(seed, 2), keying: newDice(seed, 8), pepper: make(business.Pepper, 32), //nolint:mnd // bytes
	}
	sealer, err := seal.New(make([]byte, seal.KeySize))
	if err != nil {
		return nil, err
	}
	r.sealer = sealer
	r.world = sandbox.New(sandbox.Config{Store: r.outside, Clock: r.clock, Seed: seed, Sealer: sealer, Sleep: r.sleep})
	r.weather = drawWeather(newDice(seed, 3), newDice(seed, 4), r.world.Faults())
	r.weather.calm = true
	r.receiver, r.claims = newReceiver(r), &claims{r, map[work]int64{}}
	r.witness = newWitness(r)
	if r.store, err = c.Store(r.clock); err != nil {
		return nil, err
	}
	r.power = newPower(r)
	for n := range servers {
		s := &server{run: r, number: n}
		if err := s.start(); err != nil {
			return nil, err
		}
		r.servers = append(r.servers, s)
	}
	for n := range businesses {
		if err := r.found(n); err != nil {
			return nil, err
		}
	}
	if c.Build != nil {
		if err := r.enter(c.Build); err != nil {
			return nil, err
		}
	}
	r.weather.calm = false
	return r, r.ended()
}

// close closes the store, if it is one that has to be.
func (r *run) close() error {
	if s, ok := r.store.(interface{ Close(context.Context) error }); ok {
		return s.Close(context.Background())
	}
	return nil
}

// ended is what was wrong in the run, or nil.
func (r *run) ended() error {
	if r.wrong == nil {
		return nil
	}
	return r.wrong
}

// sleep is the time that slow parts of the outside world take.
func (r *run) sleep(ctx context.Context, d time.Duration) error {
	await(ctx, "a slow answer")
	r.clock.forward(d)
	return ctx.Err()
}

// found makes a business that has naira and a webhook.
func (r *run) found(n int) error {
	ctx, e := context.Background(), r.servers[0].engine
	tenant, err := e.CreateTenant(ctx, ferry.Test, fmt.Sprintf("Shop %d", n))
	if err != nil {
		return err
	}
	o := newOwner(r, n, tenant)
	o.source = tenant.Business.SourceAccounts[0].AccountNumber
	r.businesses = append(r.businesses, o)
	o.credit(o.source, startingNaira/pick(r.acting, int64(1), 1, 100), "") // some are poor
	if _, err := e.BankFeed.RunDue(ctx, 10); err != nil {                  //nolint:mnd // more than come
		return err
	}
	configured := o.now(http.MethodPost, "/v1/webhook/config", object{"url": r.receiver.url(o)})
	if !configured.ok() {
		return errors.New(string(configured.raw))
	}
	if made := o.firstKeys(); !made.ok() {
		return errors.New(string(made.raw))
	}
	if n == 0 { // the others are of B
		if set := o.now(http.MethodPatch, "/v1/business", object{"api_variant": "A"}); !set.ok() {
			return errors.New(string(set.raw))
		}
	}
	if n == 1 {
		if made := o.guard(); !made.ok() {
			return errors.New(string(made.raw))
		}
	}
	return o.firstWallet()
}

// firstWallet makes a wallet that has USDC.
func (o *owner) firstWallet() error {
	w := &wallet{reference: o.name("wallet")}
	made := o.now(http.MethodPost, "/v1/wallets", object{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": w.reference,
	})
	if w.address = made.text("data.primary_address"); w.address == "" {
		return errors.New(string(made.raw))
	}
	o.wallets = append(o.wallets, w)
	o.depositTo(w, startingUSDC)
	o.run.clock.forward(time.Minute)                                           // until it is final
	_, err := o.run.servers[0].engine.Deposits.Sweep(context.Background(), 10) //nolint:mnd // more than there are
	return err
}

// storm lets so many steps happen, or fewer when a promise is broken.
func (r *run) storm(steps int) error {
	for ; r.step < steps && r.wrong == nil; r.step++ {
		if r.power.during(r.oneStep); r.wrong != nil {
			break
		}
		r.checkStep()
		r.subject.check()
	}
	return r.ended()
}

// oneStep lets one thing happen.
func (r *run) oneStep() {
	if r.subject.takesTurn() {
		r.subject.step()
		return
	}
	switch r.scheduling.IntN(20) {
	case 0:
		r.time()
	case 1:
		if r.weather.happens(r.weather.rates.outside) {
			r.strike()
		}
	case 2, 3, 4:
		pick(r.acting, r.businesses...).act()
	default:
		r.work(r.turn())
	}
}

// turn picks the server that works next. One that stands still leaves its turn to another.
func (r *run) turn() *server {
	s := pick(r.scheduling, r.servers...)
	if s.stands == 0 {
		return s
	}
	s.stands--
	for _, other := range r.servers {
		if other.stands == 0 {
			return other
		}
	}
	return s
}

// work lets a server do what is next, die, or come back.
func (r *run) work(s *server) {
	switch {
	case s.life.dead:
		if r.scheduling.chance(200) {
			s.restart()
		}
	case r.weather.happens(r.weather.rates.kill):
		s.kill()
	case s.task != nil:
		if s.stands = r.weather.stands(); s.stands > 0 {
			r.note("%d stands still in %s for %d turns", s.number, s.task.what, s.stands)
			return
		}
		s.goOn()
	case r.subject.waits() && r.subject.dice.chance(500):
		s.serveSubject(r.subject.next())
	case len(r.waiting) > 0 && r.scheduling.chance(500):
		s.serve(r.nextCall())
	default:
		s.pass(pick(r.scheduling, s.workers...))
	}
}

// nextCall takes one of the calls that wait.
func (r *run) nextCall() *call {
	n := r.scheduling.IntN(len(r.waiting))
	if r.scheduling.chance(400) { //nolint:mnd // of a thousand
		n = len(r.waiting) - 1 // the newest, so that one that is sent twice is often answered by two servers
	}
	c := r.waiting[n]
	r.waiting = append(r.waiting[:n], r.waiting[n+1:]...)
	c.tries++
	c.began = r.step
	if c.first == nil && r.weather.happens(r.weather.rates.hedge) { // the client does not wait for the answer
		r.waiting = append(r.waiting, c)
	}
	return c
}

// time lets time pass: mostly seconds, seldom hours.
func (r *run) time() {
	by := pick(r.scheduling,
		10*time.Millisecond, 100*time.Millisecond, time.Second, time.Second, 2*time.Second, 2*time.Second, 5*time.Second,
		10*time.Second, 10*time.Second, 30*time.Second, time.Minute, 5*time.Minute,
	)
	if r.scheduling.chance(10) { //nolint:mnd // of a thousand
		by = pick(r.scheduling, 20*time.Minute, time.Hour, 3*time.Hour, 25*time.Hour)
	}
	r.clock.forward(by)
	r.note("time %s", by)
}
