package main

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// initials are words that Go writes in capitals.
var initials = map[string]string{
	"id": "ID", "uid": "UID", "url": "URL", "api": "API", "bvn": "BVN", "nin": "NIN", "cac": "CAC", "otp": "OTP",
	"ngn": "NGN", "usdc": "USDC", "nip": "NIP", "ms": "MS", "uri": "URI", "html": "HTML", "solana": "Solana", "ip": "IP",
}

// camel returns a name of the wire as an exported name of Go: trx_id is TrxID.
func camel(name string) string {
	var out strings.Builder
	for _, word := range split(name) {
		lower := strings.ToLower(word)
		if known, ok := initials[lower]; ok {
			out.WriteString(known)
			continue
		}
		out.WriteString(strings.ToUpper(lower[:1]) + lower[1:])
	}
	return out.String()
}

// split returns the words of a name in any of the cases of the wire.
func split(name string) (words []string) {
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if part == strings.ToUpper(part) {
			words = append(words, part)
			continue
		}
		begin := 0
		for i, r := range part {
			if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(part[i-1])) {
				words = append(words, part[begin:i])
				begin = i
			}
		}
		words = append(words, part[begin:])
	}
	return words
}

// unexported returns a name as a local one: wallet_id is walletID.
func unexported(name string) string {
	words := split(name)
	first := strings.ToLower(words[0])
	if len(words) == 1 {
		return first
	}
	return first + camel(strings.Join(words[1:], "_"))
}

// first and last are the members that readers look for at the ends.
var (
	first = []string{"id", "uid", "trx_id", "reference", "type", "status", "stage", "success", "public_key", "amount", "currency"}
	last  = []string{"metadata", "search", "date_from", "date_to", "expires_at", "created_at", "updated_at", "page", "limit"}
)

// compare orders members: what names a thing, what is told of it, when it was.
func compare(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) }

func rank(name string) int {
	if i := slices.Index(first, name); i >= 0 {
		return i - len(first)
	}
	return slices.Index(last, name) + 1
}

// lowered begins a sentence of the document in the middle of another one.
func lowered(sentence string) string {
	letters := []rune(sentence)
	if len(letters) < 2 || unicode.IsUpper(letters[1]) {
		return sentence
	}
	letters[0] = unicode.ToLower(letters[0])
	return string(letters)
}

// comment wraps a text as a comment of Go.
func comment(indent, text string) string {
	const width = 96
	var out strings.Builder
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if out.Len() > 0 {
			out.WriteString(indent + "//\n")
		}
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && len(line)+1+len(word) > width-len(indent) {
				out.WriteString(indent + "// " + line + "\n")
				line = ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		out.WriteString(indent + "// " + line + "\n")
	}
	return out.String()
}
