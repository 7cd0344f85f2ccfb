package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/ferrypay/ferry/business"
)

// route is one row of the table of routes. The mux, the checks of credentials
// and the OpenAPI document are made from nothing else.
type route struct {
	method string
	// path is a pattern of the standard library's mux, as in /v1/wallets/{id}.
	path string
	about
	action
	// key is the type of key that the route asks for, and where it stands.
	key   business.KeyType
	place keyPlace
	// page is the other type of key that a route takes whose key is optional: that of pages.
	page business.KeyType
}

// keyPlace says where a route looks for its key.
type keyPlace uint8

const (
	// inHeader: in the Authorization header, and it must be there.
	inHeader keyPlace = iota
	// inBody: public_key, a member of the body.
	inBody
	// optional: in the header if at all; anybody may call.
	optional
	// bySession: the token of a visitor's session in the Authorization header.
	bySession
)

// keyed returns the route with its key in another place.
func (r route) keyed(place keyPlace) route {
	if place == inBody {
		return r.keyedBy(business.PublicKey)
	}
	r.place = place
	return r
}

// keyedBy returns the route with a key of a type in its body.
func (r route) keyedBy(key business.KeyType) route {
	r.place, r.key = inBody, key
	return r
}

// optionally returns the route for anybody, who may send a secret key, or the key that pages
// have.
func (r route) optionally(page business.KeyType) route {
	r.place, r.page = optional, page
	return r
}

// about is what a route says of itself.
type about struct {
	// id names the operation in the OpenAPI document.
	id string
	// aliasOf is the route that does the same at its first path, as in GET /v1/wallets.
	aliasOf string
	// scope is what a route that writes asks of a secret key (docs/api.md, "Scopes of
	// secret keys"). One that reads asks for business.Read.
	scope business.KeyScope
	// tag groups it there, by the heading of docs/api.md that specifies it.
	tag     string
	summary string
	// message is the envelope's message on success.
	message string
	// sandbox marks a test helper: for test keys of a sandbox server. For all other
	// callers it is 404.
	sandbox bool
	// secret marks an answer with a secret or identity data in it. It is never
	// stored; a replay answers the resource without it.
	secret bool
	// limit names a further rate limit, besides the one of the key.
	limit bucket
	// forms lets the body be an HTML form as well.
	forms bool
	// prose names the members in which tab and newline are allowed.
	prose []string
	// maxBody is the greatest length of its bodies, where that is more than Config.MaxBody.
	maxBody int64
}

// action is what a route does, and between which types.
type action struct {
	in, out reflect.Type // for the OpenAPI document
	run     func(context.Context, *call) (response, error)
}

// name is the operation of idempotency keys: method and route.
func (r route) name() string { return r.method + " " + r.path }

// scopes are what the route asks of a secret key: every one, where none is named.
func (r route) scopes() []business.KeyScope {
	switch {
	case r.scope != "":
		return []business.KeyScope{r.scope}
	case !r.writes():
		return []business.KeyScope{business.Read}
	}
	return business.AllKeyScopes()
}

// alias is the route at another path, with an id and a tag of its own.
func (r route) alias(id, tag, path string) route {
	r.id, r.tag, r.summary, r.aliasOf, r.path = id, tag, "As "+r.name(), r.name(), path
	return r
}

// writes reports whether the route takes an Idempotency-Key.
func (r route) writes() bool { return r.method != http.MethodGet }

func get(path string, o action, a about) route {
	return newRoute(http.MethodGet, path, o, a)
}

func post(path string, o action, a about) route {
	return newRoute(http.MethodPost, path, o, a)
}

func patch(path string, o action, a about) route {
	return newRoute(http.MethodPatch, path, o, a)
}

func del(path string, o action, a about) route {
	return newRoute(http.MethodDelete, path, o, a)
}

func newRoute(method, path string, o action, a about) route {
	return route{method: method, path: path, about: a, action: o, key: business.SecretKey, place: inHeader}
}
