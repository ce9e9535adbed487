ALTER TABLE `site_names` ADD `proven_at` integer;--> statement-breakpoint
ALTER TABLE `site_names` ADD `next_look_at` integer;--> statement-breakpoint
CREATE INDEX `site_names_look` ON `site_names` (`next_look_at`) WHERE proven_at is null;--> statement-breakpoint
ALTER TABLE `zones` ADD `proven_at` integer;--> statement-breakpoint
ALTER TABLE `zones` ADD `delegation` text;--> statement-breakpoint
ALTER TABLE `zones` ADD `next_look_at` integer;--> statement-breakpoint
CREATE INDEX `zones_look` ON `zones` (`next_look_at`);