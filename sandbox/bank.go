package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/bank/banks"
)

const (
	// BankCode and BankName are the sandbox's own bank.
	BankCode = banks.SimulatedCode
	BankName = banks.SimulatedName
	// Withheld: the list of credits is empty, although credits arrived.
	Withheld Kind = "withheld"
)

var (
	// ErrNoAccount refuses a credit to an account that the bank did not open.
	ErrNoAccount = errors.New("sandbox: no such bank account")
	// ErrAmount refuses an amount that is not positive, of another asset, or
	// more than there can be.
	ErrAmount = errors.New("sandbox: not an amount that can move")
)

// simBank is the simulated bank.
type simBank struct{ world *World }

var _ bank.Bank = simBank{}

// The bank's documents: accounts by number, numbers by the key of OpenAccount,
// credits in the order in which they were reported, and first reports by session.
const bankHeadKey, creditPrefix, accountPrefix = "bank/head", "bank/credit/", "bank/account/"

func accountKey(number string) string { return named(accountPrefix, number) }
func openedKey(key string) string     { return named("bank/opened/", key) }
func sessionKey(id string) string     { return named("bank/session/", id) }

// bankHead counts what the bank has reported.
type bankHead struct {
	Told, Sessions uint64
	// Kobo is all that ever came in. It fits, so that no balance overflows.
	Kobo int64
}

// credit is the document of one telling of a credit.
type credit struct {
	SessionID, AccountNumber string
	Recalled                 bool `json:",omitempty"`
	Kobo                     int64
	Sender                   bank.Party
	Narration                string
	At                       time.Time
}

func (b simBank) provider() provider { return provider{b.world, TargetBank, bank.ErrUnavailable} }

func (b simBank) OpenAccount(ctx context.Context, key, name string) (bank.Account, error) {
	return answered(ctx, b.provider().effect, func(m *moment) (account bank.Account, err error) {
		found, err := load(m, openedKey(key), &account)
		if err != nil || found {
			return account, err
		}
		number, err := freeNumber(m, key)
		if err != nil {
			return account, err
		}
		account = bank.Account{BankCode: BankCode, BankName: BankName, AccountNumber: number, AccountName: name}
		if err := save(m, accountKey(number), account); err != nil {
			return account, err
		}
		return account, save(m, openedKey(key), account)
	})
}

// freeNumber returns an account number that follows from the key and that no
// other account has.
func freeNumber(m *moment, key string) (string, error) {
	for try := uint64(0); ; try++ {
		serial := fmt.Sprintf("%09d", m.pick(1_000_000_000, "account:"+key, try))
		number := serial + nubanDigit(BankCode, serial)
		_, taken, err := m.Get(accountKey(number))
		if err != nil || !taken {
			return number, err
		}
	}
}

// nubanDigit is the check digit of a Nigerian account number.
func nubanDigit(bankCode, serial string) string {
	sum := 0
	for i, digit := range bankCode + serial {
		sum += int(digit-'0') * [...]int{3, 7, 3}[i%3]
	}
	return strconv.Itoa((10 - sum%10) % 10)
}

func (b simBank) Credits(ctx context.Context, after bank.Cursor, limit int) ([]bank.Credit, error) {
	if err := checkCursor(after, "the bank"); err != nil {
		return nil, err
	}
	return answered(ctx, b.provider().query, func(m *moment) ([]bank.Credit, error) {
		struck, err := m.strike(TargetBank, Withheld, Duplicate)
		if err != nil || struck == Withheld {
			return nil, err
		}
		found, err := scan[credit](m, creditPrefix, string(after), limit)
		if err != nil {
			return nil, err
		}
		var credits []bank.Credit
		for _, c := range found {
			credits = append(credits, c.doc.notice(bank.Cursor(c.place)))
		}
		return repeatFirst(credits, struck == Duplicate, limit), nil
	})
}

// notice is the credit in the form of the port.
func (c credit) notice(after bank.Cursor) bank.Credit {
	return bank.Credit{
		SessionID: c.SessionID, AccountNumber: c.AccountNumber, Amount: money.NGN(c.Kobo), Recalled: c.Recalled,
		Sender: c.Sender, Narration: c.Narration, At: c.At, Cursor: after,
	}
}

// repeatFirst repeats the first element of a list when repeat is set, within the limit.
func repeatFirst[T any](list []T, repeat bool, limit int) []T {
	if !repeat || len(list) == 0 {
		return list
	}
	list = append([]T{list[0]}, list...)
	return list[:min(len(list), max(limit, 1))]
}

// CreditParams is naira on its way to an account of the sandbox bank.
type CreditParams struct {
	// AccountNumber is an account that OpenAccount returned.
	AccountNumber string
	Amount        money.Amount
	// Sender may be left zero: somebody at the sandbox bank.
	Sender    bank.Party
	Narration string
	// SessionID names the movement; empty makes a fresh one. A known one is
	// a second notice of the first movement: no more money arrives.
	SessionID string
}

// Credit brings naira to an account and returns the notice, without its cursor.
// Errors: ErrNoAccount, ErrAmount.
func (w *World) Credit(ctx context.Context, p CreditParams) (bank.Credit, error) {
	if p.Amount.Asset() != money.AssetNGN || p.Amount.Sign() <= 0 {
		return bank.Credit{}, fmt.Errorf("%w: %s", ErrAmount, p.Amount)
	}
	return answered(ctx, w.write, func(m *moment) (bank.Credit, error) {
		c, err := m.credit(p)
		return c.notice(""), err
	})
}

// credit appends a credit to the reports of the bank.
func (m *moment) credit(p CreditParams) (credit, error) {
	if _, found, err := m.Get(accountKey(p.AccountNumber)); err != nil || !found {
		return credit{}, cmp.Or(err, ErrNoAccount)
	}
	var head bankHead
	if _, err := load(m, bankHeadKey, &head); err != nil {
		return credit{}, err
	}
	c := credit{SessionID: p.SessionID, AccountNumber: p.AccountNumber, Kobo: p.Amount.Minor(), Sender: p.Sender, Narration: p.Narration, At: m.now}
	if c.SessionID == "" {
		head.Sessions++
		c.SessionID = fmt.Sprintf("%s%s%012d", BankCode+"000", m.now.Format("060102150405"), head.Sessions)
	}
	if c.Sender == (bank.Party{}) {
		c.Sender = bank.Party{BankCode: BankCode, AccountNumber: "0123456780", AccountName: "Sandbox Sender"}
	}
	// A second report of a session repeats the movement of the first.
	known, err := load(m, sessionKey(c.SessionID), &c)
	if err != nil {
		return credit{}, err
	}
	if !known {
		if c.Kobo > math.MaxInt64-head.Kobo {
			return credit{}, fmt.Errorf("%w: %d kobo came in before", ErrAmount, head.Kobo)
		}
		head.Kobo += c.Kobo
		if err := save(m, sessionKey(c.SessionID), c); err != nil {
			return credit{}, err
		}
	}
	return c, m.report(c, head)
}

// report appends a credit or a recall to the reports of the bank.
func (m *moment) report(c credit, head bankHead) error {
	head.Told++
	if err := save(m, creditPrefix+ordered(head.Told), c); err != nil {
		return err
	}
	return save(m, bankHeadKey, head)
}
