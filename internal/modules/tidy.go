package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tidy writes the go.mod and go.sum of every module as `go mod tidy` does, with the
// siblings as they are in the tree. The command alone looks for published ones.
func (t *tree) tidy(ctx context.Context, check bool) error {
	var untidy []string
	for _, m := range t.modules {
		stale, err := t.tidyOne(ctx, m, check)
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		untidy = append(untidy, stale...)
	}
	if check && len(untidy) > 0 {
		return fmt.Errorf("not tidy, run make tidy: %s", strings.Join(untidy, ", "))
	}
	return nil
}

// tidyOne works on copies of the files of a module. It returns those that it changed,
// or would have changed.
func (t *tree) tidyOne(ctx context.Context, m module, check bool) (stale []string, err error) {
	temp, err := os.MkdirTemp("", "tidy-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	top := filepath.Join(t.dir, filepath.FromSlash(m.dir))
	before := map[string][]byte{}
	for _, name := range []string{"go.mod", "go.sum"} {
		before[name], err = os.ReadFile(filepath.Join(top, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(temp, name), before[name], 0o600); err != nil {
			return nil, err
		}
	}
	if err := t.tidyCopy(ctx, m, top, filepath.Join(temp, "go.mod")); err != nil {
		return nil, err
	}
	for name, was := range before {
		is, err := os.ReadFile(filepath.Join(temp, name))
		if err != nil {
			return nil, err
		}
		if bytes.Equal(was, is) {
			continue
		}
		stale = append(stale, m.dir+"/"+name)
		if check {
			continue
		}
		if err := os.WriteFile(filepath.Join(top, name), is, 0o644); err != nil {
			return nil, err
		}
	}
	return stale, nil
}

// tidyCopy tidies a copy of a module's go.mod, in which the siblings are replaced while
// the command runs.
func (t *tree) tidyCopy(ctx context.Context, m module, top, file string) error {
	version := t.version()
	replace, restore := []string{"mod", "edit"}, []string{"mod", "edit"}
	for _, other := range t.modules {
		if other.path == m.path {
			continue
		}
		replace = append(replace, "-replace", other.path+"="+filepath.Join(t.dir, filepath.FromSlash(other.dir)))
		restore = append(restore, "-dropreplace", other.path)
	}
	if err := t.command(ctx, "go", append(replace, file)...).Run(); err != nil {
		return err
	}
	cmd := t.command(ctx, "go", "mod", "tidy", "-modfile="+file)
	cmd.Dir, cmd.Env = top, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if err := cmd.Run(); err != nil {
		return err
	}
	var tidied struct {
		Require []struct{ Path, Version string }
	}
	if err := t.read(ctx, &tidied, "mod", "edit", "-json", file); err != nil {
		return err
	}
	for _, r := range tidied.Require {
		for _, other := range t.modules {
			if r.Path == other.path {
				restore = append(restore, "-require", r.Path+"@"+version)
			}
		}
	}
	return t.command(ctx, "go", append(restore, file)...).Run()
}

// version is the one in which the modules require each other: that of the last
// release.
func (t *tree) version() string {
	for _, m := range t.modules {
		for _, version := range m.siblings {
			return version
		}
	}
	return "v0.0.0"
}
