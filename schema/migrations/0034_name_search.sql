CREATE TABLE `name_docs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `name_docs_name_unique` ON `name_docs` (`name`);
--> statement-breakpoint
-- Each name of a site is indexed alone: a document of all its names was written anew for each that was added.
DROP TRIGGER `search_site_name_insert`;
--> statement-breakpoint
DROP TRIGGER `search_site_name_delete`;
--> statement-breakpoint
DROP TABLE `site_search`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `name_search` USING fts5(`name`,
	content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
INSERT INTO `name_docs` (`name`) SELECT `name` FROM `site_names`;
--> statement-breakpoint
INSERT INTO `name_search` (`rowid`, `name`) SELECT `id`, `name` FROM `name_docs` ORDER BY `id`;
--> statement-breakpoint
CREATE TRIGGER `search_site_name_insert` AFTER INSERT ON `site_names` BEGIN
	INSERT INTO `name_docs` (`name`) VALUES (NEW.`name`);
	INSERT INTO `name_search` (`rowid`, `name`) SELECT `id`, `name` FROM `name_docs` WHERE `name` = NEW.`name`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_site_name_update` AFTER UPDATE OF `name` ON `site_names` WHEN OLD.`name` <> NEW.`name` BEGIN
	DELETE FROM `name_docs` WHERE `name` = OLD.`name`;
	INSERT INTO `name_docs` (`name`) VALUES (NEW.`name`);
	INSERT INTO `name_search` (`rowid`, `name`) SELECT `id`, `name` FROM `name_docs` WHERE `name` = NEW.`name`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_site_name_delete` AFTER DELETE ON `site_names` BEGIN
	DELETE FROM `name_docs` WHERE `name` = OLD.`name`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_site_name_forget` AFTER DELETE ON `name_docs` BEGIN
	DELETE FROM `name_search` WHERE `rowid` = OLD.`id`;
END;
