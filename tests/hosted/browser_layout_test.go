//go:build browser

package hosted_test

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
)

// brokenWords are the words and amounts of a page that stand on more than one line, and what is
// wider than the window. Addresses and references are no words. What a space that never breaks
// joins is one.
const brokenWords = `(() => {
	const found = [];
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const node = texts.currentNode;
		if (node.parentElement.closest(".address, .reference, noscript, .unseen")) continue;
		for (const word of node.data.matchAll(/[\p{L}\p{M}\p{N}₦]+(?:[.,:’'\u00a0\u202f][\p{L}\p{M}\p{N}₦]+)*/gu)) {
			const range = document.createRange();
			range.setStart(node, word.index);
			range.setEnd(node, word.index + word[0].length);
			const lines = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
			if (lines.size > 1) found.push(word[0]);
		}
	}
	for (const label of document.querySelectorAll(".steps li")) {
		const range = document.createRange();
		range.selectNodeContents(label);
		if (new Set([...range.getClientRects()].filter((r) => r.width > 1).map((r) => Math.round(r.top))).size > 1) found.push("step " + label.textContent);
	}
	const wide = document.documentElement.scrollWidth;
	if (wide > innerWidth) found.push(wide + " of " + innerWidth + " pixels");
	return found;
})()`

// allWidths are those of screens, from the smallest phone to a desktop.
var allWidths = []int64{320, 360, 390, 768, 1280}

// whole requires that no word is broken at any of the widths.
func (b *tab) whole(name string, widths ...int64) {
	b.t.Helper()
	for _, width := range widths {
		b.act(chromedp.EmulateViewport(width, 844))
		require.Empty(b.t, eval[[]string](b, brokenWords), "%s, %d pixels", name, width)
	}
}

func TestNoWordIsBrokenAtAnyWidth(t *testing.T) {
	t.Parallel()
	b := open(t, "about:blank")
	see := func(name, address string) {
		for _, lang := range pageLanguages(t) {
			b.act(chromedp.Navigate(address + "lang=" + lang))
			b.until("document.getElementById('main')")
			widths := allWidths
			if lang != "en" {
				widths = widths[:1] // where a word has least room
			}
			b.whole(name+", "+lang, widths...)
		}
	}
	for _, c := range shownStates {
		s := setup(t)
		state := c.bring(s)
		see(c.name, s.url+checkoutPath(state)+"?"+c.query+"&")
		if c.name == "paid by transfer" {
			see("receipt", s.url+checkoutPath(state)+"/receipt?")
		}
	}
	s := setup(t)
	p := order("large")
	p.Amount, p.Name = money.NGN(123_456_789_00), "Nwachukwu Oluwafunmilayo Abdulrahman-Ogunlade"
	p.Customizations = checkout.Customizations{Title: "Jollof for four", Description: "Delivered today"}
	see("a large amount", s.url+checkoutPath(s.create(p))+"?")
	ask := ticket("whole")
	ask.Fields = []string{"Phone", "T-shirt size"}
	s.newLink(ask)
	see("link", s.url+"/pay/whole?")
	see("nothing", s.url+"/pay/nothing?")
}

// TestNoAmountIsBrokenOnTheSmallestPhone looks at amounts in every language that there is.
func TestNoAmountIsBrokenOnTheSmallestPhone(t *testing.T) {
	t.Parallel()
	s := setup(t)
	due, paid := order("due"), order("paid")
	due.Amount, paid.Amount = money.NGN(123_456_789_12), money.NGN(123_456_789_12)
	s.create(due)
	s.create(paid)
	s.credit("paid", paid.Amount)
	link := ticket("large")
	link.Amount = due.Amount
	s.newLink(link)
	addresses := []string{
		checkoutPath(s.crypto("due")) + "?method=bank", checkoutPath(s.get("due")) + "?method=usdc",
		checkoutPath(s.get("paid")) + "?", checkoutPath(s.get("paid")) + "/receipt?", "/pay/large?",
	}
	b := open(t, "about:blank")
	b.act(chromedp.EmulateViewport(320, 640))
	for _, lang := range pageLanguages(t) {
		for _, address := range addresses {
			b.act(chromedp.Navigate(s.url + address + "&lang=" + lang))
			b.until("document.documentElement.lang === '" + lang + "' && document.getElementById('main')")
			require.Regexp(t, `123.?456.?789`, b.text(), address)
			require.Empty(t, eval[[]string](b, brokenWords), "%s, %s", lang, address)
		}
	}
}

// TestTheRuleOfWholeWordsBinds shows that whole can fail.
func TestTheRuleOfWholeWordsBinds(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(order("whole"))
	b := open(t, s.url+checkoutPath(s.crypto("whole"))+"?method=usdc")
	b.untilPhase("waiting")
	eval[bool](b, "(document.querySelector('.steps li').style.cssText = 'width: 1rem; min-width: 0; flex: none; white-space: normal; overflow-wrap: anywhere', true)")
	require.Contains(t, eval[[]string](b, brokenWords), "Waiting")
}

// TestAPageWeighsNoMoreThanTheREADMESays adds what a browser receives before the page
// stands: HTML, style and script as they are sent.
func TestAPageWeighsNoMoreThanTheREADMESays(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	said := regexp.MustCompile(`at most (\d+) kB`).FindSubmatch(readme)
	require.NotNil(t, said, "the README says it")
	most, err := strconv.Atoi(string(said[1]))
	require.NoError(t, err)
	s := setup(t)
	state := s.instructed("weight")
	s.deposit(state.Current.Deposit, money.USDC(4_000_000)) // the page that says most
	for _, method := range []string{"bank", "usdc"} {
		for _, lang := range pageLanguages(t) {
			b := open(t, s.url+checkoutPath(state)+"?lang="+lang+"&method="+method)
			b.until("document.readyState === 'complete'")
			parts := eval[map[string]int](b, `Object.fromEntries([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
				.filter((e) => ["navigation", "link", "script"].includes(e.initiatorType)).map((e) => [e.initiatorType, e.encodedBodySize]))`)
			require.Len(t, parts, 3, "%v", parts)
			sum := parts["navigation"] + parts["link"] + parts["script"]
			t.Logf("%s, %s: %d bytes %v", method, lang, sum, parts)
			require.LessOrEqual(t, sum, most*1000)
		}
	}
}
