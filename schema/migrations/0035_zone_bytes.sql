ALTER TABLE `zone_changes` ADD `bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `zone_changes` SET `bytes` = coalesce((SELECT sum(length(coalesce(`before`, '')) + length(coalesce(`after`, '')))
	FROM `zone_change_sets` WHERE `change_id` = `zone_changes`.`id`), 0);
--> statement-breakpoint
DROP TRIGGER `history_serial`;
--> statement-breakpoint
-- The serial comes last in a change: it makes one entry of what was written before. The last 100 changes are kept, and
-- fewer where they have many sets or hold more than 16 MiB together; the latest stays in any case.
CREATE TRIGGER `history_serial` AFTER UPDATE OF `serial` ON `zones`
WHEN OLD.`serial` <> NEW.`serial`
	AND EXISTS (SELECT 1 FROM `zone_change_sets` WHERE `zone_id` = NEW.`id` AND `change_id` IS NULL) BEGIN
	INSERT INTO `zone_changes` (`zone_id`, `serial`, `at`, `bytes`) VALUES (NEW.`id`, NEW.`serial`, NEW.`updated_at`,
		(SELECT sum(length(coalesce(`before`, '')) + length(coalesce(`after`, ''))) FROM `zone_change_sets`
			WHERE `zone_id` = NEW.`id` AND `change_id` IS NULL));
	UPDATE `zone_change_sets` SET `change_id` = (SELECT max(`id`) FROM `zone_changes` WHERE `zone_id` = NEW.`id`)
		WHERE `zone_id` = NEW.`id` AND `change_id` IS NULL;
	DELETE FROM `zone_changes` WHERE `zone_id` = NEW.`id` AND `id` <= coalesce(
		(SELECT `id` FROM `zone_changes` WHERE `zone_id` = NEW.`id` ORDER BY `id` DESC LIMIT 1 OFFSET 100), 0);
	DELETE FROM `zone_changes` WHERE `zone_id` = NEW.`id` AND `id` <= coalesce(
		(SELECT `change_id` FROM `zone_change_sets` WHERE `zone_id` = NEW.`id` ORDER BY `id` DESC LIMIT 1 OFFSET 20000), 0);
	DELETE FROM `zone_changes` WHERE `zone_id` = NEW.`id`
		AND `id` < (SELECT max(`id`) FROM `zone_changes` WHERE `zone_id` = NEW.`id`)
		AND `id` <= coalesce((SELECT max(`id`) FROM
			(SELECT `id`, sum(`bytes`) OVER (ORDER BY `id` DESC) AS `held` FROM `zone_changes` WHERE `zone_id` = NEW.`id`)
			WHERE `held` > 16777216), 0);
END;
