package hosted

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ferrypay/ferry/payments"
)

// statusView is the status of a session for the page's own script. Its last part is
// passed on to the shop's page.
type statusView struct {
	Phase    phase  `json:"phase"`
	Over     bool   `json:"over"`
	Message  string `json:"message"`
	Redirect string `json:"redirect_url,omitempty"`
	Seen     string `json:"seen,omitempty"`
	Status   string `json:"status"`

	TrxID     string      `json:"trx_id"`
	Reference payments.ID `json:"reference"`
	Amount    json.Number `json:"amount"`
	Currency  string      `json:"currency"`
}

// shopStatus is the status that a shop's page gets. A reversed payment is not a success.
func (s subject) shopStatus() string {
	if s.phase == reversed {
		return string(reversed)
	}
	return string(s.Status)
}

// statusOf renders the status of a session and its tag, which changes with everything
// that its page shows, but for the passing of time.
func (v *visit) statusOf(s subject) (tag string, body []byte, err error) {
	view := statusView{
		Phase: s.phase, Over: s.phase.over(), Message: v.words.Say("phase."+string(s.phase), "shop", s.business.Name),
		Status: s.shopStatus(),
		TrxID:  s.TrxID, Reference: s.Payment.ID, Amount: s.Payment.Amount.Wire(), Currency: s.Payment.Amount.Asset().String(),
	}
	if v.found == nil {
		view.Redirect = s.RedirectURL()
	}
	if s.incoming.Amount.Sign() > 0 {
		view.Seen = s.incoming.Amount.String()
	}
	if body, err = json.Marshal(view); err != nil {
		return "", nil, err
	}
	hash := sha256.New()
	hash.Write(body)
	fmt.Fprintln(hash, s.Version, s.Payment.Version, v.valid(s), s.Naira().StandsAt(v.now(s)))
	if s.Current != nil {
		fmt.Fprintln(hash, s.Current.Address, s.Current.Version)
	}
	return `"` + hex.EncodeToString(hash.Sum(nil)[:12]) + `"`, body, nil
}

// status answers where a session stands; 304 when that is what the caller knows.
func (p *pages) status(v *visit, w http.ResponseWriter) error {
	s, err := v.read()
	if err != nil {
		return err
	}
	tag, body, err := v.statusOf(s)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", tag)
	if v.http.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(body)
	return err
}
