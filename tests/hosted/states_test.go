package hosted_test

import (
	"net/url"
	"time"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
)

// a state of a session, how it comes about, and what its page says in both languages.
type shownState struct {
	name string
	// bring makes a session and brings it into the state.
	bring func(s *stage) checkout.State
	// query is added to the address of the page.
	query   string
	phase   string
	en, fr  []string
	without []string
}

// bankNumber stands in want and without for the session's own account number.
const bankNumber = "(account number)"

var shownStates = []shownState{
	{
		name: "waiting for a bank transfer", phase: "waiting",
		bring: func(s *stage) checkout.State { return s.create(order("waiting")) },
		en:    []string{"Demo business", "Pay by bank transfer", "₦15,000.00", "Bank transfer", "USDC", bankNumber, "Sandbox Bank", "Pay before 3 March 2026, 09:15 UTC", "Cancel payment", "Test mode"},
		fr:    []string{"Payer par virement bancaire", "15 000,00 ₦", "Virement bancaire", bankNumber, "À payer avant le 3 mars 2026 à 09:15 UTC", "Annuler le paiement", "Mode test"},
	},
	{
		name: "waiting for USDC", phase: "waiting", query: "method=usdc",
		bring: func(s *stage) checkout.State { s.create(order("usdc")); return s.crypto("usdc") },
		en:    []string{"Pay with USDC", "10 USDC", "Solana only", "1 USDC = ₦1,500", "This price is good until 2 March 2026, 09:30 UTC", "Open in wallet"},
		fr:    []string{"Payer en USDC", "10 USDC", "Solana uniquement", "1 USDC = 1 500 ₦", "valable jusqu’au 2 mars 2026 à 09:30 UTC"},
	},
	{
		name: "a price that has run out", phase: "waiting", query: "method=usdc",
		bring: func(s *stage) checkout.State {
			s.create(order("stale"))
			s.crypto("stale")
			s.advance(15 * time.Minute)
			return s.get("stale")
		},
		en: []string{"The price has run out", "If you have already sent USDC, it still counts", "Get a new amount"},
		fr: []string{"Le prix n’est plus valable", "Obtenir un nouveau montant"},
	},
	{
		name: "a price in naira that has run out", phase: "waiting", query: "method=bank",
		bring: func(s *stage) checkout.State {
			s.create(inUSDC("stale-naira"))
			s.advance(15 * time.Minute)
			return s.get("stale-naira")
		},
		en:      []string{"The price has run out", "If you have already paid, it still counts", "Get a new amount"},
		fr:      []string{"Le prix n’est plus valable", "Obtenir un nouveau montant"},
		without: []string{bankNumber, "₦"},
	},
	{
		name: "USDC that was seen", phase: "seen",
		bring: func(s *stage) checkout.State {
			state := s.instructed("seen")
			s.send(state.Current.Deposit, money.USDC(10_000_000))
			s.advance(500 * time.Millisecond)
			return s.get("seen")
		},
		en: []string{"We can see your payment", "Waiting (done)"},
		fr: []string{"Nous voyons votre paiement", "En attente (fait)"},
	},
	{
		name: "USDC that is being confirmed", phase: "confirming",
		bring: func(s *stage) checkout.State {
			state := s.instructed("confirming")
			s.send(state.Current.Deposit, money.USDC(10_000_000))
			s.advance(time.Second)
			return s.get("confirming")
		},
		en: []string{"Your payment is being confirmed"},
		fr: []string{"en cours de confirmation"},
	},
	{
		name: "a card that is being charged", phase: "confirming",
		bring:   func(s *stage) checkout.State { s.create(order("charged")); return s.attempt("charged", payments.Card) },
		en:      []string{"Your card payment is under way. Please do not pay again", "Decided at the latest on 2 March 2026, 09:20 UTC"},
		fr:      []string{"Votre paiement par carte est en cours. Ne payez pas une seconde fois", "Décidé au plus tard le 2 mars 2026 à 09:20 UTC"},
		without: []string{bankNumber, "Pay before", "À payer avant", "Cancel payment"},
	},
	{
		name: "a bank transfer for an order in USDC", phase: "waiting", query: "method=bank",
		bring: func(s *stage) checkout.State { return s.create(inUSDC("dollars")) },
		en:    []string{"12.345678 USDC", "₦18,518.52 is what 12.345678 USDC is worth, at 1 USDC = ₦1,500."},
		fr:    []string{"18 518,52 ₦, c’est la valeur de 12,345678 USDC au taux de 1 USDC = 1 500 ₦."},
	},
	{
		name: "a part in USDC", phase: "partial", query: "method=usdc",
		bring: func(s *stage) checkout.State {
			s.deposit(s.instructed("partial").Current.Deposit, money.USDC(4_000_000))
			return s.get("partial")
		},
		en: []string{"Part of your payment has arrived", "We received 4 USDC, which counts as ₦6,000.00. ₦9,000.00 is left to pay.", "Send the remaining 6 USDC to this address."},
		fr: []string{"Une partie de votre paiement est arrivée", "Envoyez les 6 USDC restants"},
	},
	{
		name: "paid by transfer", phase: "paid",
		bring: func(s *stage) checkout.State {
			s.create(order("paid"))
			s.credit("paid", money.NGN(15_000_00))
			return s.get("paid")
		},
		en:      []string{"Paid. Thank you!", "The shop has received your payment for order paid", "Receipt", "Back to the shop"},
		fr:      []string{"Payé. Merci !", "Reçu", "Retour à la boutique"},
		without: []string{bankNumber, "Cancel payment", "Annuler le paiement"},
	},
	{
		name: "paid with too much naira", phase: "paid",
		bring: func(s *stage) checkout.State {
			s.create(order("over"))
			s.credit("over", money.NGN(16_500_00))
			return s.get("over")
		},
		en: []string{"Paid.", "You sent ₦16,500.00, which is more than the ₦15,000.00 to pay.", "₦1,500.00 is going back to the bank account it came from."},
		fr: []string{"Vous avez envoyé 16 500,00 ₦, soit plus que les 15 000,00 ₦", "1 500,00 ₦ repartent"},
	},
	{
		name: "paid with too much USDC", phase: "paid",
		bring: func(s *stage) checkout.State {
			s.deposit(s.instructed("overusdc").Current.Deposit, money.USDC(12_500_000))
			return s.get("overusdc")
		},
		en: []string{"Paid.", "You sent 12.5 USDC", "2.5 USDC is set aside. The shop decides"},
		fr: []string{"2,5 USDC sont mis de côté"},
	},
	{
		name: "paid twice", phase: "paid",
		bring: func(s *stage) checkout.State {
			s.create(order("twice"))
			s.credit("twice", money.NGN(15_000_00))
			s.credit("twice", money.NGN(15_000_00))
			return s.get("twice")
		},
		en: []string{"More money arrived although this order was already paid.", "₦15,000.00 is going back"},
		fr: []string{"De l’argent est encore arrivé", "15 000,00 ₦ repartent"},
	},
	{
		name: "too little naira", phase: "underpaid",
		bring: func(s *stage) checkout.State {
			s.create(order("under"))
			s.credit("under", money.NGN(5_000_00))
			return s.get("under")
		},
		en:      []string{"Not paid: the transfer was too small", "We received ₦5,000.00 of ₦15,000.00.", "₦5,000.00 is going back to the bank account it came from.", "start a new one"},
		fr:      []string{"Non payé", "Nous avons reçu 5 000,00 ₦ sur 15 000,00 ₦.", "5 000,00 ₦ repartent"},
		without: []string{bankNumber, "Paid.", "Receipt", "Payé."},
	},
	{
		name: "a card that was declined", phase: "failed",
		bring: func(s *stage) checkout.State {
			state := s.create(order("declined"))
			s.follow(s.post(checkoutPath(state)+"/card", url.Values{"outcome": {"failed"}}))
			return s.get("declined")
		},
		en: []string{"The payment did not go through", "You have not paid."},
		fr: []string{"Le paiement n’a pas abouti", "Vous n’avez pas payé."},
	},
	{
		name: "cancelled", phase: "cancelled",
		bring: func(s *stage) checkout.State {
			state := s.create(order("cancelled"))
			s.follow(s.post(checkoutPath(state)+"/cancel", nil))
			return s.get("cancelled")
		},
		en:      []string{"You cancelled this payment", "Back to the shop"},
		fr:      []string{"Vous avez annulé ce paiement"},
		without: []string{bankNumber},
	},
	{
		name: "over, but not looked at for the last time", phase: "closing",
		bring: func(s *stage) checkout.State {
			s.instructed("closing")
			s.clock.Add(24 * time.Hour) // and no worker has been there
			return s.get("closing")
		},
		en:      []string{"We are checking for your payment", "The time to pay is over.", "Please do not send money now."},
		fr:      []string{"Nous vérifions si votre paiement est arrivé", "N’envoyez plus d’argent."},
		without: []string{bankNumber, "Pay before", "À payer avant", "Cancel payment", "Get a new amount", "Open in wallet"},
	},
	{
		name: "expired", phase: "expired",
		bring: func(s *stage) checkout.State {
			s.create(order("expired"))
			s.advance(24 * time.Hour)
			return s.get("expired")
		},
		en:      []string{"The time to pay is over", "Please do not send money for this order any more"},
		fr:      []string{"Le délai de paiement est écoulé", "N’envoyez plus d’argent"},
		without: []string{bankNumber},
	},
	{
		name: "expired with too little USDC", phase: "expired",
		bring: func(s *stage) checkout.State {
			s.deposit(s.instructed("short").Current.Deposit, money.USDC(4_000_000))
			s.advance(24 * time.Hour)
			return s.get("short")
		},
		en: []string{"The time to pay is over", "We received 4 USDC of 10 USDC.", "4 USDC is set aside."},
		fr: []string{"Nous avons reçu 4 USDC sur 10 USDC.", "4 USDC sont mis de côté."},
	},
	{
		name: "late naira", phase: "expired",
		bring: func(s *stage) checkout.State {
			s.create(order("late"))
			s.advance(24 * time.Hour)
			s.credit("late", money.NGN(15_000_00))
			return s.get("late")
		},
		en: []string{"Money arrived after the order had ended.", "₦15,000.00 is going back"},
		fr: []string{"De l’argent est arrivé après la fin de la commande.", "15 000,00 ₦ repartent"},
	},
	{
		name: "late USDC", phase: "expired",
		bring: func(s *stage) checkout.State {
			to := s.instructed("lateusdc").Current.Deposit
			s.advance(24 * time.Hour)
			s.deposit(to, money.USDC(10_000_000))
			return s.get("lateusdc")
		},
		en: []string{"Money arrived after the order had ended.", "10 USDC is set aside."},
		fr: []string{"10 USDC sont mis de côté."},
	},
}
