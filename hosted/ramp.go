package hosted

import (
	"bytes"
	"encoding/json"
	"strings"
)

// rampWords are the words of pages that the script of ramp widgets says too, besides its own.
var rampWords = []string{
	"group", "point", "money.ngn", "test", "copied", "copy.amount", "copy.number", "copy.address", "deadline", "offline", "reference", "refresh",
	"bank.how", "bank.amount", "bank.number", "bank.bank", "bank.name", "usdc.amount", "usdc.address", "usdc.solana", "usdc.rate", "usdc.deadline",
	"notice.unavailable", "underway.closing", "receipt.proof", "sorry.busy.advice", "wrong.missing", "wrong.amount",
}

// rampScript is the script of ramp widgets, with its style and the words of all languages in it.
func (l languages) rampScript() asset {
	style, _ := json.Marshal(string(lean(mustRead("ramp.css")))) // a string
	script := l.said(lean(mustRead("ramp.js")), (*words).ofRamp)
	return newAsset("ramp.js", bytes.Replace(script, []byte(`style = ""`), append([]byte("style = "), style...), 1))
}

// ofRamp are the words that the script of ramp widgets says.
func (w *words) ofRamp() map[string]string {
	said := map[string]string{}
	for _, key := range rampWords {
		said[key] = w.texts[key]
	}
	for key, text := range w.texts {
		if strings.HasPrefix(key, "ramp.") {
			said[key] = text
		}
	}
	return said
}
