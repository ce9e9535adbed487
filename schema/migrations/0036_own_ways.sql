ALTER TABLE `persons` ADD `country` text;--> statement-breakpoint
ALTER TABLE `persons` ADD `time_zone` text;