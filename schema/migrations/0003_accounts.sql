ALTER TABLE `links` ADD `email` text;--> statement-breakpoint
ALTER TABLE `persons` ADD `recovery_key` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `renewal_secret` blob;--> statement-breakpoint
ALTER TABLE `sessions` ADD `renewal_replaced` blob;