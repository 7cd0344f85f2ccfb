package customers

import (
	"context"
	"time"

	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/webhook"
)

const (
	// EventVerified: a customer's identity was confirmed. Its data
	// is VerifiedData.
	EventVerified = "customer.verified"
	// EventVerificationFailed: an attempt failed. Its data is
	// VerificationFailedData.
	EventVerificationFailed = "customer.verification_failed"
)

// FailureReason says why an attempt failed.
type FailureReason string

const (
	// ReasonInvalidOTP: the one-time password was wrong.
	ReasonInvalidOTP FailureReason = "invalid_otp"
	// ReasonOTPExpired: the one-time password came too late.
	ReasonOTPExpired FailureReason = "otp_expired"
	// ReasonMismatch: the number is not the customer's stored one.
	ReasonMismatch FailureReason = "identity_mismatch"
	// ReasonRejected: the provider does not accept the identity.
	ReasonRejected FailureReason = "identity_rejected"
	// ReasonUnavailable: the provider did not answer, so nothing was judged.
	ReasonUnavailable FailureReason = "provider_unavailable"
)

// VerifiedData is the data of EventVerified.
type VerifiedData struct {
	CustomerID         ID       `json:"customer_id"`
	Type               Type     `json:"type"`
	Status             Status   `json:"status"`
	FirstName          string   `json:"first_name,omitempty"`
	LastName           string   `json:"last_name,omitempty"`
	BusinessName       string   `json:"business_name,omitempty"`
	Email              string   `json:"email"`
	VerificationMethod kyc.Type `json:"verification_method"`
	// VerificationType repeats VerificationMethod under its other name.
	VerificationType kyc.Type `json:"verification_type"`
	VerifiedName     string   `json:"verified_name,omitempty"`
	VerifiedAt       string   `json:"verified_at"`
}

// VerificationFailedData is the data of EventVerificationFailed.
type VerificationFailedData struct {
	CustomerID ID   `json:"customer_id"`
	Type       Type `json:"type"`
	// Status is rejected, or the customer's unchanged one when the provider
	// did not answer.
	Status             Status   `json:"status"`
	Email              string   `json:"email"`
	VerificationMethod kyc.Type `json:"verification_method"`
	// VerificationType repeats VerificationMethod under its other name.
	VerificationType kyc.Type      `json:"verification_type"`
	FailureReason    FailureReason `json:"failure_reason"`
	FailedAt         string        `json:"failed_at"`
}

// tell inserts an event about a customer after an attempt to verify an identity of the given
// type. A failed attempt has a reason. An empty event inserts nothing.
func tell(ctx context.Context, tx Tx, event string, c Customer, method kyc.Type, reason FailureReason) error {
	var data any
	switch event {
	case "":
		return nil
	case EventVerified:
		data = verifiedData(c)
	default:
		data = failedData(c, method, reason, tx.Now())
	}
	return webhook.Emit(ctx, tx, webhook.Change{Scope: c.Scope, Type: event, Resource: string(c.ID), Data: data})
}

func verifiedData(c Customer) VerifiedData {
	return VerifiedData{
		CustomerID:         c.ID,
		Type:               c.Type,
		Status:             c.Status,
		FirstName:          c.FirstName,
		LastName:           c.LastName,
		BusinessName:       c.BusinessName,
		Email:              c.Email,
		VerificationMethod: c.Verification.Method,
		VerificationType:   c.Verification.Method,
		VerifiedName:       c.Verification.VerifiedName,
		VerifiedAt:         wire.Time(c.Verification.VerifiedAt),
	}
}

func failedData(c Customer, method kyc.Type, reason FailureReason, at time.Time) VerificationFailedData {
	return VerificationFailedData{
		CustomerID:         c.ID,
		Type:               c.Type,
		Status:             c.Status,
		Email:              c.Email,
		VerificationMethod: method,
		VerificationType:   method,
		FailureReason:      reason,
		FailedAt:           wire.Time(at),
	}
}
