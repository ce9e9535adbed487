ALTER TABLE `backup_destinations` ADD `fault` text;--> statement-breakpoint
ALTER TABLE `backup_destinations` ADD `fault_of` text;--> statement-breakpoint
ALTER TABLE `backup_destinations` ADD `fault_at` integer;--> statement-breakpoint
ALTER TABLE `backup_repositories` ADD `fault` text;--> statement-breakpoint
ALTER TABLE `backup_repositories` ADD `fault_at` integer;