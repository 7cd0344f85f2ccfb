package checkout

import (
	"cmp"
	"regexp"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/statement"
)

const (
	maxName        = 100
	maxPhone       = 30
	maxTitle       = 50
	maxDescription = 200
	missing        = "Missing required field"
)

// localPhone is the form of a phone number under B.
var localPhone = regexp.MustCompile(`^0[0-9]{10}$`)

// CreateParams describe an order.
type CreateParams struct {
	// Variant is business.DialectB when it is empty: that form never answers with
	// the session of an earlier order, as A does within three minutes.
	Variant business.Dialect
	// Public marks an order that came with a public key, which everybody has who sees
	// the shop's page. Such orders have names of their own.
	Public bool
	TrxID  string
	Email  string
	Name   string
	Phone  string
	// Amount is naira, or USDC for an order that is priced in it.
	Amount money.Amount
	// Method restricts the session to one method; empty is all that there are.
	Method business.PaymentMethod
	// Pair is SolanaUSDC when it is empty.
	Pair           Pair
	Redirects      Redirects
	Customizations Customizations
	Metadata       ferry.Metadata
	// Collected are the answers to the fields of a link.
	Collected map[string]string
	// Pages is where the payer finds the pages, as https://pay.example.com: receipts have
	// addresses below it. Without it, events do not name them. It is no part of the order,
	// which stays the same whichever address it comes by.
	Pages string `json:"-"`
}

// Check adds what is wrong with the fields of p, whosever order it is.
func (p CreateParams) Check(problems *ferry.Problems) {
	p.checkFields(problems)
	anybody := business.Business{Scope: ferry.Scope{Env: ferry.Test}} // whose redirects are the freest
	p.Redirects.check(anybody, problems)
}

func (p CreateParams) name() statement.Name { return statement.Name{TrxID: p.TrxID, Public: p.Public} }

func (p CreateParams) dialect() business.Dialect { return cmp.Or(p.Variant, business.DialectB) }

func (p CreateParams) checkFields(problems *ferry.Problems) {
	switch {
	case p.TrxID == "":
		problems.Add("trx_id", missing)
	case text.Reference(p.TrxID) != "":
		problems.Add("trx_id", text.Reference(p.TrxID))
	case isOurs(p.TrxID):
		problems.Add("trx_id", "Must not have the form of an id of this API")
	}
	switch _, ok := text.Email(p.Email); {
	case text.Clean(p.Email) == "":
		problems.Add("email", missing)
	case !ok:
		problems.Add("email", "Invalid email format")
	}
	checkLine("name", p.Name, maxName, problems)
	phone := checkLine("phone", p.Phone, maxPhone, problems)
	if p.dialect() == business.DialectB && phone != "" && !localPhone.MatchString(phone) {
		problems.Add("phone", "Must be 11 digits starting with 0")
	}
	switch {
	case p.Amount == money.Amount{}:
		problems.Add("amount", missing)
	case p.Amount.Sign() <= 0:
		problems.Add("amount", "Must be greater than 0")
	default:
		problems.Note("amount", p.Amount.CeilingProblem())
	}
	if p.Method != "" && p.Method != business.BankTransfer && p.Method != business.Crypto {
		problems.Add("payment_method", "Must be bank-transfer or crypto")
	}
	p.Customizations.check(problems)
	p.Metadata.Check(p.metadataField(), problems)
}

// metadataField is what the dialect of an order calls its metadata.
func (p CreateParams) metadataField() string {
	if p.dialect() == business.DialectB {
		return "meta"
	}
	return "metadata"
}

// check returns p in the form in which it is kept.
func (p CreateParams) check(b business.Business) (CreateParams, error) {
	var problems ferry.Problems
	p.checkFields(&problems)
	p.Redirects.check(p.owner(b), &problems)
	p.Variant = p.dialect()
	p.Email, _ = text.Email(p.Email)
	p.Name, p.Phone = text.Clean(p.Name), text.Clean(p.Phone)
	p.Customizations.Title, p.Customizations.Description = text.Clean(p.Customizations.Title), text.Clean(p.Customizations.Description)
	p.Pair = p.Pair.folded()
	if err := problems.Err(); err != nil {
		return p, err
	}
	if p.Public {
		if err := p.Redirects.listed(b); err != nil {
			return p, err
		}
	}
	return p, checkPair(p.Pair)
}

// isOurs reports whether a trx_id has the form of an id of a payment or of a session. Such
// a trx_id could lead to another record.
func isOurs(trxID string) bool {
	_, payment := ferry.CanonicalID(payments.Prefix, trxID)
	_, session := ferry.CanonicalID(Prefix, trxID)
	return payment || session
}

// owner is the business by whose rules the form of an order is judged. For one with a
// public key, hosts are judged when all else is right.
func (p CreateParams) owner(b business.Business) business.Business {
	if p.Public {
		b.RedirectHosts = nil
	}
	return b
}

func checkLine(field, value string, longest int, problems *ferry.Problems) string {
	kept, problem := text.Line(value, 0, longest)
	problems.Note(field, problem)
	return kept
}

func (c Customizations) check(problems *ferry.Problems) {
	checkLine("customizations.title", c.Title, maxTitle, problems)
	if _, problem := text.Paragraph(c.Description, maxDescription); problem != "" {
		problems.Add("customizations.description", problem)
	}
	if c.Logo == "" {
		return
	}
	public := business.Business{Scope: ferry.Scope{Env: ferry.Live}} // https wherever it is
	problems.Note("customizations.logo", public.RefusesRedirect(c.Logo))
}
