ALTER TABLE `plans` ADD `sftp_accounts` integer;--> statement-breakpoint
ALTER TABLE `plans` ADD `databases` integer;--> statement-breakpoint
ALTER TABLE `plans` ADD `database_bytes` integer;--> statement-breakpoint
ALTER TABLE `plans` ADD `schedules` integer;--> statement-breakpoint
ALTER TABLE `plans` ADD `daily_mails` integer;--> statement-breakpoint
ALTER TABLE `jobs` ADD `progress` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `result` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `cancelled_at` integer;--> statement-breakpoint
-- A plan that had every function there was has every one there is; what is kept from others stays kept.
UPDATE `plans` SET `functions` = '["php","https","espejo_dns","sftp","bases","archivos","programadas","aplicaciones","copias"]'
WHERE `functions` LIKE '%"php"%' AND `functions` LIKE '%"https"%' AND `functions` LIKE '%"espejo_dns"%';
