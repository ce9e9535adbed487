ALTER TABLE `moves` ADD `waits` text;--> statement-breakpoint
CREATE INDEX `events_at` ON `events` (`at`);