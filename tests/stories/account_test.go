package stories_test

import "time"

// account is a collection account and what came to it, as the contract has it.
type account struct {
	channel    string // of its lines
	reference  string
	id, number string
	asks       naira     // 0 for any sum
	expires    time.Time // zero for never
	status     string
	received   naira
	credits    []*credit
}

// credit is naira that came to a collection account.
type credit struct {
	notice string // the bank's session
	sum    naira
	state  string // of its line
}

// passes lets the time pass up to an instant.
func (c *account) passes(now time.Time) {
	if c.status == "active" && !c.expires.IsZero() && !now.Before(c.expires) {
		c.status = "expired"
	}
}

// take is naira arriving: the business's while the account is active, else the sender's.
func (c *account) take(at time.Time, n naira, notice string) {
	if c.noticed(notice) {
		return // a duplicate notice is no more money
	}
	c.passes(at)
	came := &credit{notice: notice, sum: n, state: "returned"}
	c.credits = append(c.credits, came)
	if c.status != "active" {
		return
	}
	came.state = "success"
	c.received += n
	if c.channel == "virtual_account" && c.received >= c.asks {
		c.status = "completed"
	}
}

func (c *account) noticed(notice string) bool {
	for _, came := range c.credits {
		if came.notice == notice {
			return true
		}
	}
	return false
}

// close closes the account, and reports whether it is closed: one that came to another end
// is not.
func (c *account) close() bool {
	if c.status == "active" {
		c.status = "closed"
	}
	return c.status == "closed"
}

// recall takes a credit back. What the account received stays in its sums.
func (c *credit) recall() { c.state = "reversed" }

// counted is how many credits the account counts: all that did not go back at once.
func (c *account) counted() (n int) {
	for _, came := range c.credits {
		if came.state != "returned" {
			n++
		}
	}
	return n
}

// kept is what the business has of all credits, arrived what came, and left what the bank
// gave back or took back.
func (c *account) kept() (sum naira) {
	for _, came := range c.credits {
		if came.state == "success" {
			sum += came.sum
		}
	}
	return sum
}

func (c *account) arrived() (sum naira) {
	for _, came := range c.credits {
		sum += came.sum
	}
	return sum
}

func (c *account) left() naira { return c.arrived() - c.kept() }

// lines are those of all transactions.
func (c *account) lines() (all []line) {
	for _, came := range c.credits {
		all = append(all, came.line(c.channel))
	}
	return all
}

func (c *credit) line(channel string) line {
	return line{name: c.notice, channel: channel, status: c.state, amount: c.sum.full(), fee: "0", net: c.sum.full(), currency: "NGN"}
}
