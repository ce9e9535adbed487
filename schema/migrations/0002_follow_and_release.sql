CREATE TABLE `lost_nodes` (
	`name` text PRIMARY KEY NOT NULL,
	`given_up_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `dns_accounts` ADD `urgent_turns` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `mirrors` ADD `urgency` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `mails` ADD `node` text;--> statement-breakpoint
ALTER TABLE `zones` ADD `followed` text;--> statement-breakpoint
UPDATE `mirrors` SET `urgency` = 2 WHERE `state` = 'al_dia';--> statement-breakpoint
UPDATE `mails` SET `node` = (
	SELECT `clients`.`node` FROM `links`
	JOIN `persons` ON `persons`.`id` = `links`.`person_id`
	JOIN `clients` ON `clients`.`id` = `persons`.`client_id`
	WHERE `links`.`id` = `mails`.`link_id`
) WHERE `state` IN ('en_cola', 'enviando');
