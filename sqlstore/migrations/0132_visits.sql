-- +goose Up

-- Sessions of ramp widgets end with the key that opened them, and go on from each other.
ALTER TABLE ramp_sessions ADD COLUMN api_key TEXT NOT NULL DEFAULT '';
ALTER TABLE ramp_sessions ADD COLUMN visit TEXT NOT NULL DEFAULT '';
ALTER TABLE ramp_sessions ADD COLUMN began INTEGER;
UPDATE ramp_sessions SET visit = id, began = created_at;
UPDATE ramp_sessions SET api_key = ramp_widgets.api_key FROM ramp_widgets WHERE ramp_widgets.id = ramp_sessions.widget;
