CREATE TABLE `site_guards` (
	`site_id` integer NOT NULL,
	`path` text NOT NULL,
	`user` text NOT NULL,
	`secret_hash` text,
	PRIMARY KEY(`site_id`, `path`),
	FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `sites` ADD `web_root` text;--> statement-breakpoint
ALTER TABLE `sites` ADD `single_page` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sites` ADD `redirects` text;