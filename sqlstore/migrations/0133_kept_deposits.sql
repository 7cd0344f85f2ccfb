-- +goose Up

-- Where a person has a deposit sent that could not go back to its sender.
ALTER TABLE offramp_deposits ADD COLUMN return_to TEXT NOT NULL DEFAULT '';
ALTER TABLE offramp_deposits ADD COLUMN return_by TEXT NOT NULL DEFAULT '';
ALTER TABLE offramp_deposits ADD COLUMN return_why TEXT NOT NULL DEFAULT '';
