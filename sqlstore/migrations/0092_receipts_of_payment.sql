-- +goose Up

-- A payment lists its receipts itself. No query asked this index.
DROP INDEX receipts_by_payment;
