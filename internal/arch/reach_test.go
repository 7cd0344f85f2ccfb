package arch

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoKindOfRowsCanBeReachedFromTheEngine keeps builds short. A package that can reach a generic struct
// compiles all its methods anew, and records.Kind has a hundred.
func TestNoKindOfRowsCanBeReachedFromTheEngine(t *testing.T) {
	path := module + "/engine"
	engine, err := compiled(t, token.NewFileSet(), map[string]bool{path: true}).Import(path)
	require.NoError(t, err)
	r := reach{seen: map[string]bool{}}
	r.walk("engine.Engine", engine.Scope().Lookup("Engine").Type())
	require.Greater(t, len(r.seen), 500, "it goes on into the domains")
	require.Empty(t, r.kinds)
}

// reach are the types that can be reached from one, by the fields of structs and the signatures of methods.
type reach struct {
	seen  map[string]bool
	kinds []string // the ways to a records.Kind
}

func (r *reach) walk(way string, t types.Type) {
	name := types.TypeString(t, nil)
	if r.seen[name] {
		return
	}
	r.seen[name] = true
	switch t := t.(type) {
	case *types.Named:
		if o := t.Obj(); o.Name() == "Kind" && o.Pkg() != nil && o.Pkg().Path() == module+"/records" {
			r.kinds = append(r.kinds, way)
		}
		for method := range t.Methods() {
			r.walk(way+" > "+method.Name(), method.Type())
		}
		r.walk(way, t.Underlying())
	case *types.Struct:
		for field := range t.Fields() {
			r.walk(way+" > "+field.Name(), field.Type())
		}
	case *types.Interface:
		for method := range t.Methods() {
			r.walk(way+" > "+method.Name(), method.Type())
		}
	case *types.Signature:
		for variable := range t.Params().Variables() {
			r.walk(way, variable.Type())
		}
		for variable := range t.Results().Variables() {
			r.walk(way, variable.Type())
		}
	case *types.Map:
		r.walk(way, t.Key())
		r.walk(way, t.Elem())
	case interface{ Elem() types.Type }: // a pointer, a slice, an array or a channel
		r.walk(way, t.Elem())
	}
}
