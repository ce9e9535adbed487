CREATE TABLE `schedule_runs` (
	`job` text PRIMARY KEY NOT NULL,
	`schedule_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`ms` integer,
	`code` integer,
	`output` text DEFAULT '' NOT NULL,
	`reason` text,
	FOREIGN KEY (`schedule_id`) REFERENCES `schedules`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `schedule_runs_schedule` ON `schedule_runs` (`schedule_id`,`job`);--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` integer NOT NULL,
	`client_id` integer NOT NULL,
	`pattern` text NOT NULL,
	`argv` text NOT NULL,
	`active` integer NOT NULL,
	`next_at` integer NOT NULL,
	`wait_ms` integer NOT NULL,
	`failing` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `schedules_site` ON `schedules` (`site_id`,`id`);--> statement-breakpoint
CREATE INDEX `schedules_client` ON `schedules` (`client_id`);--> statement-breakpoint
CREATE INDEX `schedules_due` ON `schedules` (`next_at`);--> statement-breakpoint
ALTER TABLE `jobs` ADD `cancellable` integer DEFAULT false NOT NULL;