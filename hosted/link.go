package hosted

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/payments/links"
)

// linkPage is what the template of a link's page shows.
type linkPage struct {
	frame
	Heading, About string
	Amount         string
	Self           string
	// Origin is that of the page that frames this one, or empty.
	Origin, Source string
	// Press is the token of the form.
	Press string
	// Fields are what the payer fills in, the amount of an open link first.
	Fields []formField
	// Wrong reports that some field was refused.
	Wrong  bool
	Notice string
	Back   string
	Ends   *deadline
	// Places says how many payments a link with a limit still takes.
	Places string
}

// formField is one field of the form.
type formField struct {
	ID, Name, Label, Kind, Complete, Value string
	Mode, Suffix                           string
	Required                               bool
	// Problem is what is wrong with the value, or empty.
	Problem string
}

// The labels of fields that every order has a place for.
const (
	labelEmail = "Email"
	labelName  = "Name"
	labelPhone = "Phone"
)

// link shows the page of a link: a form, or why it takes no payments.
func (p *pages) link(v *visit, w http.ResponseWriter) error {
	l, b, err := v.readLink()
	if err != nil {
		return err
	}
	if !v.embeds(b) {
		v.apologize(w, http.StatusForbidden, "framed")
		return nil
	}
	if l.Status != links.Active {
		return v.closed(w, l, b, closedWhy(l))
	}
	if v.engine.Checkout.Takes(b, l.Amount.Asset()) != nil {
		return v.closed(w, l, b, unserved)
	}
	places, err := v.engine.Links.Places(v.http.Context(), l)
	if err != nil {
		return err
	}
	if places.Limited && places.Left == 0 {
		return v.closed(w, l, b, full(places))
	}
	page := v.linkPage(l, b, nil)
	if places.Limited {
		page.Places = v.places(places.Left)
	}
	return v.show(w, http.StatusOK, "link", page)
}

// full names why a link without a place takes no payments.
func full(p links.Places) string {
	if p.Unpaid > 0 {
		return "taken"
	}
	return "full"
}

// soldOut says that a link has no place.
func (v *visit) soldOut(w http.ResponseWriter, l links.Link, b business.Business) error {
	places, err := v.engine.Links.Places(v.http.Context(), l)
	if err != nil {
		return err
	}
	return v.closed(w, l, b, full(places))
}

// places says how many payments a link still takes.
func (v *visit) places(left int64) string {
	if left == 1 {
		return v.words.Say("places.one")
	}
	return v.words.Say("places", "count", v.words.Number(strconv.FormatInt(left, 10)))
}

func (v *visit) readLink() (links.Link, business.Business, error) {
	ctx := v.http.Context()
	l, err := v.engine.Links.BySlug(ctx, v.http.PathValue("slug"))
	if err != nil {
		if origin := v.asksToFrame(); originPattern.MatchString(origin) {
			v.origin = origin // an apology has nothing to press
		}
		return links.Link{}, business.Business{}, err
	}
	b, err := v.engine.Businesses.Business(ctx, l.Scope)
	return l, b, err
}

// embeds lets the origin that asks to frame a page of a business do so, and reports whether it
// may. No origin may always.
func (v *visit) embeds(b business.Business) bool {
	origin := v.asksToFrame()
	if origin == "" {
		return true
	}
	if !v.mayFrame(b, origin) {
		return false
	}
	v.origin = origin
	return true
}

// unserved is the reason of a link that is closed because the environment has no
// provider to pay it.
const unserved = "unserved"

// closedWhy names why a link takes no payments; its words stand under closed.* in
// lang.
func closedWhy(l links.Link) string {
	switch l.Status {
	case links.Pending:
		return "pending"
	case links.Ended:
		return "expired"
	case links.Completed:
		return "full"
	}
	return "inactive"
}

// closedCode is the code for the page that frames a closed link: that of the API.
func closedCode(why string) string {
	switch why {
	case unserved:
		return ferry.ErrNoProvider.Code
	case "full", "taken":
		return links.ErrLimitReached.Code
	}
	return links.ErrNotActive.Code
}

// closed says that a link takes no payments.
func (v *visit) closed(w http.ResponseWriter, l links.Link, b business.Business, why string) error {
	advice := "closed.advice"
	if why == "taken" {
		advice = "closed.taken.advice"
	}
	page := messagePage{
		Heading: v.words.Say("closed." + why), Advice: v.words.Say(advice, "shop", b.Name),
		Origin: v.origin, Source: v.config.Source, Code: closedCode(why),
	}
	if v.origin == "" {
		page.Back = l.CancelURL
	}
	page.frame = v.frame(page.Heading, b, "")
	status := http.StatusGone
	if why == unserved {
		status = http.StatusServiceUnavailable
	}
	if why == "pending" || why == "inactive" || why == "full" || why == "taken" {
		status = http.StatusConflict
	}
	return v.show(w, status, "message", page)
}

// linkPage is the form of a link, with what was filled in and what of it is wrong.
func (v *visit) linkPage(l links.Link, b business.Business, wrong *ferry.Error) linkPage {
	page := linkPage{
		frame:   v.frame(l.Title, b, ""),
		Heading: l.Title, About: l.Description, Self: v.linkPath(l),
		Press: v.token(), Fields: v.fields(l), Origin: v.origin, Source: v.config.Source,
	}
	if v.origin == "" {
		page.Back = l.CancelURL
	}
	if l.Type != links.Open {
		page.Amount = v.words.Money(l.Amount)
	}
	page.Preview = v.preview(l, page)
	if !l.ExpiresAt.IsZero() {
		page.Ends = v.deadline(l.Scope.Env, "link.ends", l.CreatedAt, l.ExpiresAt)
	}
	if wrong != nil {
		page.Wrong = v.mark(page.Fields, wrong)
		if !page.Wrong {
			page.Notice = v.words.Say("notice.refused")
		}
	}
	return page
}

// linkPath is the address of a link's page; within a frame, that of the page for it.
func (v *visit) linkPath(l links.Link) string {
	query := url.Values{}
	if v.origin != "" {
		query.Set("origin", v.origin)
	}
	return v.address("/pay/"+l.Slug, query)
}

// fields are those of the form, with the values that were posted.
func (v *visit) fields(l links.Link) []formField {
	say := v.words.Say
	var all []formField
	if l.Type == links.Open {
		all = append(all, formField{
			Name: "amount", Label: say("field.amount"), Kind: "text", Mode: "decimal", Complete: "off", Required: true, Suffix: l.Amount.Asset().String(),
		})
	}
	all = append(all,
		formField{Name: "email", Label: say("field.email"), Kind: "email", Complete: "email", Required: true},
		formField{Name: "name", Label: say("field.name"), Kind: "text", Complete: "name", Required: slices.Contains(l.Fields, labelName)},
	)
	if slices.Contains(l.Fields, labelPhone) {
		all = append(all, formField{Name: "phone", Label: say("field.phone"), Kind: "tel", Complete: "tel", Required: true})
	}
	for i, label := range l.Fields {
		if label == labelEmail || label == labelName || label == labelPhone {
			continue
		}
		all = append(all, formField{Name: "field." + strconv.Itoa(i), Label: label, Kind: "text", Complete: completeOf(label), Required: true})
	}
	for i := range all {
		all[i].ID = "f" + strconv.Itoa(i)
		all[i].Value = v.http.PostFormValue(all[i].Name)
		if suggested := l.Amount.Sign() > 0 && all[i].Name == "amount"; suggested && v.http.Method != http.MethodPost {
			all[i].Value = digits(l.Amount)
		}
	}
	return all
}

// completeOf is what a browser may fill in for a label that businesses use.
func completeOf(label string) string {
	known := map[string]string{"First Name": "given-name", "Last Name": "family-name", "Address": "street-address"}
	return cmp.Or(known[label], "on")
}

// mark notes at the fields what the engine refuses, and reports whether there was one.
func (v *visit) mark(fields []formField, wrong *ferry.Error) (found bool) {
	for i := range fields {
		f := &fields[i]
		for _, refused := range wrong.Fields {
			if refused.Name != f.Name && refused.Name != "fields."+f.Label {
				continue
			}
			found = true
			switch {
			case strings.TrimSpace(f.Value) == "":
				f.Problem = v.words.Say("wrong.missing")
			case f.Name == "email" || f.Name == "amount":
				f.Problem = v.words.Say("wrong." + f.Name)
			default:
				f.Problem = v.words.Say("wrong.text")
			}
		}
	}
	return found
}
