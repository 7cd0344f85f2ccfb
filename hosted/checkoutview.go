package hosted

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/payments"
)

// The methods among which a payer switches, as addresses name them.
const (
	methodBank = "bank"
	methodUSDC = "usdc"
	methodCard = "card"
)

// frame is what every page has around its content.
type frame struct {
	*words
	Assets assets
	Title  string
	Shop   string
	// Logo and Icon are addresses of pictures of the business, and Accent that of a style
	// with its colour. Each may be empty.
	Logo, Icon, Accent string
	Test               bool
	// Preview is what chats show of the page, or nil.
	Preview *preview
	// Support is how payers reach the business.
	Support support
	// Languages lead to the same page in other words.
	Languages []languageLink
	// Refresh is after how many seconds a page without script loads again, and from
	// where; empty is never. Script takes it back, because a page cannot know whether
	// its script will come.
	Refresh string
}

type languageLink struct{ Tag, Name, URL string }

// frame returns the surroundings of a page of a business, or of none. A session may have a
// logo of its own, from any host: pictures of it are loaded over https.
func (v *visit) frame(title string, b business.Business, logo string) frame {
	if b.Name != "" && !strings.Contains(title, b.Name) {
		title += " · " + b.Name
	}
	f := frame{words: v.words, Assets: v.assets, Title: title, Shop: b.Name, Test: b.Scope.Env == "test", Support: supportOf(b)}
	f.Icon, f.Accent = v.picture(b.Branding.IconURL), accentPath(b.Branding.AccentColor)
	if f.Logo = logo; logo != "" {
		v.pictures = append(v.pictures, "https:")
	} else {
		f.Logo = v.picture(b.Branding.LogoURL)
	}
	for _, l := range v.languages.all {
		if l.Tag == v.words.Tag {
			continue
		}
		query := v.http.URL.Query()
		query.Set("lang", l.Tag)
		f.Languages = append(f.Languages, languageLink{l.Tag, l.Name, "?" + query.Encode()})
	}
	return f
}

// checkoutPage is what the template of the checkout page shows.
type checkoutPage struct {
	frame
	Phase   phase
	Over    bool
	Paid    bool
	Steps   []step
	Heading string
	// How heads what the chosen method asks for, when that is not the heading of the page.
	How      string
	Advice   string
	Notice   string
	Remarks  []string
	What     string
	About    string
	Customer string
	Amount   string
	FeeNote  string
	Deadline *deadline
	// Arrived says what came of an order that is not paid in full, and what is left.
	Arrived string
	Methods []methodLink
	// Sent says what is watched, for a payer who has sent the money. SentURL is that page,
	// and Unsent the one with the account or the address.
	Sent            *sentBlock
	SentURL, Unsent string
	// Whole warns that the method pays the whole although a part is there.
	Whole *wholeBlock
	Bank  *bankBlock
	USDC  *usdcBlock
	Card  bool
	// Simulate are the clicks that stand for money in the sandbox.
	Simulate *simulateBlock
	// Underway says that the page asks for no money, because a payment is under way or
	// the time to pay is over.
	Underway bool
	// MayCancel says that the payer can cancel on the page, and CancelPart what becomes of
	// what has arrived then.
	MayCancel  bool
	CancelPart string
	// Link is the payment link of an order that has ended, and AgainText the button that
	// orders again.
	Link, AgainText string
	// Again is the page itself.
	Again, Receipt, Back string
	// actionURL is the address to which a form posts an action.
	actionURL        func(action string) string
	TrxID, Reference string
	// For script:
	StatusURL, Version, Origin, Source string
	Redirect                           string
	Ended                              bool
}

// deadline is an instant with what a countdown to it needs, in seconds.
type deadline struct {
	Before, Text, Machine string
	Left, Span            int64
}

func (v *visit) deadline(env ferry.Env, key string, from, until time.Time) *deadline {
	now := v.engine.Clock(env).Now()
	return &deadline{
		Before: v.words.Say(key), Text: v.words.When(until), Machine: machine(until),
		Left: max(0, int64((until.Sub(now)+time.Second-1)/time.Second)), Span: int64(until.Sub(from) / time.Second),
	}
}

// showCheckout writes the page of a session.
func (v *visit) showCheckout(w http.ResponseWriter, s subject, status int, notice string) error {
	page, err := v.checkoutPage(s)
	if err != nil {
		return err
	}
	if notice != "" {
		page.Notice = v.words.Say(notice)
		page.Languages = nil // the address is that of an action
	}
	return v.show(w, status, "checkout", page)
}

func (v *visit) checkoutPage(s subject) (checkoutPage, error) {
	ctx := v.http.Context()
	shop := s.business.Name
	where, err := v.locate(ctx, s.State)
	if err != nil {
		return checkoutPage{}, err
	}
	page := checkoutPage{
		Phase: s.phase, Over: s.phase.over(), Paid: s.phase == paid,
		Heading: v.words.Say("phase."+string(s.phase), "shop", shop),
		Remarks: v.remarks(s.State, where, shop),
		Amount:  v.words.Money(s.Payment.Amount),
		TrxID:   s.TrxID, Reference: string(s.Payment.ID),
		Again: v.path(s.ID, nil), Origin: v.origin, Source: v.config.Source,
		Ended:     v.http.URL.Query().Has("then"),
		actionURL: func(action string) string { return v.below(s.ID, "/"+action, url.Values{}) },
	}
	page.frame = v.frame(page.Heading, s.business, s.Customizations.Logo)
	page.StatusURL = v.below(s.ID, "/status", url.Values{})
	if page.Version, _, err = v.statusOf(s); err != nil {
		return checkoutPage{}, err
	}
	if v.found == nil {
		if err := v.tellPayer(ctx, &page, s); err != nil {
			return checkoutPage{}, err
		}
	}
	if page.Over {
		page.Advice = v.advice(s, shop)
		page.Simulate = v.simulateBlock(s, v.endedMethod(s))
		return page, nil
	}
	if page.Arrived, err = v.toldPart(s); err != nil {
		return checkoutPage{}, err
	}
	if came := s.arrived(); came.Sign() > 0 {
		page.CancelPart = v.words.Say("cancel.part", "received", v.words.Money(came), "shop", shop)
	}
	if s.payingUSDC() {
		page.Steps = s.phase.steps()
	}
	if page.Underway = s.underway(); page.Underway {
		page.Advice, page.Deadline = v.patience(s)
	} else {
		page.Deadline = v.deadline(s.Scope.Env, "deadline", s.CreatedAt, s.ExpiresAt)
		err = v.offer(&page, s)
	}
	page.Refresh = fmt.Sprintf("%d;url=%s", refreshAfter, page.Again)
	return page, err
}

// tellPayer adds what is for the payer only, whose page it is.
func (v *visit) tellPayer(ctx context.Context, page *checkoutPage, s subject) error {
	page.Customer, page.Redirect, page.MayCancel = s.Customer.Name, s.RedirectURL(), true
	if s.phase == paid || s.phase == reversed {
		page.Receipt = v.below(s.ID, "/receipt", url.Values{})
	}
	if v.origin == "" {
		page.Back = page.Redirect
	}
	return v.describe(ctx, page, s)
}

// patience says what is waited for while nothing is asked for, and until when.
func (v *visit) patience(s subject) (string, *deadline) {
	until := s.Payment.PendingUntil
	switch {
	case s.phase == closing:
		return v.words.Say("underway.closing"), nil
	case until.IsZero():
		return v.words.Say("underway.usdc"), nil
	}
	began := until.Add(-payments.MaxPending[s.Payment.Method])
	return v.words.Say("underway." + string(s.Payment.Method)), v.deadline(s.Scope.Env, "underway.deadline", began, until)
}

// refreshAfter is how often a pending page without script loads again, in seconds.
const refreshAfter = 20

// Waits reports whether the page of an order that has ended waits for the payer: it has a
// receipt, or another way to pay.
func (p checkoutPage) Waits() bool { return p.Receipt != "" || p.AgainText != "" }

// describe says what is paid for.
func (v *visit) describe(ctx context.Context, page *checkoutPage, s subject) error {
	page.What, page.About = s.Customizations.Title, s.Customizations.Description
	if s.Link != "" {
		l, err := v.engine.Links.Get(ctx, s.Scope, string(s.Link))
		if err != nil {
			return err
		}
		page.What, page.About = l.Title, l.Description
		v.showLink(page, s, l.Link)
	}
	fees, err := s.Payment.Fees.Total()
	if err != nil {
		return err
	}
	if s.Pricing.CustomerPays && fees.Sign() > 0 {
		page.FeeNote = v.words.Say("fee", "amount", v.words.Money(fees))
	}
	return nil
}

// advice says what to do now that nothing more can be paid here.
func (v *visit) advice(s subject, shop string) string {
	switch s.phase {
	case paid:
		return v.words.Say("advice.paid", "shop", shop, "trx_id", s.TrxID)
	case reversed, failed, underpaid, cancelled, expired:
		key := "advice." + string(s.phase)
		if s.Link != "" && (s.phase == failed || s.phase == underpaid || s.phase == expired) {
			key += ".link"
		}
		return v.words.Say(key, "shop", shop)
	}
	return ""
}

// actButton is a form of one button.
type actButton struct{ Action, Origin, Text string }

// ActionURL is the address to which a form posts an action.
func (p checkoutPage) ActionURL(action string) string { return p.actionURL(action) }

// Button is the form that posts an action of the page.
func (p checkoutPage) Button(action, key string) actButton {
	return actButton{Action: p.ActionURL(action), Origin: p.Origin, Text: p.Say(key)}
}

// copyButton copies a value when script is there.
type copyButton struct{ Key, Value, Label, Text string }

// Copy is the button that copies a value.
func (p checkoutPage) Copy(key, value string) copyButton {
	return copyButton{key, value, p.Say("copy." + key), p.Say("copy")}
}
