CREATE INDEX `sites_https` ON `sites` (`certificate_state`,`certificate_expires_at`);--> statement-breakpoint
CREATE INDEX `usage_warned` ON `usage` (`client_id`) WHERE warned <> '{}';--> statement-breakpoint
CREATE INDEX `mirrors_state` ON `mirrors` (`state`);--> statement-breakpoint
CREATE INDEX `mails_test` ON `mails` (`id`) WHERE kind = 'prueba';