//go:build unix

package pgtest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// keeping is what a keeper does: it makes a directory and says its name, runs the
// commands it is told, one a line, and says how each ended. When its input ends,
// because the test is over or the test binary is dead, it stops the cluster and
// removes the directory. A cluster that is paused is woken for that.
const keeping = `
umask 077
directory=$(mktemp -d "$1/ferry-postgres-XXXXXX") && cd "$directory" || exit
echo "$directory"
while read -r command; do
	eval "$command" >>log 2>&1 </dev/null
	echo $?
done
if [ -f data/postmaster.pid ]; then
	kill -CONT "$(head -n 1 data/postmaster.pid)"
	pg_ctl -D data -m immediate stop
fi >/dev/null 2>&1
cd / && rm -rf "$directory"
`

// keeper is a shell that outlives the test binary by as long as it takes to
// clean up. It is never root.
type keeper struct {
	directory string

	mu      sync.Mutex
	process *exec.Cmd
	orders  io.WriteCloser
	answers *bufio.Reader
}

// startKeeper starts a keeper with the programs of a PostgreSQL, in a directory of
// a place.
func startKeeper(programs, place string) (*keeper, error) {
	process := exec.Command("/bin/sh", "-c", keeping, "sh", place)
	process.Env = []string{"PATH=" + programs + ":" + os.Getenv("PATH"), "LC_ALL=C"}
	process.Dir = "/"
	// A session of its own: an interrupt from the terminal is not for it.
	process.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := unprivileged(process.SysProcAttr); err != nil {
		return nil, err
	}
	orders, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	k := &keeper{process: process, orders: orders, answers: bufio.NewReader(answers)}
	if k.directory, err = k.answer(); err != nil {
		return nil, errors.Join(fmt.Errorf("pgtest: no directory in %s", place), k.end())
	}
	return k, nil
}

// memory is where Linux keeps files that are on no disk.
const memory = "/dev/shm"

// place returns the directory in which a cluster gets its own: in memory if that has
// room, unless the cluster is durable. On a disk a test mostly waits for its database
// to be made and removed.
func place(options Options) string {
	if !options.Durable && roomy(memory) {
		return memory
	}
	return temporary()
}

// temporary returns the directory for temporary files, as far as a cluster may lie
// there: the name of a socket is short, and the directory of root may be closed to
// others.
func temporary() string {
	if dir := os.TempDir(); os.Getuid() != 0 && len(dir) < 64 {
		return dir
	}
	return "/tmp"
}

// unprivileged makes a process of root one of somebody else: PostgreSQL refuses
// to run as root.
func unprivileged(attr *syscall.SysProcAttr) error {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return fmt.Errorf("pgtest: a user for PostgreSQL, which does not run as root: %w", err)
		}
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return nil
}

// do runs a command in the cluster's directory. Its error tells what the command
// said.
func (k *keeper) do(command string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, err := fmt.Fprintln(k.orders, command); err != nil {
		return fmt.Errorf("pgtest: %s: %w", command, err)
	}
	status, err := k.answer()
	switch {
	case err != nil:
		return fmt.Errorf("pgtest: %s: %w", command, err)
	case status != "0":
		return fmt.Errorf("pgtest: %s: exit status %s\n%s", command, status, k.log())
	}
	return nil
}

func (k *keeper) answer() (string, error) {
	line, err := k.answers.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

// log returns the end of what PostgreSQL wrote down.
func (k *keeper) log() string {
	const enough = 4096
	text, err := os.ReadFile(filepath.Join(k.directory, "log"))
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-enough):])
}

// end lets the keeper clean up and waits until it has.
func (k *keeper) end() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return errors.Join(k.orders.Close(), k.process.Wait())
}
