package inspect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// api asks the API in this process.
type api struct {
	handler http.Handler
	// key is that of the business, or empty where the context of httpapi.Reading is enough.
	key string
}

// answer is what the API answered.
type answer struct {
	Status int
	Body   []byte
	// Data is the member data of the body, and Beside the whole body.
	Data   any
	Beside map[string]any
}

// ok reports whether it is a success.
func (a answer) ok() bool { return a.Status >= 200 && a.Status < 300 }

// problem says in words why it is no success.
func (a answer) problem() string {
	message, _ := a.Beside["message"].(string)
	if details, ok := dig(a.Beside, "error", "details").([]any); ok {
		for _, d := range details {
			message += fmt.Sprintf(" · %v: %v", dig(d, "field"), dig(d, "message"))
		}
	}
	return fmt.Sprintf("%d %s", a.Status, message)
}

// object is the data of a success as an object, or nil.
func (a answer) object() map[string]any {
	o, _ := a.Data.(map[string]any)
	return o
}

// rows are the data of a success as objects.
func (a answer) rows() (rows []map[string]any) {
	list, _ := a.Data.([]any)
	for _, element := range list {
		if row, ok := element.(map[string]any); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// get asks for a path with its query.
func (a api) get(ctx context.Context, path string) answer {
	return a.do(ctx, Step{Method: http.MethodGet, Path: path})
}

// do makes a call.
func (a api) do(ctx context.Context, s Step) answer {
	r, err := http.NewRequestWithContext(ctx, s.Method, "http://ferry.invalid"+s.Path, strings.NewReader(s.Body))
	if err != nil {
		return answer{Status: http.StatusBadRequest, Beside: map[string]any{"message": "not a request: " + err.Error()}}
	}
	r.RemoteAddr, r.RequestURI = "127.0.0.1:0", s.Path
	if a.key != "" {
		r.Header.Set("Authorization", "Bearer "+a.key)
	}
	if s.Body != "" {
		r.Header.Set("Content-Type", "application/json")
	} else {
		r.Body = http.NoBody
	}
	w := &memory{header: http.Header{}}
	a.handler.ServeHTTP(w, r)
	got := answer{Status: w.status, Body: w.body.Bytes()}
	decoder := json.NewDecoder(bytes.NewReader(got.Body))
	decoder.UseNumber()
	if decoder.Decode(&got.Beside) != nil {
		got.Beside = map[string]any{"message": http.StatusText(got.Status)}
	}
	got.Data = got.Beside["data"]
	return got
}

// memory is an answer that is kept.
type memory struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (m *memory) Header() http.Header { return m.header }

func (m *memory) WriteHeader(status int) {
	if m.status == 0 {
		m.status = status
	}
}

func (m *memory) Write(p []byte) (int, error) {
	m.WriteHeader(http.StatusOK)
	return m.body.Write(p)
}

// dig follows members of objects, and returns nil where there is none.
func dig(v any, path ...string) any {
	for _, name := range path {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[name]
	}
	return v
}

// word is the text of a member, or nothing.
func word(v any, path ...string) string {
	switch at := dig(v, path...).(type) {
	case string:
		return at
	case json.Number:
		return at.String()
	case bool:
		return fmt.Sprint(at)
	}
	return ""
}
