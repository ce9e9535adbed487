CREATE TABLE `record_docs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`zone_id` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	FOREIGN KEY (`zone_id`) REFERENCES `zones`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_docs_key` ON `record_docs` (`zone_id`,`name`,`type`);--> statement-breakpoint
CREATE VIRTUAL TABLE `record_search` USING fts5(`name`, `values`,
	content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
INSERT INTO `record_docs` (`zone_id`, `name`, `type`) SELECT `zone_id`, `name`, `type` FROM `rrsets`;
--> statement-breakpoint
INSERT INTO `record_search` (`rowid`, `name`, `values`)
	SELECT d.`id`, iif(r.`name` = '@', '', r.`name` || '.') || z.`name`,
		(SELECT group_concat(`value`, char(10)) FROM json_each(r.`values`))
	FROM `rrsets` r JOIN `zones` z ON z.`id` = r.`zone_id`
		JOIN `record_docs` d ON d.`zone_id` = r.`zone_id` AND d.`name` = r.`name` AND d.`type` = r.`type`;
--> statement-breakpoint
CREATE TRIGGER `search_record_insert` AFTER INSERT ON `rrsets` BEGIN
	INSERT INTO `record_docs` (`zone_id`, `name`, `type`) VALUES (NEW.`zone_id`, NEW.`name`, NEW.`type`);
	INSERT INTO `record_search` (`rowid`, `name`, `values`)
		SELECT d.`id`, iif(NEW.`name` = '@', '', NEW.`name` || '.') || z.`name`,
			(SELECT group_concat(`value`, char(10)) FROM json_each(NEW.`values`))
		FROM `record_docs` d JOIN `zones` z ON z.`id` = d.`zone_id`
		WHERE d.`zone_id` = NEW.`zone_id` AND d.`name` = NEW.`name` AND d.`type` = NEW.`type`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_record_update` AFTER UPDATE OF `values` ON `rrsets` WHEN OLD.`values` <> NEW.`values` BEGIN
	DELETE FROM `record_docs` WHERE `zone_id` = OLD.`zone_id` AND `name` = OLD.`name` AND `type` = OLD.`type`;
	INSERT INTO `record_docs` (`zone_id`, `name`, `type`) VALUES (NEW.`zone_id`, NEW.`name`, NEW.`type`);
	INSERT INTO `record_search` (`rowid`, `name`, `values`)
		SELECT d.`id`, iif(NEW.`name` = '@', '', NEW.`name` || '.') || z.`name`,
			(SELECT group_concat(`value`, char(10)) FROM json_each(NEW.`values`))
		FROM `record_docs` d JOIN `zones` z ON z.`id` = d.`zone_id`
		WHERE d.`zone_id` = NEW.`zone_id` AND d.`name` = NEW.`name` AND d.`type` = NEW.`type`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_record_delete` AFTER DELETE ON `rrsets` BEGIN
	DELETE FROM `record_docs` WHERE `zone_id` = OLD.`zone_id` AND `name` = OLD.`name` AND `type` = OLD.`type`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_record_forget` AFTER DELETE ON `record_docs` BEGIN
	DELETE FROM `record_search` WHERE `rowid` = OLD.`id`;
END;
