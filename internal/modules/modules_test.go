package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkout is a small tree with modules that require each other.
type checkout struct {
	*testing.T
	dir string
}

func newCheckout(t *testing.T) checkout {
	c := checkout{t, t.TempDir()}
	for name, text := range map[string]string{
		"go.work":       "go 1.26.0\n\nuse (\n\t.\n\t./sql\n\t./tests\n)\n\nreplace example.com/pay v0.0.0 => ./\n\nreplace example.com/pay/sql v0.0.0 => ./sql\n",
		"go.mod":        "module example.com/pay\n\ngo 1.26.0\n",
		"pay.go":        "package pay\n",
		"sql/go.mod":    "module example.com/pay/sql\n\ngo 1.26.0\n\nrequire example.com/pay v0.0.0\n",
		"sql/sql.go":    "package sql\n\nimport _ \"example.com/pay\"\n",
		"tests/go.mod":  "module example.com/pay/tests\n\ngo 1.26.0\n\nrequire (\n\texample.com/pay v0.0.0\n\texample.com/pay/sql v0.0.0\n)\n",
		"tests/test.go": "package tests\n\nimport (\n\t_ \"example.com/pay\"\n\t_ \"example.com/pay/sql\"\n)\n",
	} {
		c.write(name, text)
	}
	c.commit()
	t.Chdir(c.dir)
	return c
}

// commit makes a repository of what was written.
func (c checkout) commit() {
	c.Helper()
	c.git("init", "--quiet")
	c.git("config", "user.name", "test")
	c.git("config", "user.email", "test@example.com")
	c.git("add", ".")
	c.git("commit", "--quiet", "--message", "first")
}

func (c checkout) write(name, text string) {
	c.Helper()
	file := filepath.Join(c.dir, filepath.FromSlash(name))
	require.NoError(c, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(c, os.WriteFile(file, []byte(text), 0o600))
}

func (c checkout) read(name string) string {
	c.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(name)))
	require.NoError(c, err)
	return string(text)
}

func (c checkout) git(args ...string) string {
	c.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	require.NoError(c, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// run runs the command and returns what it printed.
func (c checkout) run(args ...string) (string, error) {
	var out strings.Builder
	err := run(c.Context(), &out, args)
	return out.String(), err
}

const steps = `go mod edit -require=example.com/pay@v0.3.0 sql/go.mod
go mod edit -require=example.com/pay@v0.3.0 -require=example.com/pay/sql@v0.3.0 tests/go.mod
go work edit -dropreplace=example.com/pay@v0.0.0 -replace=example.com/pay@v0.3.0=./ -dropreplace=example.com/pay/sql@v0.0.0 -replace=example.com/pay/sql@v0.3.0=./sql
git commit --all --quiet --message 'The modules require v0.3.0 of each other'
git tag --annotate --message 'example.com/pay v0.3.0' v0.3.0
git tag --annotate --message 'example.com/pay/sql v0.3.0' sql/v0.3.0
`

func TestADryRunPrintsTheStepsAndTakesNone(t *testing.T) {
	c := newCheckout(t)
	head := c.git("rev-parse", "HEAD")
	out, err := c.run("tag", "-n", "v0.3.0")
	require.NoError(t, err)
	require.Equal(t, steps, out)
	require.Equal(t, head, c.git("rev-parse", "HEAD"))
	require.Empty(t, c.git("tag", "--list"))
	require.Empty(t, c.git("status", "--porcelain"))
}

func TestATaggedTreeRequiresItsOwnVersion(t *testing.T) {
	c := newCheckout(t)
	_, err := c.run("tag", "v0.3.0")
	require.NoError(t, err)
	require.Equal(t, "sql/v0.3.0\nv0.3.0", c.git("tag", "--list"), "tests are not published")
	require.Equal(t, c.git("rev-parse", "HEAD"), c.git("rev-parse", "sql/v0.3.0^{commit}"))
	require.Contains(t, c.read("sql/go.mod"), "require example.com/pay v0.3.0\n")
	require.Empty(t, c.git("status", "--porcelain"))
	build := exec.Command("go", "build", "work")
	build.Dir = c.dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, "the tree builds without the published modules: %s", out)

	_, err = c.run("tag", "v0.3.0")
	require.ErrorContains(t, err, "the tag v0.3.0 is there")
	_, err = c.run("tag", "v0.4.0")
	require.NoError(t, err, "and the next one")
	require.Contains(t, c.read("tests/go.mod"), "example.com/pay/sql v0.4.0")
}

func TestATreeThatIsNotReadyIsNotTagged(t *testing.T) {
	c := newCheckout(t)
	for _, version := range []string{"0.3.0", "v2.0.0", "v0.3", "latest", "v0.03.0"} {
		_, err := c.run("tag", version)
		require.ErrorContains(t, err, "is no version", version)
	}
	c.write("pay.go", "package pay // changed\n")
	_, err := c.run("tag", "-n", "v0.3.0")
	require.ErrorContains(t, err, "changes that are not committed")
}

func TestWhatIsNotTidyIsFoundAndMended(t *testing.T) {
	c := newCheckout(t)
	_, err := c.run("tidy")
	require.NoError(t, err)
	_, err = c.run("tidy", "-check")
	require.NoError(t, err)
	tidy := c.read("tests/go.mod")

	untidy := "module example.com/pay/tests\n\ngo 1.26.0\n\nrequire example.com/pay v0.0.0\n"
	c.write("tests/go.mod", untidy)
	_, err = c.run("tidy", "-check")
	require.ErrorContains(t, err, "tests/go.mod")
	require.Equal(t, untidy, c.read("tests/go.mod"), "a check changes nothing")
	_, err = c.run("tidy")
	require.NoError(t, err)
	require.Equal(t, tidy, c.read("tests/go.mod"))
}
