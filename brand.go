package ferry

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
)

// Brand is the words that carry the name of the service. One word, Name, is enough:
// an empty field follows from it.
type Brand struct {
	// Name is lower-case letters and digits: DefaultBrand.
	Name string
	// SignatureHeader is the header of webhooks that bears their signature:
	// x-{Name}-signature.
	SignatureHeader string
	// PlatformFee is the name of the platform's fee among the fees of a payment:
	// tsara_fee, whatever the Name.
	PlatformFee string
	// MessageSource is the source that messages of the dialog to a shop bear:
	// {Name}-checkout.
	MessageSource string
	// Global is what /inline.js defines beside FerryCheckout, as in acme.pay: the
	// Name, and nothing for DefaultBrand.
	Global string
}

// DefaultBrand is the name of a service that says none.
const DefaultBrand = "service"

// Complete returns the brand with every word that follows from its name.
func (b Brand) Complete() Brand {
	b.Name = cmp.Or(b.Name, DefaultBrand)
	b.SignatureHeader = cmp.Or(b.SignatureHeader, "x-"+b.Name+"-signature")
	b.PlatformFee = cmp.Or(b.PlatformFee, "tsara_fee")
	b.MessageSource = cmp.Or(b.MessageSource, b.Name+"-checkout")
	if b.Name != DefaultBrand {
		b.Global = cmp.Or(b.Global, b.Name)
	}
	return b
}

var (
	brandName  = regexp.MustCompile(`^[a-z][a-z0-9]{0,29}$`)
	headerName = regexp.MustCompile(`^x-[a-z0-9-]{1,62}$`)
	memberName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	sourceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	globalName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]{0,39}$`)
)

// Check refuses words that could not be used where they stand. It names the field
// as the configuration of ferry serve does. An empty field is right.
func (b Brand) Check() error {
	switch b = b.Complete(); {
	case !brandName.MatchString(b.Name):
		return errors.New("brand.name: must be 1 to 30 lower-case letters and digits, a letter first")
	case !headerName.MatchString(b.SignatureHeader):
		return errors.New("brand.signature_header: must be x- and lower-case letters, digits and dashes")
	case !memberName.MatchString(b.PlatformFee) || slices.Contains([]string{"processing_fee", "total_fees"}, b.PlatformFee):
		return errors.New("brand.platform_fee: must be lower-case letters, digits and underscores, and none of the other fees")
	case !sourceName.MatchString(b.MessageSource):
		return errors.New("brand.message_source: must be letters, digits, points, dashes and underscores")
	case b.Global != "" && !globalName.MatchString(b.Global):
		return errors.New("brand.global: must be letters, digits, underscores and $, no digit first")
	}
	return nil
}
