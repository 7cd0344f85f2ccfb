package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/ferrypay/ferry/client"
)

// doctorCommand looks at a set-up from outside, as a program of the business does.
type doctorCommand struct {
	remote

	JSON bool `name:"json" help:"Print the checks as JSON."`
}

// Verdicts about a check.
const (
	healthy = "ok"
	noted   = "note" // works, but may surprise
	broken  = "FAIL"
)

// checked is what the doctor found out about one thing.
type checked struct {
	Check   string `json:"check"`
	Verdict string `json:"verdict"`
	Text    string `json:"text"`
	// Mend is how to mend it, or empty.
	Mend string `json:"mend,omitempty"`
}

var errUnwell = errors.New("something is wrong with the set-up")

// Run prints each check. It exits 1 when one failed.
func (c doctorCommand) Run(ctx context.Context) error {
	d := &doctor{remote: c.remote, now: time.Now}
	d.examine(ctx)
	print := d.print
	if c.JSON {
		print = func(w io.Writer) error { return printJSON(w, map[string][]checked{"checks": d.all}) }
	}
	if err := print(plain{os.Stdout}); err != nil {
		return err
	}
	for _, check := range d.all {
		if check.Verdict == broken {
			return exitError{errUnwell, exitFindings}
		}
	}
	return nil
}

// doctor makes the checks, in order. When one fails on which the rest depends, it ends.
type doctor struct {
	remote
	now func() time.Time
	all []checked
}

func (d *doctor) find(check, verdict, mend, format string, args ...any) {
	d.all = append(d.all, checked{check, verdict, fmt.Sprintf(format, args...), mend})
}

func (d *doctor) print(w io.Writer) error {
	for _, check := range d.all {
		if _, err := fmt.Fprintf(w, "%-5s %-12s %s\n", check.Verdict, check.Check, check.Text); err != nil {
			return err
		}
		if check.Mend != "" {
			if _, err := fmt.Fprintf(w, "%18s -> %s\n", "", check.Mend); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *doctor) examine(ctx context.Context) {
	if !d.reaches(ctx) {
		return
	}
	err := d.call(ctx, func(ctx context.Context, server *client.Client) error {
		config, err := server.Keys.Config(ctx)
		if err != nil {
			return err
		}
		d.key(*config)
		if config.Mode == client.ModeTest {
			d.sandbox(ctx, server)
		}
		return d.webhooks(ctx, server)
	})
	if err != nil {
		d.find("key", broken, d.keyMend(), "%v", err)
	}
}

// reaches reports whether a server answers, and looks at its version and its clock.
func (d *doctor) reaches(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	asked := d.now()
	response, err := d.ready(ctx)
	if err != nil {
		d.find("url", broken, "Start it with ferry dev, or give the right --url or FERRY_URL.", "no server answers at %s: %v", d.URL, err)
		return false
	}
	if response.StatusCode != http.StatusOK {
		d.find("url", broken, "Look at the log of the server.", "%s/readyz answers %s", d.URL, response.Status)
		return false
	}
	d.find("url", healthy, "", "%s answers and is ready", d.URL)
	d.versions(response.Header.Get(versionHeader))
	d.skew(response.Header.Get("Date"), asked)
	return true
}

func (d *doctor) ready(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(d.URL, "/")+"/readyz", nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	return response, response.Body.Close()
}

// versions compares the server with this binary.
func (d *doctor) versions(server string) {
	switch {
	case server == "":
		d.find("version", noted, "Is there a proxy before it, or another program at this address?", "the server does not tell its version; this binary is %s", version())
	case server != version():
		d.find("version", noted, "Use the binary of the same release.", "the server is %s, and this binary is %s", server, version())
	default:
		d.find("version", healthy, "", "server and binary are %s", server)
	}
}

// maxSkew is how far clocks may be apart: less than what receivers allow a signature to be old.
const maxSkew = time.Minute

// skew compares the clock of the server's machine with that of this one.
func (d *doctor) skew(date string, asked time.Time) {
	at, err := http.ParseTime(date)
	if err != nil {
		return
	}
	apart := at.Sub(asked.Truncate(time.Second))
	if apart.Abs() > maxSkew {
		d.find("clock", broken, "Let both machines take their time from NTP: signatures of webhooks are refused after 5 minutes.",
			"the clocks of the server and of this machine are %s apart", apart.Abs())
		return
	}
	d.find("clock", healthy, "", "the clocks of server and this machine agree")
}
