package payments

import "github.com/ferrypay/ferry"

var (
	// ErrNotFound says that the scope has no such payment.
	ErrNotFound = ferry.NewError(ferry.NotFound, "payment_not_found", "Payment not found")
	// ErrInvalidReference refuses a reference that no payment can have.
	ErrInvalidReference = ferry.NewError(ferry.Invalid, "invalid_reference", "The payment reference is malformed")
	// ErrReceiptNotFound says that the scope has no such receipt.
	ErrReceiptNotFound = ferry.NewError(ferry.NotFound, "not_found", "Receipt not found")
	// ErrReturnNotFound says that the scope has no such return.
	ErrReturnNotFound = ferry.NewError(ferry.NotFound, "not_found", "Return not found")
	// ErrReturned refuses to give the money of one bank session back twice.
	ErrReturned = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The money goes back already")
	// ErrNotRecalled refuses to reverse a bank transfer without the bank's word.
	ErrNotRecalled = ferry.NewError(ferry.Conflict, "invalid_state_transition", "Only the bank can recall a bank transfer")
	// ErrNotReversible refuses to reverse a payment that cannot be taken back.
	ErrNotReversible = ferry.NewError(ferry.Conflict, "invalid_state_transition", "A payment in USDC cannot be reversed")
)
