ALTER TABLE `applications` ADD `clone_of` integer REFERENCES sites(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `applications` ADD `restore_point` text;--> statement-breakpoint
CREATE INDEX `applications_clone_of` ON `applications` (`clone_of`);