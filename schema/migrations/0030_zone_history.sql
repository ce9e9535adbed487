CREATE TABLE `zone_change_sets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`change_id` integer,
	`zone_id` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`before` text,
	`after` text,
	FOREIGN KEY (`change_id`) REFERENCES `zone_changes`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`zone_id`) REFERENCES `zones`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `zone_change_sets_zone` ON `zone_change_sets` (`zone_id`,`id`);--> statement-breakpoint
CREATE INDEX `zone_change_sets_change` ON `zone_change_sets` (`change_id`,`id`);--> statement-breakpoint
CREATE TABLE `zone_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`zone_id` integer NOT NULL,
	`serial` integer NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text,
	`actor_name` text,
	`impersonator` text,
	FOREIGN KEY (`zone_id`) REFERENCES `zones`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `zone_changes_zone` ON `zone_changes` (`zone_id`,`id`);--> statement-breakpoint
CREATE TRIGGER `history_set_insert` AFTER INSERT ON `rrsets` BEGIN
	INSERT INTO `zone_change_sets` (`zone_id`, `name`, `type`, `after`) VALUES
		(NEW.`zone_id`, NEW.`name`, NEW.`type`, json_object('ttl', NEW.`ttl`, 'values', json(NEW.`values`)));
END;
--> statement-breakpoint
CREATE TRIGGER `history_set_update` AFTER UPDATE OF `ttl`, `values` ON `rrsets`
WHEN OLD.`ttl` <> NEW.`ttl` OR OLD.`values` <> NEW.`values` BEGIN
	INSERT INTO `zone_change_sets` (`zone_id`, `name`, `type`, `before`, `after`) VALUES
		(NEW.`zone_id`, NEW.`name`, NEW.`type`, json_object('ttl', OLD.`ttl`, 'values', json(OLD.`values`)),
		json_object('ttl', NEW.`ttl`, 'values', json(NEW.`values`)));
END;
--> statement-breakpoint
-- With the zone itself its records go without a trace: nothing is left that could be brought back to.
CREATE TRIGGER `history_set_delete` AFTER DELETE ON `rrsets`
WHEN EXISTS (SELECT 1 FROM `zones` WHERE `id` = OLD.`zone_id`) BEGIN
	INSERT INTO `zone_change_sets` (`zone_id`, `name`, `type`, `before`) VALUES
		(OLD.`zone_id`, OLD.`name`, OLD.`type`, json_object('ttl', OLD.`ttl`, 'values', json(OLD.`values`)));
END;
--> statement-breakpoint
-- The serial comes last in a change: it makes one entry of what was written before. The last 100 changes are kept, and
-- fewer where they are large.
CREATE TRIGGER `history_serial` AFTER UPDATE OF `serial` ON `zones`
WHEN OLD.`serial` <> NEW.`serial`
	AND EXISTS (SELECT 1 FROM `zone_change_sets` WHERE `zone_id` = NEW.`id` AND `change_id` IS NULL) BEGIN
	INSERT INTO `zone_changes` (`zone_id`, `serial`, `at`) VALUES (NEW.`id`, NEW.`serial`, NEW.`updated_at`);
	UPDATE `zone_change_sets` SET `change_id` = (SELECT max(`id`) FROM `zone_changes` WHERE `zone_id` = NEW.`id`)
		WHERE `zone_id` = NEW.`id` AND `change_id` IS NULL;
	DELETE FROM `zone_changes` WHERE `zone_id` = NEW.`id` AND `id` <= coalesce(
		(SELECT `id` FROM `zone_changes` WHERE `zone_id` = NEW.`id` ORDER BY `id` DESC LIMIT 1 OFFSET 100), 0);
	DELETE FROM `zone_changes` WHERE `zone_id` = NEW.`id` AND `id` <= coalesce(
		(SELECT `change_id` FROM `zone_change_sets` WHERE `zone_id` = NEW.`id` ORDER BY `id` DESC LIMIT 1 OFFSET 20000), 0);
END;
