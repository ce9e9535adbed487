CREATE TABLE `sftp_accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`client_id` integer NOT NULL,
	`site_id` integer,
	`keys` text NOT NULL,
	`password_hash` text,
	`password_created_at` integer,
	`password_used_at` integer,
	`last_session_at` integer,
	`applied_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sftp_accounts_name_unique` ON `sftp_accounts` (`name`);--> statement-breakpoint
CREATE INDEX `sftp_accounts_client` ON `sftp_accounts` (`client_id`,`name`);--> statement-breakpoint
CREATE INDEX `sftp_accounts_site` ON `sftp_accounts` (`site_id`);