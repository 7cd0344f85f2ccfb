package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
)

// Exit codes of audit.
const (
	exitFindings   = 1
	exitCannotTell = 2
)

type auditCommand struct{ remote }

var errFindings = errors.New("the books have findings")

// Run prints {clean, findings[]} of the server's test environment.
func (c auditCommand) Run(ctx context.Context) error {
	var report struct {
		Clean    bool              `json:"clean"`
		Findings []json.RawMessage `json:"findings"`
	}
	if err := c.call(ctx, http.MethodGet, "/v1/test_helpers/audit", nil, &report); err != nil {
		return exitError{err, exitCannotTell}
	}
	if err := printJSON(os.Stdout, report); err != nil {
		return exitError{err, exitCannotTell}
	}
	if !report.Clean {
		return exitError{errFindings, exitFindings}
	}
	return nil
}

func exitCode(err error) int {
	if e, ok := errors.AsType[exitError](err); ok {
		return e.code
	}
	return 1
}
