CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`client` text,
	`object` text,
	`data` text NOT NULL
);
--> statement-breakpoint
-- What programs are told of, written with the change itself by whichever code makes it. An id is above all ids before
-- it, and never below the time in milliseconds, so that it is also above what was told before an older database was
-- put back. The database has one writer at a time: whoever reads an event will see no lower one appear.
CREATE VIEW `telling` AS SELECT `type`, `client`, `object`, `data` FROM `events`;
--> statement-breakpoint
CREATE TRIGGER `telling_insert` INSTEAD OF INSERT ON `telling` BEGIN
	INSERT INTO `events` (`id`, `at`, `type`, `client`, `object`, `data`) VALUES (
		max(coalesce((SELECT max(`id`) FROM `events`), 0) + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)),
		CAST(unixepoch('subsec') * 1000 AS INTEGER), NEW.`type`, NEW.`client`, NEW.`object`, NEW.`data`);
END;
--> statement-breakpoint
CREATE TRIGGER `tell_client_insert` AFTER INSERT ON `clients` BEGIN
	INSERT INTO `telling` VALUES ('cliente.creado', NEW.`name`, NULL, json_object('referencia', NEW.`reference`, 'nodo', NEW.`node`));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_client_suspend` AFTER UPDATE OF `state` ON `clients`
WHEN NEW.`state` = 'suspendido' AND OLD.`state` <> 'suspendido' BEGIN
	INSERT INTO `telling` VALUES ('cliente.suspendido', NEW.`name`, NULL, json_object('referencia', NEW.`reference`, 'motivo', NEW.`reason`));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_client_activate` AFTER UPDATE OF `state` ON `clients`
WHEN NEW.`state` = 'activo' AND OLD.`state` <> 'activo' BEGIN
	INSERT INTO `telling` VALUES ('cliente.activado', NEW.`name`, NULL, json_object('referencia', NEW.`reference`));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_client_plan` AFTER UPDATE OF `plan_id` ON `clients`
WHEN NEW.`plan_id` IS NOT OLD.`plan_id` BEGIN
	INSERT INTO `telling` VALUES ('cliente.plan', NEW.`name`, NULL, json_object('referencia', NEW.`reference`,
		'plan', (SELECT `name` FROM `plans` WHERE `id` = NEW.`plan_id`)));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_client_delete` AFTER DELETE ON `clients` BEGIN
	INSERT INTO `telling` VALUES ('cliente.eliminado', OLD.`name`, NULL, json_object('referencia', OLD.`reference`));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_login_insert` AFTER INSERT ON `persons` WHEN NEW.`client_id` IS NOT NULL BEGIN
	INSERT INTO `telling` VALUES ('acceso.creado', (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NULL, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_login_active` AFTER UPDATE OF `totp_secret` ON `persons`
WHEN NEW.`client_id` IS NOT NULL AND NEW.`totp_secret` IS NOT NULL AND OLD.`totp_secret` IS NULL BEGIN
	INSERT INTO `telling` VALUES ('acceso.activo', (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NULL, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_site_insert` AFTER INSERT ON `sites` BEGIN
	INSERT INTO `telling` VALUES ('sitio.creado', (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NEW.`domain`, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_site_state` AFTER UPDATE OF `state` ON `sites`
WHEN NEW.`state` IN ('activo', 'error') AND NEW.`state` <> OLD.`state` BEGIN
	INSERT INTO `telling` VALUES ('sitio.' || NEW.`state`, (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NEW.`domain`,
		CASE NEW.`state` WHEN 'error' THEN json_object('error', CASE WHEN json_valid(NEW.`error`) THEN json_extract(NEW.`error`, '$.codigo') END) ELSE '{}' END);
END;
--> statement-breakpoint
CREATE TRIGGER `tell_site_delete` AFTER DELETE ON `sites` BEGIN
	INSERT INTO `telling` VALUES ('sitio.eliminado', (SELECT `name` FROM `clients` WHERE `id` = OLD.`client_id`), OLD.`domain`, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_certificate` AFTER UPDATE OF `certificate_expires_at` ON `sites`
WHEN NEW.`certificate_state` = 'activo' AND NEW.`certificate_expires_at` IS NOT OLD.`certificate_expires_at` BEGIN
	INSERT INTO `telling` VALUES (CASE WHEN OLD.`certificate_issuer` IS NULL THEN 'certificado.emitido' ELSE 'certificado.renovado' END,
		(SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NEW.`domain`,
		json_object('caduca', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.`certificate_expires_at` / 1000.0, 'unixepoch'), 'nombres', json(NEW.`certificate_names`)));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_certificate_error` AFTER UPDATE OF `certificate_error` ON `sites`
WHEN NEW.`certificate_error` IS NOT NULL AND OLD.`certificate_error` IS NULL AND NEW.`certificate_state` <> 'pendiente' BEGIN
	INSERT INTO `telling` VALUES ('certificado.error', (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NEW.`domain`,
		json_object('error', CASE WHEN json_valid(NEW.`certificate_error`) THEN json_extract(NEW.`certificate_error`, '$.codigo') END));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_application` AFTER UPDATE OF `state`, `version` ON `applications`
WHEN NEW.`state` = 'activa' AND (OLD.`state` = 'instalando' OR NEW.`version` IS NOT OLD.`version`) BEGIN
	INSERT INTO `telling` VALUES (CASE OLD.`state` WHEN 'instalando' THEN 'aplicacion.instalada' ELSE 'aplicacion.actualizada' END,
		(SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), (SELECT `domain` FROM `sites` WHERE `id` = NEW.`site_id`),
		json_object('aplicacion', NEW.`kind`, 'version', NEW.`version`));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_database_state` AFTER UPDATE OF `state` ON `databases`
WHEN NEW.`state` = 'activa' AND OLD.`state` = 'preparando' BEGIN
	INSERT INTO `telling` VALUES ('base.creada', (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NEW.`name`, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_database_delete` AFTER DELETE ON `databases` BEGIN
	INSERT INTO `telling` VALUES ('base.eliminada', (SELECT `name` FROM `clients` WHERE `id` = OLD.`client_id`), OLD.`name`, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_zone_insert` AFTER INSERT ON `zones` BEGIN
	INSERT INTO `telling` VALUES ('zona.creada', (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NEW.`name`, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_zone_error` AFTER UPDATE OF `error` ON `zones` WHEN NEW.`error` IS NOT NULL AND OLD.`error` IS NULL BEGIN
	INSERT INTO `telling` VALUES ('zona.error', (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NEW.`name`,
		json_object('error', CASE WHEN json_valid(NEW.`error`) THEN json_extract(NEW.`error`, '$.codigo') END));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_zone_delete` AFTER DELETE ON `zones` BEGIN
	INSERT INTO `telling` VALUES ('zona.eliminada', (SELECT `name` FROM `clients` WHERE `id` = OLD.`client_id`), OLD.`name`, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_copy` AFTER UPDATE OF `state` ON `copies`
WHEN NEW.`state` IN ('completa', 'incompleta') AND OLD.`state` = 'en_curso' BEGIN
	INSERT INTO `telling` VALUES (CASE NEW.`state` WHEN 'completa' THEN 'copia.hecha' ELSE 'copia.incompleta' END,
		(SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NEW.`id`, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `tell_usage` AFTER UPDATE OF `warned` ON `usage`
WHEN EXISTS (SELECT 1 FROM json_each(NEW.`warned`) AS `n` WHERE `n`.`value` >
	coalesce((SELECT `o`.`value` FROM json_each(OLD.`warned`) AS `o` WHERE `o`.`key` = `n`.`key`), 0)) BEGIN
	INSERT INTO `telling` VALUES ('uso.aviso', (SELECT `name` FROM `clients` WHERE `id` = NEW.`client_id`), NULL,
		(SELECT json_object('recursos', json_group_object(substr(`key` || ':', 1, instr(`key` || ':', ':') - 1), `value`))
			FROM json_each(NEW.`warned`)));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_token_insert` AFTER INSERT ON `tokens` BEGIN
	INSERT INTO `telling` VALUES ('token.creado', NULL, NEW.`id`, json_object('nombre', NEW.`name`, 'caduca', NEW.`expires_on`));
END;
--> statement-breakpoint
CREATE TRIGGER `tell_token_revoke` AFTER UPDATE OF `revoked_at` ON `tokens`
WHEN NEW.`revoked_at` IS NOT NULL AND OLD.`revoked_at` IS NULL BEGIN
	INSERT INTO `telling` VALUES ('token.revocado', NULL, NEW.`id`, json_object('nombre', NEW.`name`));
END;
--> statement-breakpoint
-- Work that failed for good, and the end of long work that somebody follows; not of each scheduled run.
CREATE TRIGGER `tell_job` AFTER UPDATE OF `state` ON `jobs`
WHEN NEW.`state` <> OLD.`state` AND NEW.`kind` <> 'programada.ejecutar'
	AND (NEW.`state` = 'fallida' OR (NEW.`cancellable` AND NEW.`state` IN ('hecha', 'cancelada'))) BEGIN
	INSERT INTO `telling` VALUES ('tarea.' || NEW.`state`, NEW.`client_name`, NEW.`id`,
		json_object('operacion', NEW.`kind`, 'error', CASE WHEN NEW.`state` = 'fallida' AND json_valid(NEW.`error`)
			THEN json_extract(NEW.`error`, '$.codigo') END));
END;
--> statement-breakpoint
-- What only the audit trail has: mirrored zones and the account at their provider.
CREATE TRIGGER `tell_audit` AFTER INSERT ON `audit`
WHEN NEW.`outcome` = 'hecho' AND NEW.`operation` IN ('espejo.al_dia', 'espejo.error', 'espejo.conflicto', 'espejo.perdida',
	'espejo.sin_cuota', 'espejo.retirada', 'espejo.no_resuelve_aqui', 'proveedor.rechazada') BEGIN
	INSERT INTO `telling` VALUES (NEW.`operation`, NEW.`client_name`, NEW.`target`, '{}');
END;
