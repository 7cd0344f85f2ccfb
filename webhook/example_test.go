package webhook_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/ferrypay/ferry/webhook"
)

// A receiver verifies what arrives and acts on it. Its test needs no engine.
func ExampleHandler() {
	const secret = "whsec_test_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=" // from the settings of the shop
	receiver := webhook.Handler(func(_ context.Context, event webhook.Received) error {
		var payment struct{ Reference string }
		if err := event.Decode(&payment); err != nil {
			return err // answered with 500: the event comes again
		}
		fmt.Println(event.Type, payment.Reference)
		return nil
	}, secret)

	body := must(webhook.GenerateTestEvent("payment.success", map[string]string{"reference": "order-981"}))
	for _, signer := range []string{secret, "whsec_test_b3RoZXI="} {
		answer := httptest.NewRecorder()
		receiver.ServeHTTP(answer, must(webhook.SignedRequest("https://shop.example.com/events", body, signer)))
		fmt.Println(answer.Code)
	}
	// Output:
	// payment.success order-981
	// 200
	// 400
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
