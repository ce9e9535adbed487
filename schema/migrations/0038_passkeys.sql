CREATE TABLE `passkey_challenges` (
	`hash` blob PRIMARY KEY NOT NULL,
	`person_id` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkey_challenges_expiry` ON `passkey_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`synced` integer NOT NULL,
	`host` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_id_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_person` ON `passkeys` (`person_id`);--> statement-breakpoint
CREATE TRIGGER `tell_passkey_insert` AFTER INSERT ON `passkeys` BEGIN
	INSERT INTO `telling` VALUES ('llave.creada', (SELECT `c`.`name` FROM `clients` `c` JOIN `persons` `p` ON `p`.`client_id` = `c`.`id` WHERE `p`.`id` = NEW.`person_id`),
		NEW.`id`, json_object('nombre', NEW.`name`));
END;
--> statement-breakpoint
-- Not those that go with their owner: that is told of the client.
CREATE TRIGGER `tell_passkey_delete` AFTER DELETE ON `passkeys`
WHEN EXISTS (SELECT 1 FROM `persons` WHERE `id` = OLD.`person_id`) BEGIN
	INSERT INTO `telling` VALUES ('llave.eliminada', (SELECT `c`.`name` FROM `clients` `c` JOIN `persons` `p` ON `p`.`client_id` = `c`.`id` WHERE `p`.`id` = OLD.`person_id`),
		OLD.`id`, json_object('nombre', OLD.`name`));
END;
