CREATE TABLE `applications` (
	`site_id` integer PRIMARY KEY NOT NULL,
	`client_id` integer NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`version` text,
	`language` text NOT NULL,
	`installation` text NOT NULL,
	`database` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `applications_client` ON `applications` (`client_id`);