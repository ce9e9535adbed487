CREATE TABLE `database_accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`database_id` integer NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`read_only` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`database_id`) REFERENCES `databases`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `database_accounts_name_unique` ON `database_accounts` (`name`);--> statement-breakpoint
CREATE INDEX `database_accounts_database` ON `database_accounts` (`database_id`,`name`);--> statement-breakpoint
CREATE TABLE `databases` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` integer NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`error` text,
	`bytes` integer DEFAULT 0 NOT NULL,
	`measured_at` integer,
	`restricted` integer DEFAULT false NOT NULL,
	`loading` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `databases_name_unique` ON `databases` (`name`);--> statement-breakpoint
CREATE INDEX `databases_client` ON `databases` (`client_id`,`name`);