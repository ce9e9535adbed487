CREATE TABLE `gone_repositories` (
	`name` text PRIMARY KEY NOT NULL,
	`client` text NOT NULL,
	`node` text NOT NULL,
	`store` text NOT NULL,
	`gone_at` integer NOT NULL
);
