CREATE TABLE `clients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`reference` text,
	`display_name` text,
	`email` text,
	`language` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`suspended_at` integer,
	`plan_id` integer,
	`node` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_name_unique` ON `clients` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `clients_reference_unique` ON `clients` (`reference`);--> statement-breakpoint
CREATE INDEX `clients_plan` ON `clients` (`plan_id`);--> statement-breakpoint
CREATE INDEX `clients_email` ON `clients` (lower(email));--> statement-breakpoint
CREATE INDEX `clients_state` ON `clients` (`state`,`name`);--> statement-breakpoint
CREATE TABLE `nodes` (
	`name` text PRIMARY KEY NOT NULL,
	`addresses` text NOT NULL,
	`name_servers` text NOT NULL,
	`services` text NOT NULL,
	`capacity` text,
	`version` text NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`traffic_cursor` text
);
--> statement-breakpoint
CREATE TABLE `plans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`disk_bytes` integer,
	`inodes` integer,
	`traffic_bytes` integer,
	`sites` integer,
	`aliases` integer,
	`zones` integer,
	`functions` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plans_name_unique` ON `plans` (`name`);--> statement-breakpoint
CREATE TABLE `site_names` (
	`name` text PRIMARY KEY NOT NULL,
	`reversed` text NOT NULL,
	`site_id` integer NOT NULL,
	`client_id` integer NOT NULL,
	`alias` integer NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `site_names_site` ON `site_names` (`site_id`,`position`);--> statement-breakpoint
CREATE INDEX `site_names_client` ON `site_names` (`client_id`);--> statement-breakpoint
CREATE INDEX `site_names_reversed` ON `site_names` (`reversed`);--> statement-breakpoint
CREATE TABLE `sites` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` integer NOT NULL,
	`domain` text NOT NULL,
	`state` text NOT NULL,
	`error` text,
	`php` text,
	`https_only` integer NOT NULL,
	`certificate_state` text NOT NULL,
	`certificate_issuer` text,
	`certificate_expires_at` integer,
	`certificate_names` text NOT NULL,
	`certificate_error` text,
	`certificate_attempts` integer DEFAULT 0 NOT NULL,
	`certificate_next_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sites_domain_unique` ON `sites` (`domain`);--> statement-breakpoint
CREATE INDEX `sites_client` ON `sites` (`client_id`,`domain`);--> statement-breakpoint
CREATE INDEX `sites_certificate` ON `sites` (`certificate_next_at`);--> statement-breakpoint
CREATE TABLE `usage` (
	`client_id` integer PRIMARY KEY NOT NULL,
	`measured_at` integer NOT NULL,
	`source` text NOT NULL,
	`disk_bytes` integer NOT NULL,
	`inodes` integer NOT NULL,
	`warned` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`client_id` integer NOT NULL,
	`day` text NOT NULL,
	`traffic_in` integer DEFAULT 0 NOT NULL,
	`traffic_out` integer DEFAULT 0 NOT NULL,
	`disk_bytes` integer,
	`inodes` integer,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_days_key` ON `usage_days` (`client_id`,`day`);--> statement-breakpoint
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
CREATE INDEX `mirrors_client` ON `mirrors` (`client_name`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`person_id` text NOT NULL,
	`hash` blob NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`spent_at` integer,
	`ended_at` integer,
	`ended_why` text,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_hash_unique` ON `links` (`hash`);--> statement-breakpoint
CREATE INDEX `links_person` ON `links` (`person_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `links_expiry` ON `links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `persons` (
	`id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`email` text,
	`language` text NOT NULL,
	`client_id` integer,
	`active` integer NOT NULL,
	`password_hash` text,
	`totp_secret` text,
	`totp_pending` text,
	`totp_last_step` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`locked_until` integer,
	`created_at` integer NOT NULL,
	`last_login_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `persons_client_id_unique` ON `persons` (`client_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `persons_admin_email` ON `persons` (lower(email)) WHERE role = 'admin';--> statement-breakpoint
CREATE INDEX `persons_email` ON `persons` (lower(email));--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`person_id` text NOT NULL,
	`hash` blob NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`person_id`, `hash`),
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `session_bearers` (
	`public_id` text PRIMARY KEY NOT NULL,
	`hash` blob NOT NULL,
	`session_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `session_bearers_session` ON `session_bearers` (`session_id`);--> statement-breakpoint
CREATE INDEX `session_bearers_expiry` ON `session_bearers` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`renewal_hash` blob NOT NULL,
	`created_at` integer NOT NULL,
	`renewed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`address` text NOT NULL,
	`agent` text NOT NULL,
	`impersonator_id` text,
	`impersonator_email` text,
	`impersonation_reason` text,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_person` ON `sessions` (`person_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_renewal` ON `sessions` (`renewal_hash`);--> statement-breakpoint
CREATE TABLE `sign_in_steps` (
	`hash` blob PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`purpose` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_in_steps_expiry` ON `sign_in_steps` (`expires_at`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`hash` blob NOT NULL,
	`name` text NOT NULL,
	`expires_on` text NOT NULL,
	`creator_id` text NOT NULL,
	`creator_email` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`last_used_from` text,
	`revoked_at` integer,
	`revoked_why` text,
	`warned_days` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_public_id_unique` ON `tokens` (`public_id`);--> statement-breakpoint
CREATE INDEX `tokens_creator` ON `tokens` (`creator_id`);--> statement-breakpoint
CREATE INDEX `tokens_expiry` ON `tokens` (`expires_on`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`impersonator` text,
	`operation` text NOT NULL,
	`client_name` text,
	`target` text,
	`outcome` text NOT NULL,
	`request_id` text,
	`detail` text
);
--> statement-breakpoint
CREATE INDEX `audit_client` ON `audit` (`client_name`,`id`);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_name`,`id`);--> statement-breakpoint
CREATE INDEX `audit_operation` ON `audit` (`operation`,`id`);--> statement-breakpoint
CREATE TABLE `counters` (
	`name` text NOT NULL,
	`window` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`name`, `window`)
);
--> statement-breakpoint
CREATE INDEX `counters_window` ON `counters` (`window`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`owner` text NOT NULL,
	`key` text NOT NULL,
	`route` text NOT NULL,
	`body_hash` blob NOT NULL,
	`status` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`owner`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_age` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`node` text,
	`subject` text NOT NULL,
	`target` text NOT NULL,
	`client_name` text,
	`payload` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`lease_until` integer,
	`fence` integer DEFAULT 0 NOT NULL,
	`step` text,
	`error` text,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`state`,`next_at`);--> statement-breakpoint
CREATE INDEX `jobs_subject` ON `jobs` (`subject`,`state`);--> statement-breakpoint
CREATE INDEX `jobs_finished` ON `jobs` (`finished_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_pending` ON `jobs` (`kind`,`subject`,`target`) WHERE state = 'pendiente';--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`until` integer NOT NULL,
	`last_run_at` integer,
	`last_error` text
);
--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient` text NOT NULL,
	`language` text NOT NULL,
	`payload` text NOT NULL,
	`link_id` text,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`lease_until` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`sent_at` integer
);
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`state`,`next_at`);--> statement-breakpoint
CREATE INDEX `mails_link` ON `mails` (`link_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rrsets` (
	`zone_id` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`ttl` integer NOT NULL,
	`values` text NOT NULL,
	`origin` text NOT NULL,
	PRIMARY KEY(`zone_id`, `name`, `type`),
	FOREIGN KEY (`zone_id`) REFERENCES `zones`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `zones` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` integer NOT NULL,
	`name` text NOT NULL,
	`reversed` text NOT NULL,
	`node` text NOT NULL,
	`serial` integer NOT NULL,
	`published_serial` integer,
	`error` text,
	`dnssec` integer DEFAULT false NOT NULL,
	`ds` text DEFAULT '[]' NOT NULL,
	`site_id` integer,
	`customised` integer DEFAULT false NOT NULL,
	`state` text DEFAULT 'activa' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`site_id`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `zones_name_unique` ON `zones` (`name`);--> statement-breakpoint
CREATE INDEX `zones_client` ON `zones` (`client_id`,`name`);--> statement-breakpoint
CREATE INDEX `zones_node` ON `zones` (`node`);--> statement-breakpoint
CREATE INDEX `zones_reversed` ON `zones` (`reversed`);