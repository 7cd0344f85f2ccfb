package ferry

// Env names one of the two environments of an engine. Nothing crosses between
// them: not keys, not customers, not money.
type Env string

const (
	// Test is the sandbox environment.
	Test Env = "test"
	// Live is the production environment.
	Live Env = "live"
)

// Envs are the environments.
func Envs() []Env { return []Env{Live, Test} }

// BusinessID names a tenant, in the form biz_ and 32 hexadecimal digits.
type BusinessID string

// Scope is the owner of a record: one business in one environment. It is the
// first argument of every call and the first key of every query, so that no
// call can reach another tenant or the other environment by mistake.
type Scope struct {
	Business BusinessID
	Env      Env
}

// String returns the scope in the form env/business, for logs and lock keys.
func (s Scope) String() string { return string(s.Env) + "/" + string(s.Business) }
