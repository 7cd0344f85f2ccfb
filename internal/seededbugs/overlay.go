package seededbugs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Overlay writes the edited files of a bug into a directory, and the file that go build and go
// test take as -overlay, whose path it returns. Root is the directory of the module.
func Overlay(root, dir string, b Bug) (path string, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return "", err
	}
	texts := map[string]string{}
	for _, e := range b.Edits {
		if texts[e.File], err = e.apply(root, texts[e.File]); err != nil {
			return "", fmt.Errorf("seededbugs: %s: %w", b.Name, err)
		}
	}
	replace := map[string]string{}
	for file, text := range texts {
		edited := filepath.Join(dir, b.Name+"_"+strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(edited, []byte(text), 0o600); err != nil { //nolint:mnd // of its owner
			return "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(file))] = edited
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, b.Name+".json")
	return path, os.WriteFile(path, overlay, 0o600) //nolint:mnd // of its owner
}

// apply returns the text of the file with the edit: text, or that on the disk when it is empty.
func (e Edit) apply(root, text string) (string, error) {
	if text == "" {
		read, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(e.File)))
		if err != nil {
			return "", err
		}
		text = string(read)
	}
	if n := strings.Count(text, e.Old); n != 1 {
		return "", fmt.Errorf("%s has %d times, not once: %s", e.File, n, e.Old)
	}
	return strings.Replace(text, e.Old, e.New, 1), nil
}
