-- +goose Up

-- A key may be sealed anew. Whose it is, and the key itself, stay.
-- +sqlite
-- +goose StatementBegin
CREATE TRIGGER address_keys_stay BEFORE UPDATE ON address_keys
WHEN NEW.env IS NOT OLD.env OR NEW.business IS NOT OLD.business OR NEW.wallet IS NOT OLD.wallet
    OR NEW.public_key IS NOT OLD.public_key OR NEW.key_version < OLD.key_version
BEGIN SELECT RAISE(ABORT, 'a key stays what it is'); END;
-- +goose StatementEnd
-- +postgres
CREATE TRIGGER address_keys_stay BEFORE UPDATE ON address_keys
    FOR EACH ROW WHEN (NEW.env IS DISTINCT FROM OLD.env OR NEW.business IS DISTINCT FROM OLD.business
        OR NEW.wallet IS DISTINCT FROM OLD.wallet OR NEW.public_key IS DISTINCT FROM OLD.public_key
        OR NEW.key_version < OLD.key_version)
    EXECUTE FUNCTION refuse_change('a key stays what it is');
