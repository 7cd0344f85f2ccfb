-- +goose Up

-- Orders that came with a public key have names of their own: ~ stands before them. Until
-- now these are the orders of dialect A that no link made.
UPDATE payments SET reference = '~' || reference
WHERE session IN (SELECT id FROM checkout_sessions WHERE variant = 'A' AND link = '');
UPDATE transactions SET trx_id = '~' || trx_id
WHERE reference IN (SELECT id FROM payments WHERE reference LIKE '~%');
UPDATE checkout_sessions SET trx_id = '~' || trx_id
WHERE variant = 'A' AND link = '';
