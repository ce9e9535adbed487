ALTER TABLE `plans` ADD `cpu_percent` integer;--> statement-breakpoint
ALTER TABLE `plans` ADD `memory_bytes` integer;--> statement-breakpoint
ALTER TABLE `plans` ADD `processes` integer;--> statement-breakpoint
ALTER TABLE `usage` ADD `groups` text;