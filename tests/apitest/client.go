package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/wire"
)

// Client speaks to a server with one key. Every answer is checked against the
// OpenAPI document; so is every request that the server takes.
type Client struct {
	t      testing.TB
	url    string
	key    string
	http   *http.Client
	router routers.Router
	bodies *bodies
	header http.Header
}

// As returns a client with another key; empty sends none.
func (c *Client) As(key string) *Client {
	other := *c
	other.key = key
	return &other
}

// For returns the client for a subtest.
func (c *Client) For(t testing.TB) *Client {
	other := *c
	other.t = t
	return &other
}

// With returns a client that sends a further header.
func (c *Client) With(name, value string) *Client {
	other := *c
	other.header = c.header.Clone()
	if other.header == nil {
		other.header = http.Header{}
	}
	other.header.Set(name, value)
	return &other
}

// Object is a JSON object of a request.
type Object = map[string]any

// Get sends a GET.
func (c *Client) Get(path string) Answer { c.t.Helper(); return c.Do(http.MethodGet, path, nil) }

// Post sends a POST. The body is an Object, or bytes as they are.
func (c *Client) Post(path string, body any) Answer {
	c.t.Helper()
	return c.Do(http.MethodPost, path, body)
}

// Patch sends a PATCH.
func (c *Client) Patch(path string, body any) Answer {
	c.t.Helper()
	return c.Do(http.MethodPatch, path, body)
}

// Do sends a request and checks the answer's form.
func (c *Client) Do(method, path string, body any) Answer {
	c.t.Helper()
	sent := bodyOf(c.t, body)
	request := c.request(method, path, sent)
	response, err := c.http.Do(request)
	require.NoError(c.t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(c.t, err)
	answer := Answer{t: c.t, Status: response.StatusCode, Header: response.Header, Raw: raw}
	if len(raw) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		require.NoError(c.t, d.Decode(&answer.Body), "%s", raw)
	}
	c.validate(c.request(method, path, sent), sent, answer)
	return answer
}

func (c *Client) request(method, path string, body []byte) *http.Request {
	request, err := http.NewRequestWithContext(context.Background(), method, c.url+path, bytes.NewReader(body))
	require.NoError(c.t, err)
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range c.header {
		request.Header[name] = values
	}
	return request
}

func bodyOf(t testing.TB, body any) []byte {
	switch b := body.(type) {
	case nil:
		return nil
	case []byte:
		return b
	case string:
		return []byte(b)
	}
	raw, err := json.Marshal(body)
	require.NoError(t, err)
	return raw
}

// validate holds the exchange against the document, where it has the route.
func (c *Client) validate(request *http.Request, sent []byte, answer Answer) {
	c.t.Helper()
	plain := request.Clone(request.Context())
	plain.URL.Scheme, plain.URL.Host, plain.Host = "", "", ""
	route, path, err := c.router.FindRoute(plain)
	if err != nil || request.Method == http.MethodHead {
		return // no route of the document: the test says what is right
	}
	if answer.Status == http.StatusOK {
		c.validateRequest(route, path, request, sent)
	}
	c.validateAnswer(route, path, request, answer)
}

// input is an exchange as kin-openapi takes it. withoutBodies leaves JSON bodies to
// bodySchemas.
func input(route *routers.Route, path map[string]string, request *http.Request, withoutBodies bool) *openapi3filter.RequestValidationInput {
	return &openapi3filter.RequestValidationInput{
		Request: request, PathParams: path, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
			IncludeResponseStatus: true,
			SkipSettingDefaults:   true,
			ExcludeRequestBody:    withoutBodies,
			ExcludeResponseBody:   withoutBodies,
		},
	}
}

func (c *Client) validateRequest(route *routers.Route, path map[string]string, request *http.Request, sent []byte) {
	c.t.Helper()
	const tooKind = "the server took what the document refuses"
	takes := route.Operation.RequestBody
	isJSON := len(sent) > 0 && takes != nil && takes.Value.Content[jsonType] != nil && isOfJSON(request.Header)
	require.NoError(c.t, openapi3filter.ValidateRequest(request.Context(), input(route, path, request, isJSON)), tooKind)
	if isJSON {
		body, err := jsonschema.UnmarshalJSON(bytes.NewReader(sent))
		require.NoError(c.t, err, tooKind)
		require.NoError(c.t, c.bodies.check(placeOf(route)+"/requestBody", body), tooKind)
	}
}

func (c *Client) validateAnswer(route *routers.Route, path map[string]string, request *http.Request, answer Answer) {
	c.t.Helper()
	response := route.Operation.Responses.Status(answer.Status)
	isJSON := response != nil && response.Value.Content[jsonType] != nil && isOfJSON(answer.Header)
	in := input(route, path, request, isJSON)
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: answer.Status, Header: answer.Header, Options: in.Options,
	}
	out.SetBodyBytes(answer.Raw)
	require.NoError(c.t, openapi3filter.ValidateResponse(request.Context(), out), "%s", answer.Raw)
	if isJSON {
		require.NoError(c.t, c.bodies.check(placeOfResponse(route, answer.Status, response), answer.Body), "%s", answer.Raw)
	}
}

func isOfJSON(header http.Header) bool {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	return err == nil && kind == jsonType
}

// Answer is what a server answered.
type Answer struct {
	t      testing.TB
	Status int
	Header http.Header
	Raw    []byte
	Body   any
}

// OK requires a success and returns it.
func (a Answer) OK() Answer {
	a.t.Helper()
	require.Equal(a.t, http.StatusOK, a.Status, "%s", a.Raw)
	require.Equal(a.t, true, a.At("success"))
	return a
}

// Fails requires an error of a status and code and returns it.
func (a Answer) Fails(status int, code string) Answer {
	a.t.Helper()
	require.Equal(a.t, status, a.Status, "%s", a.Raw)
	require.Equal(a.t, code, a.At("error.code"), "%s", a.Raw)
	return a
}

// Refuses requires a validation error that names exactly the given fields with
// their messages, in pairs.
func (a Answer) Refuses(pairs ...string) Answer {
	a.t.Helper()
	a.Fails(http.StatusBadRequest, "validation_error")
	want := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		known, _ := want[pairs[i]].([]any)
		want[pairs[i]] = append(known, pairs[i+1])
	}
	require.Equal(a.t, want, a.At("errors"))
	return a
}

// At returns a member by its path, as in data.addresses.0.label; nil when there
// is none. Numbers are json.Number.
func (a Answer) At(path string) any { return wire.Member(a.Body, path) }

// Has reports whether a member is there, null or not.
func (a Answer) Has(path string) bool {
	parent, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent, name = path[:i], path[i+1:]
	}
	var at any = a.Body
	if parent != "" {
		at = a.At(parent)
	}
	object, _ := at.(map[string]any)
	_, there := object[name]
	return there
}

// Text returns a member that must be a string.
func (a Answer) Text(path string) string {
	a.t.Helper()
	text, ok := a.At(path).(string)
	require.True(a.t, ok, "%s is no string in %s", path, a.Raw)
	return text
}

// Number returns a member that must be a number, as it was written.
func (a Answer) Number(path string) string {
	a.t.Helper()
	n, ok := a.At(path).(json.Number)
	require.True(a.t, ok, "%s is no number in %s", path, a.Raw)
	return n.String()
}

// Len returns the length of a member that must be an array.
func (a Answer) Len(path string) int {
	a.t.Helper()
	list, ok := a.At(path).([]any)
	require.True(a.t, ok, "%s is no array in %s", path, a.Raw)
	return len(list)
}
