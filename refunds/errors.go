package refunds

import "github.com/ferrypay/ferry"

var (
	// ErrNotFound says that there is no such refund.
	ErrNotFound = ferry.NewError(ferry.NotFound, "refund_not_found", "Refund not found")
	// ErrDuplicateReference refuses a reference that a refund has.
	ErrDuplicateReference = ferry.NewError(ferry.Invalid, "duplicate_reference", "The reference is already in use")
	// ErrNotRefundable refuses to refund what is no successful incoming transaction.
	ErrNotRefundable = ferry.NewError(ferry.Invalid, "transaction_not_refundable", "Only a successful incoming transaction can be refunded")
	// ErrExceedsRemaining refuses to refund more than is left of a transaction.
	ErrExceedsRemaining = ferry.NewError(ferry.Invalid, "refund_amount_exceeds_remaining", "The amount is more than is left to refund")
	// ErrNoSender refuses an automatic refund of money whose sender is not known: not by one bank
	// account, or not by one address.
	ErrNoSender = ferry.NewError(ferry.Unprocessable, "sender_details_missing", "The account of the sender is not known")
	// ErrNotProcessing refuses to end a refund that is not processing.
	ErrNotProcessing = ferry.NewError(ferry.Conflict, "refund_not_processing", "The refund is not processing")
)
