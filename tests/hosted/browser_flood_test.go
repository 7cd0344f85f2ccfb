//go:build browser

package hosted_test

import (
	"flag"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var flooded = flag.Duration("flood", 0, "how long a tab of the inspector gets 1,000 lines a second, and how long it stands still then is held against a second; 0 is 2 s, and it is not")

// standing notes for how long the script of a tab has stood still, at most, in milliseconds.
const standing = `(() => {
	window.__still = 0;
	let before = performance.now();
	setInterval(() => {
		const now = performance.now();
		window.__still = Math.max(window.__still, now - before - 20);
		before = now;
	}, 20);
	return true;
})()`

func TestATabFollowsAThousandLinesASecond(t *testing.T) {
	url, tenant := inspected(t)
	b := open(t, url+"/?kind=api")
	b.stays()
	require.True(t, eval[bool](b, standing))
	length := max(*flooded, 2*time.Second)
	asked, began := 0, time.Now()
	for ; asked < 600 || time.Since(began) < length; asked++ {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/v1/payments/order-%d", url, asked), nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+tenant.SecretKey)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		time.Sleep(time.Until(began.Add(time.Duration(asked+1) * time.Millisecond)))
	}
	rate := float64(asked) / time.Since(began).Seconds()
	b.shows(fmt.Sprintf("/v1/payments/order-%d", asked-1))
	require.Equal(t, 500, eval[int](b, `document.querySelectorAll(".lines li[data-seq]").length`))
	require.True(t, eval[bool](b, `[...document.querySelectorAll(".lines li[data-seq]")].every((e, i, all) => i === 0 || Number(e.dataset.seq) < Number(all[i - 1].dataset.seq))`), "in order")
	still := time.Duration(eval[float64](b, "window.__still") * float64(time.Millisecond))
	t.Logf("%.0f lines a second for %s; the tab stood still for %s at most", rate, length, still.Round(time.Millisecond))
	if *flooded > 0 {
		require.Less(t, still, time.Second)
	}
	b.survived()
	b.faultless()
}
