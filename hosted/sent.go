package hosted

import (
	"html/template"
	"net/url"
	"strings"

	"github.com/ferrypay/ferry/business"
)

// support is how payers reach a business.
type support struct {
	business.Support
	// Call is the phone number as the address of a link, and Host where the page is.
	Call template.URL
	Host string
}

// dialled is a phone number as a telephone takes it.
var dialled = strings.NewReplacer(" ", "", "(", "", ")", "", "-", "")

func supportOf(b business.Business) support {
	s := support{Support: b.Support}
	if s.Phone != "" {
		s.Call = template.URL("tel:" + dialled.Replace(s.Phone)) //nolint:gosec // digits, and a plus
	}
	if page, err := url.Parse(s.URL); err == nil {
		s.Host = page.Host
	}
	return s
}

// Any reports whether there is a way to reach the business.
func (s support) Any() bool { return s.Support != business.Support{} }

// sent is the parameter of an address by which a payer says that the money was sent. It is a
// view, and nothing more: what is believed is what arrives.
const sent = "sent"

// sentBlock says what is watched, how long it usually takes, and what to do later.
type sentBlock struct {
	Watched, Usual, Soon, Late string
	// Address is watched, for USDC.
	Address string
}

// saySent adds where a payer says that the money was sent, or what follows from it.
func (v *visit) saySent(page *checkoutPage, s subject, method string) {
	if !v.wantsSent() {
		query := v.again(method)
		query.Set(sent, "1")
		page.SentURL = v.path(s.ID, query)
		return
	}
	query := v.again(method)
	query.Del(sent)
	page.Unsent = v.path(s.ID, query)
	block := &sentBlock{
		Usual: v.words.Say("sent.usual." + method), Soon: v.words.Say("sent.soon." + method), Late: v.words.Say("sent.late", "trx_id", s.TrxID),
	}
	if bank := page.Bank; bank != nil {
		block.Watched = v.words.Say("sent.bank", "number", bank.Number, "bank", bank.Bank, "amount", bank.Amount)
	}
	if usdc := page.USDC; usdc != nil {
		block.Watched, block.Address = v.words.Say("sent.usdc", "amount", usdc.Amount), usdc.Address
	}
	page.Bank, page.USDC, page.Sent = nil, nil, block
	if s.phase == waiting {
		page.Heading = v.words.Say("sent.title")
	} else {
		page.How = v.words.Say("sent.title")
	}
}

// wantsSent reports whether the payer said so.
func (v *visit) wantsSent() bool { return v.http.URL.Query().Has(sent) }
