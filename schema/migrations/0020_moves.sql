CREATE TABLE `moves` (
	`client_id` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`phase` text NOT NULL,
	`job` text NOT NULL,
	`first_copy` text NOT NULL,
	`last_copy` text NOT NULL,
	`carried` text,
	`started_at` integer NOT NULL,
	`closed_at` integer,
	`switched_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `clients` ADD `moving` integer DEFAULT false NOT NULL;--> statement-breakpoint
DROP TRIGGER `clients_stay`;--> statement-breakpoint
-- A client with data changes its node only by a move, which closes it for as long as that takes.
CREATE TRIGGER `clients_stay` BEFORE UPDATE OF `node` ON `clients`
WHEN OLD.`node` <> NEW.`node` AND OLD.`moving` = 0 AND (
	EXISTS (SELECT 1 FROM `sites` WHERE `client_id` = OLD.`id`)
	OR EXISTS (SELECT 1 FROM `zones` WHERE `client_id` = OLD.`id`)
	OR EXISTS (SELECT 1 FROM `jobs` WHERE `client_name` = OLD.`name` AND `state` IN ('pendiente', 'en_curso'))
)
BEGIN
	SELECT RAISE(ABORT, 'the client has data on its node');
END;
