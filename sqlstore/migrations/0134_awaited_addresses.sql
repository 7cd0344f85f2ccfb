-- +goose Up

-- Until when somebody waits for USDC at an address. What is on its way to others is not asked for.
ALTER TABLE custodies ADD COLUMN awaited_until INTEGER;
UPDATE custodies SET awaited_until = checkout_sessions.expires_at FROM checkout_instructions, checkout_sessions
    WHERE checkout_instructions.address = custodies.id AND checkout_sessions.id = checkout_instructions.session;
