// Package banks knows the banks of Nigeria by their codes.
//
// A bank has up to two codes, and payers use both: three digits that the Central Bank gave
// (058), and six digits by which the instant payments of NIBSS know it (000013). [All] lists
// the banks, [Find] takes a code of either family, and [Problem] says whether a code can be
// that of a bank at all.
package banks

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"slices"
	"strings"
	"sync"
)

// Bank is a bank, or another institution with accounts that naira can be sent to.
type Bank struct {
	Name string
	// CBN is the code of three digits of the Central Bank; empty where there is none.
	CBN string
	// NIP is the code of six digits by which instant payments know it; empty where there is none.
	NIP string
}

// Code is the code under which the bank is listed: the shorter one that it has.
func (b Bank) Code() string { return cmp.Or(b.CBN, b.NIP) }

// The bank of a simulated world. No real bank has its code.
const (
	SimulatedCode = "999"
	SimulatedName = "Sandbox Bank"
)

// Simulated is the bank of a simulated world, which All does not list.
func Simulated() Bank { return Bank{Name: SimulatedName, CBN: SimulatedCode} }

// table has a line a bank: its name, its CBN code, its NIP code.
//
//go:embed banks.csv
var table string

// read returns the banks of the table, and Simulated, by each of their codes.
var read = sync.OnceValues(func() ([]Bank, map[string]Bank) {
	lines, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic("banks: " + err.Error()) // it was compiled in, and is tested
	}
	all, byCode := make([]Bank, 0, len(lines)), map[string]Bank{SimulatedCode: Simulated()}
	for _, line := range lines {
		b := Bank{Name: line[0], CBN: line[1], NIP: line[2]}
		all = append(all, b)
		byCode[b.CBN], byCode[b.NIP] = b, b
	}
	delete(byCode, "")
	slices.SortFunc(all, func(a, b Bank) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return all, byCode
})

// All returns the banks of Nigeria that this package knows, by name.
func All() []Bank {
	all, _ := read()
	return slices.Clone(all)
}

// Find returns the bank that has a code of either family.
func Find(code string) (Bank, bool) {
	_, byCode := read()
	b, found := byCode[code]
	return b, found
}

// families begin the codes of institutions at NIBSS: commercial banks, finance companies,
// merchant banks, mortgage banks, microfinance banks, mobile money, payment service providers,
// payment service banks, and FSDH.
var families = []string{"000", "050", "060", "070", "090", "100", "110", "120", "400"}

// NumberProblem says what is wrong with the number of an account that is to be paid, or returns "".
func NumberProblem(account string) string {
	if len(account) != 10 || strings.Trim(account, "0123456789") != "" {
		return "Must be 10 digits"
	}
	return ""
}

// Problem says what is wrong with the code of a bank that is to be paid, or returns "". A code
// of three digits must be that of a bank which Find knows. NIBSS names new institutions every
// month, microfinance banks above all, so a code of six digits must only be of one of its
// families: the bank that is asked to pay knows the rest.
func Problem(code string) string {
	if strings.Trim(code, "0123456789") != "" || len(code) != 3 && len(code) != 6 {
		return "Must be 3 or 6 digits"
	}
	_, known := Find(code)
	if !known && (len(code) == 3 || !slices.Contains(families, code[:3])) {
		return "Is not the code of a bank"
	}
	return ""
}
