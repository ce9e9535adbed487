CREATE TABLE `backup_destinations` (
	`node` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`credential` text,
	`password` text NOT NULL,
	`checked_at` integer NOT NULL,
	`told_on` text
);
--> statement-breakpoint
CREATE TABLE `backup_repositories` (
	`client_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `backup_repositories_name_unique` ON `backup_repositories` (`name`);--> statement-breakpoint
CREATE TABLE `copies` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` integer NOT NULL,
	`state` text NOT NULL,
	`destination` text NOT NULL,
	`whole` integer NOT NULL,
	`parts` text NOT NULL,
	`started_at` integer NOT NULL,
	`tested_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `copies_client` ON `copies` (`client_id`,`id`);