package hosted

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// takesGzip reports whether an answer may be compressed, and notes that it depends on
// who asks.
func takesGzip(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Add("Vary", "Accept-Encoding")
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return strings.Trim(weight, " q=0.") != "" || weight == ""
		}
	}
	return false
}

// zippers are kept, for each is of a megabyte.
var zippers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestCompression) // the level is one
	return w
}}

func zip(body []byte) []byte {
	w := zippers.Get().(*gzip.Writer)
	defer zippers.Put(w)
	var zipped bytes.Buffer
	w.Reset(&zipped)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return zipped.Bytes()
}
