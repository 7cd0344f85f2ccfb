package main

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// schemaVersion returns the version of a store's tables, 0 for none, without
// touching the store.
func schemaVersion(ctx context.Context, a storeAddress) (int64, error) {
	if a.postgres() {
		return serverVersion(ctx, string(a))
	}
	file, _ := a.file()
	return fileVersion(ctx, file)
}

const latest = "SELECT coalesce(max(version_id), 0) FROM goose_db_version"

func fileVersion(ctx context.Context, file string) (version int64, err error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if file, err = filepath.Abs(file); err != nil {
		return 0, err
	}
	name := url.URL{Scheme: "file", Path: file, RawQuery: url.Values{"_pragma": {"busy_timeout(5000)", "query_only(ON)"}}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return 0, err
	}
	defer db.Close()
	var there bool
	err = db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'goose_db_version'").Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	err = db.QueryRowContext(ctx, latest).Scan(&version)
	return version, err
}

func serverVersion(ctx context.Context, url string) (version int64, err error) {
	config, err := pgxpool.ParseConfig(url) // which knows the parameters of a pool too
	if err != nil {
		return 0, err
	}
	db, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return 0, err
	}
	defer db.Close(ctx)
	var there bool
	err = db.QueryRow(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	err = db.QueryRow(ctx, latest).Scan(&version)
	return version, err
}
