-- Any part of a text of three characters or more finds its row: indexes of trigrams, without case and accents. They
-- hold no text, only which row has which trigrams, and triggers keep them: no code can change a name and leave it out.
CREATE VIRTUAL TABLE `client_search` USING fts5(`name`, `display_name`, `email`, `reference`,
	content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE `site_search` USING fts5(`names`,
	content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE `zone_search` USING fts5(`name`,
	content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
INSERT INTO `client_search` (`rowid`, `name`, `display_name`, `email`, `reference`)
	SELECT `id`, `name`, `display_name`, `email`, `reference` FROM `clients`;
--> statement-breakpoint
-- A line end stands between names, and nobody can search for one.
INSERT INTO `site_search` (`rowid`, `names`)
	SELECT `site_id`, group_concat(`name`, char(10)) FROM `site_names` GROUP BY `site_id`;
--> statement-breakpoint
INSERT INTO `zone_search` (`rowid`, `name`) SELECT `id`, `name` FROM `zones`;
--> statement-breakpoint
CREATE TRIGGER `search_client_insert` AFTER INSERT ON `clients` BEGIN
	INSERT INTO `client_search` (`rowid`, `name`, `display_name`, `email`, `reference`)
		VALUES (NEW.`id`, NEW.`name`, NEW.`display_name`, NEW.`email`, NEW.`reference`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_client_update` AFTER UPDATE OF `name`, `display_name`, `email`, `reference` ON `clients` BEGIN
	DELETE FROM `client_search` WHERE `rowid` = OLD.`id`;
	INSERT INTO `client_search` (`rowid`, `name`, `display_name`, `email`, `reference`)
		VALUES (NEW.`id`, NEW.`name`, NEW.`display_name`, NEW.`email`, NEW.`reference`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_client_delete` AFTER DELETE ON `clients` BEGIN
	DELETE FROM `client_search` WHERE `rowid` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_site_name_insert` AFTER INSERT ON `site_names` BEGIN
	DELETE FROM `site_search` WHERE `rowid` = NEW.`site_id`;
	INSERT INTO `site_search` (`rowid`, `names`)
		SELECT `site_id`, group_concat(`name`, char(10)) FROM `site_names` WHERE `site_id` = NEW.`site_id` GROUP BY `site_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_site_name_delete` AFTER DELETE ON `site_names` BEGIN
	DELETE FROM `site_search` WHERE `rowid` = OLD.`site_id`;
	INSERT INTO `site_search` (`rowid`, `names`)
		SELECT `site_id`, group_concat(`name`, char(10)) FROM `site_names` WHERE `site_id` = OLD.`site_id` GROUP BY `site_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_zone_insert` AFTER INSERT ON `zones` BEGIN
	INSERT INTO `zone_search` (`rowid`, `name`) VALUES (NEW.`id`, NEW.`name`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_zone_delete` AFTER DELETE ON `zones` BEGIN
	DELETE FROM `zone_search` WHERE `rowid` = OLD.`id`;
END;
