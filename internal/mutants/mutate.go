package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mutant is one small change.
type mutant struct {
	Number         int
	File, Func     string
	Line           int
	Before, Change string // the text that is changed, and how
	body           string // of the function
}

// function tells functions apart. Methods of one name in a file are taken for one.
func (m mutant) function() string { return m.File + " " + m.Func }

// name tells a mutant from others, whatever line it stands in.
func (m mutant) name() string {
	return fmt.Sprintf("%s %s: %s: %s", m.File, m.Func, m.Change, m.Before)
}

// insertion is a text that stands before what is at an offset, or instead of some of it.
type insertion struct {
	at, skip int
	text     string
	order    int // among those at one offset
}

// mutator finds the mutants of a file, and writes the file that has all of them. It only inserts: where a
// mutant needs another text than the original one, it has that text without the other mutants.
type mutator struct {
	*source
	first   int // the number of the next mutant
	found   []mutant
	inserts []insertion
	inside  *ast.FuncDecl
}

// all finds the mutants of a file, from a number on.
func (m *mutator) all() {
	for _, d := range m.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		m.inside = f
		ast.Inspect(f.Body, m.visit)
	}
}

// visit looks for the mutants of one node.
func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		m.statements(n.List)
	case *ast.CaseClause:
		m.cases(n)
		m.statements(n.Body)
	case *ast.CommClause:
		m.statements(n.Body)
	case *ast.IfStmt:
		m.condition(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List { //nolint:forcetypeassert // a switch has nothing else
					m.condition(e)
				}
			}
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			m.condition(e)
		}
	case *ast.BinaryExpr:
		m.binary(n)
	case *ast.CallExpr:
		m.method(n)
	}
	return true
}

// original is the text of a node without mutants.
func (m *mutator) original(n ast.Node) string {
	return string(m.text[m.offset(n.Pos()):m.offset(n.End())])
}

func (m *mutator) offset(p token.Pos) int { return m.set.Position(p).Offset }

// add notes a mutant, and returns its number.
func (m *mutator) add(n ast.Node, change string) int {
	before := strings.Join(strings.Fields(m.original(n)), " ")
	m.found = append(m.found, mutant{
		Number: m.first, File: m.path, Func: m.inside.Name.Name, body: m.original(m.inside), Line: m.set.Position(n.Pos()).Line, Before: before, Change: change,
	})
	m.first++
	return m.first - 1
}

// around puts texts around a node: inside those that stand around it already.
func (m *mutator) around(n ast.Node, before, after string) {
	m.inserts = append(m.inserts,
		insertion{at: m.offset(n.Pos()), text: before, order: len(m.inserts) + 1},
		insertion{at: m.offset(n.End()), text: after, order: -len(m.inserts) - 1})
}

// instead puts a text in the place of one of a length.
func (m *mutator) instead(at token.Pos, length int, text string) {
	m.inserts = append(m.inserts, insertion{at: m.offset(at), skip: length, text: text})
}

// rewritten is the file with all its mutants.
func (m *mutator) rewritten() []byte {
	slices.SortStableFunc(m.inserts, func(a, b insertion) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	var out strings.Builder
	at := 0
	for _, i := range m.inserts {
		out.Write(m.text[at:i.at])
		out.WriteString(i.text)
		at = i.at + i.skip
	}
	out.Write(m.text[at:])
	name := m.file.Name
	head, rest := out.String()[:m.offset(name.End())], out.String()[m.offset(name.End()):]
	return []byte(head + "; import mutant \"" + runtimePath + "\"" + rest + "\nvar _ = mutant.Mutant\n")
}

// runtimePath is that of the package that says which mutant is there.
const runtimePath = "github.com/ferrypay/ferry/internal/mutants/on"

// isBool reports whether an expression is a bool that no name was given to, and no constant.
func (m *mutator) isBool(e ast.Expr) bool {
	t := m.info.Types[e]
	basic, ok := t.Type.(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0 && t.Value == nil
}

// isFailure reports whether an expression asks only whether something failed. What comes of failures of
// the store is held by tests of package storefault, as a unit in which one happened never commits.
func (m *mutator) isFailure(e ast.Expr) bool {
	c, ok := e.(*ast.BinaryExpr)
	if !ok || c.Op != token.EQL && c.Op != token.NEQ {
		return false
	}
	named, ok := m.info.Types[c.X].Type.(*types.Named)
	return ok && named.Obj().Name() == "error" && named.Obj().Pkg() == nil
}

// noMutant is the number of a mutant that is not there.
const noMutant = -2

func (m *mutator) isInteger(e ast.Expr) bool {
	basic, ok := m.info.Types[e].Type.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

// condition turns a condition round, unless something within it does.
func (m *mutator) condition(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		m.condition(e.X)
		return
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return // has mutants of its own
		}
	case *ast.Ident:
		if value := m.info.Types[e].Value; value != nil && (e.Name == "true" || e.Name == "false") {
			n := m.add(e, "opposite")
			m.around(e, "(", fmt.Sprintf(" != mutant.Mutant(%d))", n))
			return
		}
	}
	if m.isBool(e) {
		m.around(e, "((", fmt.Sprintf(") != mutant.Mutant(%d))", m.add(e, "opposite")))
	}
}

// binary finds the mutants of an operation.
func (m *mutator) binary(e *ast.BinaryExpr) {
	t := m.info.Types[e]
	if t.Value != nil {
		return
	}
	switch e.Op {
	case token.LAND, token.LOR:
		if m.isBool(e) {
			name := map[token.Token]string{token.LAND: "And", token.LOR: "Or"}[e.Op]
			left, right := noMutant, noMutant
			if !m.isFailure(e.X) {
				left = m.add(e, "without the left side")
			}
			if !m.isFailure(e.Y) {
				right = m.add(e, "without the right side")
			}
			m.around(e, fmt.Sprintf("mutant.%s(%d, %d, ", name, left, right), ") })")
			m.instead(e.OpPos, len(e.Op.String()), ", func() bool { return (")
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		m.compared(e)
	case token.ADD, token.SUB:
		if m.isInteger(e) {
			name := map[token.Token]string{token.ADD: "Plus", token.SUB: "Minus"}[e.Op]
			m.call(e, fmt.Sprintf("mutant.%s(%d, ", name, m.add(e, "the other sign")))
		}
	}
}

// compared finds the mutants of a comparison.
func (m *mutator) compared(e *ast.BinaryExpr) {
	for _, side := range []ast.Expr{e.X, e.Y} {
		if _, generic := m.info.Types[side].Type.(*types.TypeParam); generic {
			return
		}
	}
	name := map[token.Token]string{token.LSS: "Less", token.LEQ: "AtMost", token.GTR: "More", token.GEQ: "AtLeast"}[e.Op]
	n := m.add(e, "equal ones")
	m.add(e, "opposite")
	m.call(e, fmt.Sprintf("mutant.%s(%d, ", name, n))
}

// call makes an operation a call of a function.
func (m *mutator) call(e *ast.BinaryExpr, begin string) {
	m.around(e, begin, ")")
	m.instead(e.OpPos, len(e.Op.String()), ",")
}

// methods are those that have another one of the same type.
var methods = map[string]string{"Add": "Sub", "Sub": "Add", "Before": "After", "After": "Before"}

// method exchanges a method for its counterpart, when the receiver has one.
func (m *mutator) method(call *ast.CallExpr) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !pure(s.X) {
		return
	}
	other := methods[s.Sel.Name]
	receiver := m.info.Types[s.X]
	if other == "" || !receiver.IsValue() {
		return
	}
	has, _, _ := types.LookupFieldOrMethod(receiver.Type, true, nil, other)
	method, ok := has.(*types.Func)
	if !ok || !types.Identical(method.Signature().Params(), m.info.Types[s].Type.(*types.Signature).Params()) ||
		!types.Identical(method.Signature().Results(), m.info.Types[s].Type.(*types.Signature).Results()) {
		return
	}
	n := m.add(call, other+" for "+s.Sel.Name)
	m.around(s, fmt.Sprintf("mutant.Pick(%d, ", n), fmt.Sprintf(", %s.%s)", m.original(s.X), other))
}

// pure reports whether an expression may be evaluated twice.
func pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return pure(e.X)
	}
	return false
}

// cases takes the values of a case away, one by one.
func (m *mutator) cases(c *ast.CaseClause) {
	for _, e := range c.List {
		t := m.info.Types[e]
		if named, ok := t.Type.(*types.Named); ok && t.Value != nil {
			if basic, ok := named.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
				m.around(e, fmt.Sprintf("mutant.Case(%d, ", m.add(e, "no such case")), ")")
			}
		}
	}
}
