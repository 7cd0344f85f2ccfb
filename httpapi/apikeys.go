package httpapi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/store"
)

const tagKeys = "API keys"

func (a *api) keyRoutes() []route {
	return []route{
		get("/v1/api-keys/config", query(a.keyConfig), about{
			id: "getKeyConfig", tag: tagKeys,
			summary: "Read the public key and how keys are rotated", message: "API key configuration retrieved successfully",
		}),
		get("/v1/api-keys", query(a.keys), about{
			id: "listKeys", tag: tagKeys,
			summary: "List keys by prefix and last four characters", message: "API keys retrieved successfully",
		}),
		post("/v1/api-keys", secretUnit(a.createKey, a.createdKey), about{
			id: "createKey", scope: business.Manage, tag: tagKeys, secret: true,
			summary: "Create a key; it is shown once", message: "API key created successfully",
		}),
		post("/v1/api-keys/rotate-secret", secretUnit(a.rotateKey, a.rotatedKey), about{
			id: "rotateKey", scope: business.Manage, tag: tagKeys, secret: true,
			summary: "Replace a key; the new one is shown once", message: "API key rotated successfully",
		}),
		post("/v1/api-keys/revoke", unit(a.revokeKey), about{
			id: "revokeKey", scope: business.Manage, tag: tagKeys,
			summary: "End a key at once", message: "API key revoked successfully",
		}),
	}
}

type keyConfigView struct {
	PublicKey      optionalText `json:"public_key" eg:"pk_test_9sYQnVqTtVb3m1e2Wk6c8xJ0hD4fL7uA5rG2oZ1pXwE"`
	Mode           ferry.Env    `json:"mode" enum:"test,live" eg:"test"`
	OverlapSeconds int          `json:"overlap_seconds" doc:"How long a rotated key works on by default" eg:"86400"`
	Scopes         []string     `json:"scopes" doc:"What the calling key may do" eg:"[\"read\",\"collect\",\"pay_out\",\"manage\"]"`
}

func (a *api) keyConfig(ctx context.Context, c *call, _ struct{}) (keyConfigView, error) {
	public, err := a.engine.Businesses.PublicKey(ctx, c.scope)
	if errors.Is(err, business.ErrKeyNotFound) {
		err = nil
	}
	return keyConfigView{
		optionalText(public.Text), c.scope.Env, int(business.DefaultOverlap.Seconds()), scopesOf(c.key),
	}, err
}

type keysQuery struct {
	rangeQuery
	pageQuery
}

func (a *api) keys(ctx context.Context, c *call, in keysQuery) (list[Key], error) {
	all, err := a.engine.Businesses.Keys(ctx, c.scope)
	all = slices.DeleteFunc(all, func(k business.Key) bool { return !in.between().Holds(k.CreatedAt) })
	return paged(in.page(), cut(all, in.page()), ViewKey), err
}

// cut returns one page of rows that are few enough to be read whole.
func cut[T any](all []T, page ferry.Page) ferry.List[T] {
	from := min(page.Offset(), len(all))
	to := min(from+page.WithDefaults().Limit, len(all))
	return ferry.List[T]{Data: all[from:to], Total: len(all)}
}

type createKeyInput struct {
	Type  string `json:"type" required:"true" enum:"secret,public,widget" eg:"secret"`
	Label string `json:"label" doc:"A name for people" max:"100" eg:"billing server"`
	// Scopes are nil when none are named.
	Scopes []business.KeyScope `json:"scopes" doc:"What a secret key may do: read, collect, pay_out, manage; by default all" eg:"[\"read\",\"collect\"]"`
}

func (a *api) createKey(ctx context.Context, tx store.Tx, c *call, in createKeyInput) (NewKey, error) {
	made, err := a.engine.Businesses.CreateKeyIn(ctx, tx, c.scope, business.CreateKeyParams{
		Type: business.KeyType(in.Type), Label: in.Label, Scopes: in.Scopes, By: &c.key,
	})
	c.resource = string(made.Key.ID)
	return ViewNewKey(made), err
}

func (a *api) createdKey(ctx context.Context, tx store.Tx, c *call) (NewKey, error) {
	k, err := business.KeyKind.Get(ctx, tx, c.scope, business.KeyID(c.resource))
	return ViewNewKey(business.Minted{Key: k}), err
}

type rotateKeyInput struct {
	ID             string `json:"id" doc:"By default the key of the call" eg:"key_019cadd45a807bcda2867a995904aa6e"`
	OverlapSeconds *int   `json:"overlap_seconds" doc:"How long the former key works on" min:"0" max:"604800" eg:"3600"`
}

func (a *api) rotateKey(ctx context.Context, tx store.Tx, c *call, in rotateKeyInput) (RotatedKey, error) {
	id := c.key.ID
	if in.ID != "" {
		var err error
		if id, err = keyID(in.ID); err != nil {
			return RotatedKey{}, err
		}
	}
	rotated, err := a.engine.Businesses.RotateKeyIn(ctx, tx, c.scope, business.RotateKeyParams{
		ID: id, Overlap: duration(in.OverlapSeconds), By: &c.key,
	})
	c.resource = string(rotated.Key.ID) + "/" + string(rotated.Previous.ID)
	return ViewRotatedKey(rotated), err
}

func (a *api) rotatedKey(ctx context.Context, tx store.Tx, c *call) (RotatedKey, error) {
	fresh, former, _ := strings.Cut(c.resource, "/")
	k, err := business.KeyKind.Get(ctx, tx, c.scope, business.KeyID(fresh))
	if err != nil {
		return RotatedKey{}, err
	}
	previous, err := business.KeyKind.Get(ctx, tx, c.scope, business.KeyID(former))
	return ViewRotatedKey(business.Rotated{Minted: business.Minted{Key: k}, Previous: previous}), err
}

type revokeKeyInput struct {
	ID string `json:"id" required:"true" eg:"key_019cadd45a807bcda2867a995904aa6e"`
}

func (a *api) revokeKey(ctx context.Context, tx store.Tx, c *call, in revokeKeyInput) (Key, error) {
	id, err := keyID(in.ID)
	if err != nil {
		return Key{}, err
	}
	ended, err := a.engine.Businesses.RevokeKeyIn(ctx, tx, c.scope, id)
	return ViewKey(ended), err
}

func keyID(given string) (business.KeyID, error) {
	id, ok := ferry.CanonicalID("key_", given)
	if !ok {
		return "", business.ErrKeyNotFound
	}
	return business.KeyID(id), nil
}

// duration is a number of seconds, or nil for the default. One that is out of
// any range becomes one that is out of range.
func duration(seconds *int) *time.Duration {
	if seconds == nil {
		return nil
	}
	const most = int(365 * 24 * time.Hour / time.Second)
	d := time.Duration(max(-1, min(*seconds, most))) * time.Second
	return &d
}

// Key is an API key as answers show it (docs/api.md, "API keys").
type Key struct {
	ID         business.KeyID   `json:"id" eg:"key_019cadd45a807bcda2867a995904aa6e"`
	Type       business.KeyType `json:"type" enum:"secret,public,widget" eg:"secret"`
	Label      string           `json:"label" eg:"billing server"`
	Scopes     []string         `json:"scopes" doc:"What a secret key may do; of other types none" eg:"[\"read\",\"collect\"]"`
	Prefix     string           `json:"prefix" eg:"sk_test_"`
	LastFour   string           `json:"last_four" eg:"Xw_E"`
	ValidUntil optionalTime     `json:"valid_until" doc:"The end of a key that was rotated" eg:"null"`
	RevokedAt  optionalTime     `json:"revoked_at" eg:"null"`
	CreatedAt  timestamp        `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
}

// NewKey is a Key as its making answers it.
type NewKey struct {
	ID        business.KeyID   `json:"id" eg:"key_019cadd45a807bcda2867a995904aa6e"`
	Type      business.KeyType `json:"type" enum:"secret,public,widget" eg:"secret"`
	Label     string           `json:"label" eg:"billing server"`
	Scopes    []string         `json:"scopes" doc:"What a secret key may do; of other types none" eg:"[\"read\",\"collect\"]"`
	Key       string           `json:"key,omitempty" doc:"Shown in this one answer and never again" eg:"sk_test_9sYQnVqTtVb3m1e2Wk6c8xJ0hD4fL7uA5rG2oZ1pXwE"`
	CreatedAt timestamp        `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
}

// RotatedKey is a Key as its rotation answers it.
type RotatedKey struct {
	ID                 business.KeyID `json:"id" eg:"key_019cadd45a807bcda2867a995904aa6e"`
	Key                string         `json:"key,omitempty" doc:"Shown in this one answer and never again" eg:"sk_test_9sYQnVqTtVb3m1e2Wk6c8xJ0hD4fL7uA5rG2oZ1pXwE"`
	PreviousID         business.KeyID `json:"previous_id" eg:"key_019cadd4569875d7a1b61a53693e7f0f"`
	PreviousValidUntil timestamp      `json:"previous_valid_until" eg:"2026-03-03T09:15:00.120Z"`
}

// ViewKey shows a key.
func ViewKey(k business.Key) Key {
	return Key{
		ID: k.ID, Type: k.Type, Label: k.Label, Scopes: scopesOf(k), Prefix: k.Prefix, LastFour: k.LastFour,
		ValidUntil: optionalTime(k.ValidUntil), RevokedAt: optionalTime(k.RevokedAt), CreatedAt: timestamp(k.CreatedAt),
	}
}

// ViewNewKey shows a key with its text, unless that is empty.
func ViewNewKey(m business.Minted) NewKey {
	return NewKey{m.Key.ID, m.Key.Type, m.Key.Label, scopesOf(m.Key), m.Secret, timestamp(m.Key.CreatedAt)}
}

// ViewRotatedKey shows a key with its text, unless that is empty, and the former key.
func ViewRotatedKey(r business.Rotated) RotatedKey {
	return RotatedKey{r.Key.ID, r.Secret, r.Previous.ID, timestamp(r.Previous.ValidUntil)}
}

// scopesOf are the scopes of a key as an answer shows them.
func scopesOf(k business.Key) []string {
	names := []string{}
	for _, s := range k.Granted() {
		names = append(names, string(s))
	}
	return names
}
