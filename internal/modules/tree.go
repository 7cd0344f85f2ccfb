package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// tree is a checkout with a go.work.
type tree struct {
	dir     string
	modules []module // the one at the top first
}

// module is one that go.work lists.
type module struct {
	dir      string // slashed and relative to the tree, "." at the top
	path     string
	siblings map[string]string // the modules of the tree that it requires, and their versions
}

// unpublished are the directories of modules that nobody outside the tree imports.
var unpublished = []string{"tests"}

func (m module) published() bool { return !slices.Contains(unpublished, m.dir) }

// tagOf is the name of a version of the module in the repository.
func (m module) tagOf(version string) string {
	if m.dir == "." {
		return version
	}
	return m.dir + "/" + version
}

func readTree(ctx context.Context, dir string) (*tree, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	t := &tree{dir: dir}
	var work struct{ Use []struct{ DiskPath string } }
	if err := t.read(ctx, &work, "work", "edit", "-json"); err != nil {
		return nil, err
	}
	required := map[string]map[string]string{}
	for _, use := range work.Use {
		var file struct {
			Module  struct{ Path string }
			Require []struct{ Path, Version string }
		}
		at := path.Clean(filepath.ToSlash(use.DiskPath))
		if err := t.read(ctx, &file, "mod", "edit", "-json", path.Join(at, "go.mod")); err != nil {
			return nil, err
		}
		t.modules = append(t.modules, module{dir: at, path: file.Module.Path, siblings: map[string]string{}})
		required[at] = map[string]string{}
		for _, r := range file.Require {
			required[at][r.Path] = r.Version
		}
	}
	for _, m := range t.modules {
		for _, other := range t.modules {
			if version, ok := required[m.dir][other.path]; ok {
				m.siblings[other.path] = version
			}
		}
	}
	slices.SortFunc(t.modules, func(a, b module) int { return strings.Compare(a.dir, b.dir) })
	return t, nil
}

// read decodes what a go command prints.
func (t *tree) read(ctx context.Context, into any, args ...string) error {
	out, err := t.command(ctx, "go", args...).Output()
	if err != nil {
		return fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return json.Unmarshal(out, into)
}

// command is one that runs at the top of the tree.
func (t *tree) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = t.dir, os.Stderr
	return cmd
}
