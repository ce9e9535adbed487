CREATE TABLE `node_hours` (
	`node` text NOT NULL,
	`hour` text NOT NULL,
	`busy_seconds` real DEFAULT 0 NOT NULL,
	`idle_seconds` real DEFAULT 0 NOT NULL,
	`memory_bytes` integer,
	`disk_bytes` integer,
	`traffic_in` integer DEFAULT 0 NOT NULL,
	`traffic_out` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`node`, `hour`)
);
