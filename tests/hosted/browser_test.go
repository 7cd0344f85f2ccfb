//go:build browser

package hosted_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// axeSource is the accessibility rules, brought by make deps.
const axeSource = "../../tools/browser/node_modules/axe-core/axe.min.js"

// chromium is the one browser of this test binary, started when a test asks for it.
var chromium = sync.OnceValues(func() (context.Context, error) {
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return nil, fmt.Errorf("Chromium is needed: make deps brings it")
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.Headless, chromedp.Flag("lang", "en"), chromedp.DisableGPU}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	stopBrowser = cancel
	ctx, _ := chromedp.NewContext(allocator)
	return ctx, chromedp.Do(ctx)
})

var stopBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	stopBrowser()
	os.Exit(code)
}

// tab is one page in the browser.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// watch has every document note what it was refused by its policy, and what threw. While window.__held
// is a list, what the page does after a second or more is put there instead of done.
const watch = `
window.__faults = [];
{
  const later = window.setTimeout;
  window.setTimeout = (act, wait, ...args) => later(() => { wait >= 1000 && window.__held ? window.__held.push(act) : act(...args); }, wait);
}
addEventListener("securitypolicyviolation", (e) => window.__faults.push(e.violatedDirective + " " + e.blockedURI));
addEventListener("error", (e) => window.__faults.push(String(e.message)));
addEventListener("unhandledrejection", (e) => window.__faults.push(String(e.reason)));
`

func open(t *testing.T, url string) *tab {
	t.Helper()
	browser, err := chromium()
	require.NoError(t, err)
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx)) // opens the tab, which a time-out must not own
	limited, stop := context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(stop)
	b := &tab{t, limited}
	b.act(chromedp.EmulateViewport(390, 844))
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
	b.act(chromedp.Navigate(url))
	return b
}

func call[P, R any](b *tab, c cdp.Command[P, R], params P) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, c, params)
	require.NoError(b.t, err)
}

func (b *tab) act(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, steps...))
}

// goTo opens a page and waits until all of it is there.
func (b *tab) goTo(url string) {
	b.t.Helper()
	b.act(chromedp.Navigate(url))
	b.until("document.readyState === 'complete' && document.getElementById('main')")
}

func (b *tab) click(css string) {
	b.t.Helper()
	b.act(chromedp.Click(chromedp.CSS(css)))
}

func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, expression)
	return got
}

// until waits until an expression holds.
func (b *tab) until(expression string) {
	b.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		got, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if err == nil && got {
			return
		}
		if time.Now().After(deadline) {
			text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.href + ' ' + document.body.innerText"))
			require.FailNow(b.t, "it never came", "%s (%v)\n%s", expression, err, text)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (b *tab) untilPhase(phase string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.getElementById('main')?.dataset.phase === %q", phase))
}

func (b *tab) text() string { b.t.Helper(); return eval[string](b, "document.body.innerText") }

// theme shows the page in a theme.
func (b *tab) theme(name string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

var axe = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(axeSource)
	if err != nil {
		return "", fmt.Errorf("axe-core is needed: make deps brings it: %w", err)
	}
	return string(source), nil
})

// accessible requires that the rules of accessibility find nothing, in both themes,
// and that the page was refused nothing and threw nothing. The page leads nobody away meanwhile.
func (b *tab) accessible() {
	b.t.Helper()
	source, err := axe()
	require.NoError(b.t, err)
	eval[bool](b, "(window.__held = []) && true")
	eval[bool](b, "typeof axe === 'object' || ((() => {"+source+"})(), true)")
	for _, theme := range []string{"light", "dark"} {
		b.theme(theme)
		found := eval[[]string](b, `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
			.then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html + " " + n.failureSummary)))`)
		require.Empty(b.t, found, theme)
	}
	b.faultless()
	eval[bool](b, "window.__held.splice(0).map((act) => act()), delete window.__held")
}

func (b *tab) faultless() {
	b.t.Helper()
	require.Empty(b.t, eval[[]string](b, "window.__faults"))
}

// stays marks the document, so that survived can tell that it was not loaded anew.
func (b *tab) stays() { b.t.Helper(); eval[bool](b, "window.__same = true") }

func (b *tab) survived() {
	b.t.Helper()
	require.True(b.t, eval[bool](b, "window.__same === true"), "the page was loaded anew")
}

// scriptless has the tab run no script of pages.
func (b *tab) scriptless() {
	b.t.Helper()
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}
