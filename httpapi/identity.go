package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
)

const tagIdentity = "Identity verification"

func (a *api) identityRoutes() []route {
	initiate := makes(a.initiate, viewInitiated)
	return []route{
		post("/v1/customers/identity/initiate", initiate, about{
			id: "initiateIdentity", scope: business.Collect, tag: tagIdentity,
			summary: "Begin a verification: the owner of the number is sent a one-time password", message: "OTP sent successfully",
		}),
		post("/v1/customers/identity", initiate, about{
			id: "createIdentity", scope: business.Collect, tag: tagIdentity,
			summary: "As identity/initiate", message: "OTP sent successfully",
		}),
		post("/v1/customers/identity/validate", makes(a.validate, viewValidated), about{
			id: "validateIdentity", scope: business.Collect, tag: tagIdentity, secret: true,
			summary: "Answer the challenge; the identity is told to the caller and not stored", message: "Identity verified successfully",
		}),
		get("/v1/customers/identity", query(a.identity), about{
			id: "getIdentity", tag: tagIdentity,
			summary: "Read the newest verification of a number, masked", message: "Identity retrieved successfully",
		}),
	}
}

type initiateInput struct {
	Type       string `json:"type" required:"true" doc:"bvn, nin or cac, in any letter case" eg:"bvn"`
	Number     string `json:"number" required:"true" doc:"11 digits; for cac: RC and digits" eg:"22212345670"`
	CustomerID string `json:"customer_id" doc:"Whom the outcome is for" eg:"cus_019cadd4569875d7a1b61a53693e7f0f"`
}

// initiate asks the provider to send a one-time password, or to judge a company.
func (a *api) initiate(c *call, in initiateInput) ferry.Operation[customers.Tx, customers.Outcome] {
	p := customers.InitiateParams{Type: kyc.Type(in.Type), Number: customers.Number(in.Number), Key: string(c.key.ID)}
	var err error
	if in.CustomerID != "" {
		p.CustomerID, err = customerID(in.CustomerID)
	}
	return unless(err, a.engine.Customers.InitiateOp(c.scope, p))
}

func viewInitiated(o customers.Outcome) saying[initiatedView] {
	begun := saying[initiatedView]{data: initiatedView{o.Identity.Type, o.Number, o.Identity.ID}}
	if o.Identity.Type == kyc.CAC {
		begun.message = "Identity verified successfully" // at once, without a password
	}
	return begun
}

type validateInput struct {
	Type   string `json:"type" required:"true" doc:"bvn or nin, in any letter case" eg:"bvn"`
	Number string `json:"number" required:"true" doc:"11 digits" eg:"22212345670"`
	OTP    string `json:"otp" required:"true" doc:"Digits" eg:"123456"`
}

func (a *api) validate(c *call, in validateInput) ferry.Operation[customers.Tx, customers.Outcome] {
	return a.engine.Customers.ValidateOp(c.scope, customers.ValidateParams{
		Type: kyc.Type(in.Type), Number: customers.Number(in.Number), OTP: customers.OTP(in.OTP),
	})
}

type identityQuery struct {
	Type   string `query:"type" required:"true" doc:"bvn, nin or cac, in any letter case"`
	Number string `query:"number" required:"true"`
}

func (in *identityQuery) check(p *ferry.Problems) {
	customers.CheckQuestion(kyc.Type(in.Type), customers.Number(in.Number), p)
}

func (a *api) identity(ctx context.Context, c *call, in identityQuery) (identityRecordView, error) {
	number := customers.Number(in.Number)
	found, err := a.engine.Customers.Identity(ctx, c.scope, kyc.Type(in.Type), number)
	return identityRecordView{
		ID: found.ID, Type: found.Type, Number: number.String(), Status: found.Status,
		CustomerID: optionalText(found.CustomerID), VerifiedName: optionalText(found.VerifiedName),
		ExpiresAt: optionalTime(found.ExpiresAt), VerifiedAt: optionalTime(found.VerifiedAt),
		CreatedAt: timestamp(found.CreatedAt), UpdatedAt: timestamp(found.UpdatedAt),
	}, err
}

type initiatedView struct {
	Type       kyc.Type             `json:"type" enum:"bvn,nin,cac" eg:"bvn"`
	Number     string               `json:"number" doc:"Masked" eg:"222123****0"`
	IdentityID customers.IdentityID `json:"identity_id" eg:"idn_019cadd4569875d7a1b61a53693e7f0f"`
}

// identityRecordView is a verification as it is kept.
type identityRecordView struct {
	ID           customers.IdentityID     `json:"identity_id" eg:"idn_019cadd4569875d7a1b61a53693e7f0f"`
	Type         kyc.Type                 `json:"type" enum:"bvn,nin,cac" eg:"bvn"`
	Number       string                   `json:"number" doc:"Masked" eg:"222123****0"`
	Status       customers.IdentityStatus `json:"status" enum:"requested,otp_sent,verified,rejected" eg:"verified"`
	CustomerID   optionalText             `json:"customer_id" eg:"cus_019cadd4569875d7a1b61a53693e7f0f"`
	VerifiedName optionalText             `json:"verified_name" eg:"Ada Obi"`
	ExpiresAt    optionalTime             `json:"expires_at" doc:"The end of the one-time password" eg:"2026-03-02T09:25:00.120Z"`
	VerifiedAt   optionalTime             `json:"verified_at" eg:"2026-03-02T09:16:10.004Z"`
	CreatedAt    timestamp                `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt    timestamp                `json:"updated_at" eg:"2026-03-02T09:16:10.004Z"`
}

// identityView is what the provider knows. What it does not know is null.
type identityView struct {
	BVN              optionalText `json:"bvn" doc:"Masked" eg:"222123****0"`
	FirstName        optionalText `json:"firstName" eg:"Ada"`
	MiddleName       optionalText `json:"middleName" eg:"null"`
	LastName         optionalText `json:"lastName" eg:"Obi"`
	DateOfBirth      optionalText `json:"dateOfBirth" eg:"1990-04-17"`
	PhoneNumber1     optionalText `json:"phoneNumber1" eg:"+2348012345678"`
	PhoneNumber2     optionalText `json:"phoneNumber2" eg:"null"`
	Gender           optionalText `json:"gender" eg:"Female"`
	Email            optionalText `json:"email" eg:"null"`
	LGAOfOrigin      optionalText `json:"lgaOfOrigin" eg:"Ikeja"`
	MaritalStatus    optionalText `json:"maritalStatus" eg:"null"`
	NIN              optionalText `json:"nin" doc:"Masked" eg:"null"`
	StateOfOrigin    optionalText `json:"stateOfOrigin" eg:"Lagos"`
	LevelOfAccount   optionalText `json:"levelOfAccount" eg:"null"`
	RegistrationDate optionalText `json:"registrationDate" eg:"null"`
	ImageBase64      optionalText `json:"imageBase64" eg:"null"`
}

func viewValidated(o customers.Outcome) identityView {
	i := o.Result
	return identityView{
		BVN: optionalText(i.BVN), NIN: optionalText(i.NIN),
		FirstName: optionalText(i.FirstName), MiddleName: optionalText(i.MiddleName), LastName: optionalText(i.LastName),
		DateOfBirth:  optionalText(i.DateOfBirth),
		PhoneNumber1: optionalText(i.PhoneNumber1), PhoneNumber2: optionalText(i.PhoneNumber2),
		Gender: optionalText(i.Gender), Email: optionalText(i.Email), MaritalStatus: optionalText(i.MaritalStatus),
		LGAOfOrigin: optionalText(i.LGAOfOrigin), StateOfOrigin: optionalText(i.StateOfOrigin),
		LevelOfAccount: optionalText(i.LevelOfAccount), RegistrationDate: optionalText(i.RegistrationDate),
		ImageBase64: optionalText(i.ImageBase64),
	}
}
