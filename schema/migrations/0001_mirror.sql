CREATE TABLE `dns_accounts` (
	`node` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`credential` text NOT NULL,
	`account` text,
	`url` text,
	`epoch` integer NOT NULL,
	`used` integer,
	`api_limit` integer,
	`admin_limit` integer,
	`learned_limit` integer,
	`warned` integer DEFAULT 0 NOT NULL,
	`refused_at` integer,
	`paused_until` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`removing` integer DEFAULT false NOT NULL,
	`next_slot_at` integer NOT NULL,
	`lease_until` integer,
	`fence` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mirrors` (
	`zone` text PRIMARY KEY NOT NULL,
	`zone_id` integer,
	`node` text NOT NULL,
	`client_name` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`error` text,
	`nonce` text,
	`intent_at` integer,
	`remote_id` text,
	`servers` text DEFAULT '[]' NOT NULL,
	`serial` integer,
	`synced_at` integer,
	`last_change` text,
	`omitted` text DEFAULT '[]' NOT NULL,
	`answers` text DEFAULT '[]' NOT NULL,
	`checked_at` integer,
	`next_check_at` integer,
	`negative_at` integer,
	`inconclusive_since` integer,
	`next_at` integer,
	`generation` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease_until` integer,
	`fence` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`zone_id`) REFERENCES `zones`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `mirrors_due` ON `mirrors` (`node`,`next_at`);--> statement-breakpoint
CREATE INDEX `mirrors_check` ON `mirrors` (`node`,`next_check_at`);--> statement-breakpoint
CREATE INDEX `mirrors_zone` ON `mirrors` (`zone_id`);--> statement-breakpoint
CREATE INDEX `mirrors_client` ON `mirrors` (`client_name`);