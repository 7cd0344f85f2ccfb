package simdisk_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	modernc "modernc.org/sqlite"

	"github.com/ferrypay/ferry/sqlstore/internal/simdisk"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newDisk(t testing.TB) *simdisk.Disk {
	t.Helper()
	d, err := simdisk.New(func() time.Time { return noon }, 1)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

func newDraw(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

type connector string

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.Driver().Open(string(c)) }
func (c connector) Driver() driver.Driver                        { return &modernc.Driver{} }

// open opens a database on the disk with pragmas.
func open(d *simdisk.Disk, pragmas string) *sql.DB {
	db := sql.OpenDB(connector("file:/test.db?vfs=" + d.VFS() + pragmas))
	db.SetMaxOpenConns(2)
	return db
}

const durable = "&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=wal_autocheckpoint(50)"

// diary is a database that grows by a row a commit, and what is known of it.
type diary struct {
	t    testing.TB
	disk *simdisk.Disk
	db   *sql.DB
	draw *rand.Rand
	// last is the last row whose commit was answered, and tried one that was not, or 0.
	last, tried int
	pragmas     string
}

func begin(t testing.TB, seed uint64, pragmas string) *diary {
	t.Helper()
	d := &diary{t: t, disk: newDisk(t), draw: newDraw(seed), pragmas: pragmas}
	d.db = open(d.disk, pragmas)
	_, err := d.db.Exec("CREATE TABLE diary (n INTEGER PRIMARY KEY, text BLOB); CREATE INDEX texts ON diary (substr(text, 1, 100))")
	require.NoError(t, err)
	return d
}

// write writes rows until the power is cut.
func (d *diary) write(rows int) {
	for range rows {
		d.tried = d.last + 1
		text := make([]byte, d.draw.IntN(6000))
		if _, err := d.db.Exec("INSERT INTO diary (n, text) VALUES (?, ?)", d.tried, text); err != nil {
			require.True(d.t, d.disk.Dark(), "%v", err)
			return
		}
		d.last, d.tried = d.tried, 0
		if d.draw.IntN(20) == 0 {
			_, _ = d.db.Exec("PRAGMA wal_checkpoint(" + []string{"PASSIVE", "FULL", "RESTART", "TRUNCATE"}[d.draw.IntN(4)] + ")")
		}
		if d.draw.IntN(20) == 0 {
			_, _ = d.db.Exec("UPDATE diary SET text = x'00' WHERE n < ?", d.last-20)
		}
	}
}

// cut cuts the power, and returns the rows that are there, and what is wrong with the file.
func (d *diary) cut() (rows int, wrong string) {
	_ = d.db.Close()
	d.disk.Restore(d.draw)
	d.db = open(d.disk, d.pragmas)
	var last int
	if err := d.db.QueryRow("PRAGMA integrity_check").Scan(&wrong); err != nil {
		return 0, err.Error()
	}
	if err := d.db.QueryRow("SELECT count(*), coalesce(max(n), 0) FROM diary").Scan(&rows, &last); err != nil {
		return 0, err.Error()
	}
	if rows != last {
		return rows, fmt.Sprintf("%d rows, and the last is %d", rows, last)
	}
	return rows, wrong
}

// live lives through cuts at random places, up to the first after which something is lost.
func (d *diary) live(cuts int) (lost string) {
	defer func() { _ = d.db.Close() }()
	for n := range cuts {
		d.disk.CutAfter(d.draw.IntN(60))
		d.write(12)
		rows, wrong := d.cut()
		if wrong != "ok" || rows != d.last && (d.tried == 0 || rows != d.tried) {
			return fmt.Sprintf("cut %d: %s; %d rows, %d were committed", n, wrong, rows, d.last)
		}
		d.last = rows
		if rows > 100 {
			_, err := d.db.Exec("DELETE FROM diary")
			require.NoError(d.t, err)
			d.last = 0
		}
	}
	return ""
}

func TestWhatWasCommittedSurvivesAThousandCuts(t *testing.T) {
	for pragmas, cuts := range map[string]int{
		durable: 1000,
		"&_pragma=journal_mode(DELETE)&_pragma=synchronous(EXTRA)":  200,
		"&_pragma=journal_mode(TRUNCATE)&_pragma=synchronous(FULL)": 200,
	} {
		t.Run(pragmas, func(t *testing.T) { require.Empty(t, begin(t, 1, pragmas).live(cuts)) })
	}
}

// SQLite says so itself: https://www.sqlite.org/pragma.html#pragma_synchronous.
func TestAJournalWhoseRemovalIsNotSyncedTakesBackWhatWasCommitted(t *testing.T) {
	require.NotEmpty(t, begin(t, 1, "&_pragma=journal_mode(DELETE)&_pragma=synchronous(FULL)").live(100))
}

func TestWithoutSyncWhatWasCommittedIsLost(t *testing.T) {
	d := begin(t, 2, "&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)")
	lost := d.live(100)
	require.NotEmpty(t, lost)
	t.Log(lost)
}

func TestOnADiskThatLiesWhatWasCommittedIsLost(t *testing.T) {
	d := begin(t, 3, durable)
	d.disk.Lie()
	lost := d.live(100)
	require.NotEmpty(t, lost)
	t.Log(lost)
}

func TestTheSameSeedLeavesTheSame(t *testing.T) {
	left := func(seed uint64) (all []int) {
		d := begin(t, seed, "&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)")
		defer func() { _ = d.db.Close() }()
		for range 20 {
			d.disk.CutAfter(d.draw.IntN(60))
			d.write(12)
			rows, wrong := d.cut()
			all = append(all, rows, len(wrong), d.disk.Changes())
			if wrong != "ok" {
				break
			}
			d.last = rows
		}
		return all
	}
	first := left(4)
	require.Equal(t, first, left(4))
	require.NotEqual(t, first, left(5))
}

func TestSQLiteTellsTheTimeOfTheDisk(t *testing.T) {
	db := open(newDisk(t), "")
	defer func() { require.NoError(t, db.Close()) }()
	var micros int64
	require.NoError(t, db.QueryRow("SELECT CAST(unixepoch('subsec') * 1000000 AS INTEGER)").Scan(&micros))
	require.Equal(t, noon.UnixMicro(), micros)
	var day string
	require.NoError(t, db.QueryRow("SELECT datetime('now')").Scan(&day))
	require.Equal(t, "2026-03-01 12:00:00", day)
}
