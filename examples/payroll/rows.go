package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ferrypay/ferry/client"
)

// item is one row, in the form in which the server takes it. The server checks what the fields
// hold, and its errors name the item.
type item = client.PayoutItemParam

var header = []string{"reference", "bank_code", "account_number", "amount"}

// readRows reads a CSV file with a header.
func readRows(in io.Reader) ([]item, error) {
	reader := csv.NewReader(in)
	reader.FieldsPerRecord = len(header)
	reader.TrimLeadingSpace = true
	first, err := reader.Read()
	if err != nil {
		return nil, err
	}
	if !slices.Equal(first, header) {
		return nil, fmt.Errorf("the first line must be %q", header)
	}
	var rows []item
	line := map[string]int{}
	for {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		here, _ := reader.FieldPos(0)
		if before, twice := line[fields[0]]; twice {
			return nil, fmt.Errorf("line %d: the reference %q is that of line %d", here, fields[0], before)
		}
		line[fields[0]] = here
		naira, err := client.ParseAmount(fields[3])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", here, err)
		}
		rows = append(rows, item{Reference: fields[0], BankCode: fields[1], AccountNumber: fields[2], Amount: naira})
	}
	if len(rows) == 0 {
		return nil, errors.New("there are no rows")
	}
	return rows, nil
}
