package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// statements leaves statements out, and exchanges those that stand beside each other.
func (m *mutator) statements(list []ast.Stmt) {
	for n := 0; n < len(list); {
		if !m.movable(list[n]) {
			n++
			continue
		}
		end := n + 1
		for end < len(list) && m.movable(list[end]) {
			end++
		}
		m.order(list[n:end])
		for _, s := range list[n:end] {
			m.leftOut(s)
		}
		n = end
	}
}

// movable reports whether a statement can be left out, and the file still compiles: it declares nothing,
// and the function does not end with it. Nobody is promised a line of the log, or a trip that reading ahead saves.
func (m *mutator) movable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return !m.unpromised(s.X)
	case *ast.IncDecStmt, *ast.SendStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE && !blank(s.Lhs)
	case *ast.IfStmt: // if err := f(); err != nil
		return s.Else == nil && s.Init != nil && !breaks(s)
	}
	return false
}

// unpromised reports whether an expression writes to a log or reads ahead.
func (m *mutator) unpromised(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	receiver := m.info.Types[s.X].Type
	return receiver != nil && receiver.String() == "*log/slog.Logger" || strings.HasPrefix(strings.ToLower(s.Sel.Name), "prefetch")
}

// apart reports whether it does not matter which of two statements comes first: each sets one thing, from
// what the other one does not set, and calls nothing.
func (m *mutator) apart(a, b ast.Stmt) bool {
	to, from, simple := m.sets(a)
	other, of, both := m.sets(b)
	return simple && both && !overlap(to, other) && !strings.Contains(from, other) && !strings.Contains(of, to)
}

// sets returns what a simple assignment sets, and from what.
func (m *mutator) sets(s ast.Stmt) (to, from string, simple bool) {
	set, ok := s.(*ast.AssignStmt)
	if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || !pure(set.Lhs[0]) {
		return "", "", false
	}
	simple = true
	ast.Inspect(set.Rhs[0], func(n ast.Node) bool {
		if _, calls := n.(*ast.CallExpr); calls {
			simple = false
		}
		return simple
	})
	return m.original(set.Lhs[0]), m.original(set.Rhs[0]), simple
}

// overlap reports whether one of two names is of the other, as o.To is of o.
func overlap(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// blank reports whether nothing is assigned to.
func blank(to []ast.Expr) bool {
	for _, e := range to {
		if name, ok := e.(*ast.Ident); !ok || name.Name != "_" {
			return false
		}
	}
	return true
}

// breaks reports whether a statement has a break, a continue or a label, which say nothing elsewhere.
func breaks(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.BranchStmt, *ast.LabeledStmt:
			found = true
		}
		return true
	})
	return found
}

func (m *mutator) leftOut(s ast.Stmt) {
	if call, ok := s.(*ast.ExprStmt); ok && strings.HasPrefix(m.original(call), "panic(") {
		return // the function may end with it
	}
	m.around(s, fmt.Sprintf("if !mutant.Mutant(%d) { ", m.add(s, "left out")), " }")
	if other := m.otherSign(s); other != "" {
		m.around(s, fmt.Sprintf("if mutant.Mutant(%d) { %s } else { ", m.add(s, "the other sign"), other), " }")
	}
}

// signs are the operators that have one with the other sign.
var signs = map[token.Token]string{token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.INC: "--", token.DEC: "++"}

// otherSign is a statement that adds, made one that subtracts, or the other way round.
func (m *mutator) otherSign(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		return m.original(s.X) + signs[s.Tok]
	case *ast.AssignStmt:
		if sign := signs[s.Tok]; sign != "" && m.isInteger(s.Lhs[0]) {
			return m.original(s.Lhs[0]) + sign + m.original(s.Rhs[0])
		}
	}
	return ""
}

// order exchanges neighbours of a run of statements.
func (m *mutator) order(run []ast.Stmt) {
	if len(run) < 2 { //nolint:mnd // a pair
		return
	}
	var before strings.Builder
	for n := range len(run) - 1 {
		if m.apart(run[n], run[n+1]) || strings.HasPrefix(m.original(run[n]), "panic(") || strings.HasPrefix(m.original(run[n+1]), "panic(") {
			continue
		}
		number := m.add(run[n], "after the next one")
		fmt.Fprintf(&before, "if mutant.Mutant(%d) { ", number)
		for at := range run {
			switch at {
			case n:
				before.WriteString(m.original(run[n+1]))
			case n + 1:
				before.WriteString(m.original(run[n]))
			default:
				before.WriteString(m.original(run[at]))
			}
			before.WriteString("\n")
		}
		before.WriteString("} else ")
	}
	if before.Len() == 0 {
		return
	}
	m.inserts = append(m.inserts,
		insertion{at: m.offset(run[0].Pos()), text: before.String() + "{ ", order: len(m.inserts) + 1},
		insertion{at: m.offset(run[len(run)-1].End()), text: " }", order: -len(m.inserts) - 1})
}
