CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` integer,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`queued_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`lease_until` integer,
	`fence` integer DEFAULT 0 NOT NULL,
	`tried_at` integer,
	`status` integer,
	`reply` text,
	`took_ms` integer,
	`fault` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`state`,`next_at`);--> statement-breakpoint
CREATE INDEX `deliveries_webhook` ON `deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_age` ON `deliveries` (`queued_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`active` integer NOT NULL,
	`stopped` text,
	`secret` text NOT NULL,
	`replaced_secret` text,
	`replaced_until` integer,
	`delivered_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
-- In the transaction of the event itself, so that no event that is told goes undelivered. A time of 0 is due by any
-- clock: the database's may differ from that of the host which delivers.
CREATE TRIGGER `deliver_event` AFTER INSERT ON `events` BEGIN
	INSERT INTO `deliveries` (`webhook_id`, `event_id`, `state`, `queued_at`, `next_at`)
		SELECT `id`, NEW.`id`, 'en_cola', NEW.`at`, 0 FROM `webhooks`
		WHERE `active` AND EXISTS (SELECT 1 FROM json_each(`types`) WHERE `value` IN (NEW.`type`, '*'));
END;
