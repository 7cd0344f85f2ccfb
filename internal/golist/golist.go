// Package golist reads what the go command says of packages, for the tools and rules of the tree.
package golist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// Read runs a command "go list -json", and returns the packages that it prints, in their order.
func Read[P any](cmd *exec.Cmd) ([]P, error) {
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, failure.String())
	}
	var found []P
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p P
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		found = append(found, p)
	}
}
