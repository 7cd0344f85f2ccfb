package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/inspect"
)

// logsCommand prints the timeline of a sandbox.
type logsCommand struct {
	Tail logsTailCommand `cmd:"" help:"Print the requests, events, deliveries and other lines of the inspector's timeline, and those that come."`
}

type logsTailCommand struct {
	URL  string `help:"Base URL of the sandbox." default:"http://127.0.0.1:8080" env:"FERRY_URL"`
	Kind string `help:"Only lines of this kind: api, page, money, event, webhook, clock or fault. Default: all." placeholder:"KIND" env:"FERRY_LOGS_KIND"`
	JSON bool   `name:"json" help:"Print one line of JSON for each."`
}

// errNoInspector is about servers that are no sandbox on this machine.
var errNoInspector = errors.New("there is no inspector: --url or FERRY_URL must be that of a ferry dev on this machine")

// Validate refuses a kind that there is not.
func (c logsTailCommand) Validate() error {
	if kind := inspect.Kind(c.Kind); kind == "" || slices.Contains(inspect.Kinds, kind) {
		return nil
	}
	return fmt.Errorf("--kind: there is no kind %q: the kinds are %s", c.Kind, strings.Trim(strings.ReplaceAll(fmt.Sprint(inspect.Kinds), " ", ", "), "[]"))
}

// Run prints lines until it is interrupted.
func (c logsTailCommand) Run(ctx context.Context) error {
	if !isWeb(c.URL) {
		return errURL
	}
	query := url.Values{"as": {"lines"}, "after": {"0"}, "kind": {c.Kind}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.URL, "/")+"/live?"+query.Encode(), nil)
	if err != nil {
		return errors.Join(errURL, err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("no server answers at %s (--url or FERRY_URL): %w", c.URL, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		return fmt.Errorf("%d %s: %w", answer.StatusCode, http.StatusText(answer.StatusCode), errNoInspector)
	}
	scanner := bufio.NewScanner(answer.Body)
	scanner.Buffer(nil, maxUpdate)
	for scanner.Scan() {
		if data, found := strings.CutPrefix(scanner.Text(), "data: "); found {
			if err := c.print(data); err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil {
		return nil // it was interrupted
	}
	return scanner.Err()
}

// maxUpdate is the greatest length of an update.
const maxUpdate = 16 << 20

// print prints the lines of an update.
func (c logsTailCommand) print(data string) error {
	var update struct{ Lines []inspect.Line }
	if err := json.Unmarshal([]byte(data), &update); err != nil {
		return err
	}
	for _, l := range update.Lines {
		if c.JSON {
			if err := json.NewEncoder(plain{os.Stdout}).Encode(l); err != nil {
				return err
			}
			continue
		}
		status := ""
		if l.Status != 0 {
			status = fmt.Sprint(" ", l.Status)
		}
		line := fmt.Sprintf("%s %-7s %s%s %s %s", l.At.UTC().Format("15:04:05.000"), l.Kind, l.Title, status, l.Name, l.Detail)
		if _, err := fmt.Println(visible(line)); err != nil {
			return err
		}
	}
	return nil
}
