-- +goose Up

-- The order that uses a quote: no other one may.
ALTER TABLE ramp_quotes ADD COLUMN used_by TEXT NOT NULL DEFAULT '';
UPDATE ramp_quotes SET used_by = onramps.id FROM onramps WHERE onramps.quote = ramp_quotes.id;
UPDATE ramp_quotes SET used_by = offramps.id FROM offramps WHERE offramps.quote = ramp_quotes.id;
