CREATE TABLE `mail_minutes` (
	`client_id` integer NOT NULL,
	`minute` integer NOT NULL,
	`recipients` integer NOT NULL,
	PRIMARY KEY(`client_id`, `minute`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mail_minutes_minute` ON `mail_minutes` (`minute`);--> statement-breakpoint
CREATE TABLE `mail_notices` (
	`client_id` integer NOT NULL,
	`kind` text NOT NULL,
	`told_at` integer NOT NULL,
	PRIMARY KEY(`client_id`, `kind`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
