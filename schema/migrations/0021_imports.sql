CREATE TABLE `import_items` (
	`id` integer PRIMARY KEY NOT NULL,
	`run` text NOT NULL,
	`client_id` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`made` integer NOT NULL,
	`wanted` text NOT NULL,
	`fault` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `import_items_run` ON `import_items` (`run`,`id`);--> statement-breakpoint
CREATE INDEX `import_items_client` ON `import_items` (`client_id`);