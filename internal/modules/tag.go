package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
)

// versions are those that the paths of the modules have room for.
var versions = regexp.MustCompile(`^v[01]\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

// tag makes the modules require a version of each other, commits that, and tags every
// module that is published. With dry it prints the commands only. It refuses a tree
// with changes, and a version that is there.
func (t *tree) tag(ctx context.Context, out io.Writer, version string, dry bool) error {
	if !versions.MatchString(version) {
		return fmt.Errorf("%q is no version such as v0.3.0", version)
	}
	if err := t.ready(ctx, version); err != nil {
		return err
	}
	for _, step := range t.steps(version) {
		if _, err := fmt.Fprintln(out, quoted(step)); err != nil {
			return err
		}
		if dry {
			continue
		}
		if err := t.command(ctx, step[0], step[1:]...).Run(); err != nil {
			return fmt.Errorf("%s: %w", quoted(step), err)
		}
	}
	return nil
}

// ready returns an error when the tree cannot be tagged.
func (t *tree) ready(ctx context.Context, version string) error {
	changes, err := t.command(ctx, "git", "status", "--porcelain").Output()
	if err != nil {
		return fmt.Errorf("git status: %w", err)
	}
	if len(changes) > 0 {
		return errors.New("the tree has changes that are not committed")
	}
	known, err := t.command(ctx, "git", "tag", "--list").Output()
	if err != nil {
		return fmt.Errorf("git tag: %w", err)
	}
	for _, m := range t.modules {
		if slices.Contains(strings.Fields(string(known)), m.tagOf(version)) {
			return fmt.Errorf("the tag %s is there", m.tagOf(version))
		}
	}
	return nil
}

// steps are the commands that publish a version.
func (t *tree) steps(version string) (steps [][]string) {
	changed := false
	for _, m := range t.modules {
		edit := []string{"go", "mod", "edit"}
		for _, other := range t.modules {
			if was, ok := m.siblings[other.path]; ok {
				edit = append(edit, "-require="+other.path+"@"+version)
				changed = changed || was != version
			}
		}
		if len(edit) > 3 {
			steps = append(steps, append(edit, path.Join(m.dir, "go.mod")))
		}
	}
	if changed {
		steps = append(steps, t.replaced(version))
		steps = append(steps, []string{"git", "commit", "--all", "--quiet", "--message", "The modules require " + version + " of each other"})
	}
	for _, m := range t.modules {
		if m.published() {
			steps = append(steps, []string{"git", "tag", "--annotate", "--message", m.path + " " + version, m.tagOf(version)})
		}
	}
	return steps
}

// replaced is the command by which go.work takes the modules of the tree for those of
// a version, which nobody can fetch before it is published.
func (t *tree) replaced(version string) []string {
	edit := []string{"go", "work", "edit"}
	for _, m := range t.modules {
		for _, other := range t.modules {
			if was, ok := other.siblings[m.path]; ok {
				edit = append(edit, "-dropreplace="+m.path+"@"+was, "-replace="+m.path+"@"+version+"=./"+strings.TrimPrefix(m.dir, "."))
				break
			}
		}
	}
	return edit
}

// quoted is a command as a shell reads it.
func quoted(command []string) string {
	words := slices.Clone(command)
	for i, word := range words {
		if strings.Contains(word, " ") {
			words[i] = "'" + word + "'"
		}
	}
	return strings.Join(words, " ")
}
