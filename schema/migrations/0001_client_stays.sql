-- A client's files, users and served zones are on its node: whatever writes the row, it names another
-- node only when nothing of the client is left on the old one.
CREATE TRIGGER `clients_stay` BEFORE UPDATE OF `node` ON `clients`
WHEN OLD.`node` <> NEW.`node` AND (
	EXISTS (SELECT 1 FROM `sites` WHERE `client_id` = OLD.`id`)
	OR EXISTS (SELECT 1 FROM `zones` WHERE `client_id` = OLD.`id`)
	OR EXISTS (SELECT 1 FROM `jobs` WHERE `client_name` = OLD.`name` AND `state` IN ('pendiente', 'en_curso'))
)
BEGIN
	SELECT RAISE(ABORT, 'the client has data on its node');
END;
