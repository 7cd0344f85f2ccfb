package hosted

import (
	"io"
	"mime"
	"net/http"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/form"
)

// errForm refuses what no form of these pages sends.
var errForm = ferry.ErrValidation.About("body", "Could not be read")

// readForm reads the form that was posted, for PostFormValue.
func (v *visit) readForm(w http.ResponseWriter) error {
	if v.http.Method != http.MethodPost {
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, v.http.Body, maxForm))
	if err != nil {
		return errForm.Because(err)
	}
	kind, _, err := mime.ParseMediaType(v.http.Header.Get("Content-Type"))
	if len(body) > 0 && (err != nil || kind != "application/x-www-form-urlencoded") {
		return errForm.Because(err)
	}
	if v.http.PostForm, err = form.Parse(string(body)); err != nil {
		return errForm.Because(err)
	}
	v.http.Form = v.http.PostForm
	return nil
}
