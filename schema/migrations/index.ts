import init from './0000_init.sql' with { type: 'text' }
import clientStays from './0001_client_stays.sql' with { type: 'text' }
import followAndRelease from './0002_follow_and_release.sql' with { type: 'text' }
import accounts from './0003_accounts.sql' with { type: 'text' }
import nodeOrigin from './0004_node_origin.sql' with { type: 'text' }
import planConfinement from './0005_plan_confinement.sql' with { type: 'text' }
import linkAskedBy from './0006_link_asked_by.sql' with { type: 'text' }
import nameProofs from './0007_name_proofs.sql' with { type: 'text' }
import siteCache from './0008_site_cache.sql' with { type: 'text' }
import planParts from './0009_plan_parts.sql' with { type: 'text' }
import databases from './0010_databases.sql' with { type: 'text' }
import sftpAccounts from './0011_sftp_accounts.sql' with { type: 'text' }
import schedules from './0012_schedules.sql' with { type: 'text' }
import applications from './0013_applications.sql' with { type: 'text' }
import siteRules from './0014_site_rules.sql' with { type: 'text' }
import customersMail from './0015_customers_mail.sql' with { type: 'text' }
import phpSettings from './0016_php_settings.sql' with { type: 'text' }
import backups from './0017_backups.sql' with { type: 'text' }
import clones from './0018_clones.sql' with { type: 'text' }
import nodeCopied from './0019_node_copied.sql' with { type: 'text' }
import moves from './0020_moves.sql' with { type: 'text' }
import imports from './0021_imports.sql' with { type: 'text' }
import summary from './0022_summary.sql' with { type: 'text' }
import events from './0023_events.sql' with { type: 'text' }
import errorPages from './0024_error_pages.sql' with { type: 'text' }
import movesKept from './0025_moves_kept.sql' with { type: 'text' }
import search from './0026_search.sql' with { type: 'text' }
import movesWaits from './0027_moves_waits.sql' with { type: 'text' }
import indexFiles from './0028_index_files.sql' with { type: 'text' }
import copiesKnown from './0029_copies_known.sql' with { type: 'text' }
import zoneHistory from './0030_zone_history.sql' with { type: 'text' }
import auditAddress from './0031_audit_address.sql' with { type: 'text' }
import recordSearch from './0032_record_search.sql' with { type: 'text' }
import webhooks from './0033_webhooks.sql' with { type: 'text' }
import nameSearch from './0034_name_search.sql' with { type: 'text' }
import zoneBytes from './0035_zone_bytes.sql' with { type: 'text' }
import ownWays from './0036_own_ways.sql' with { type: 'text' }
import copiesStore from './0037_copies_store.sql' with { type: 'text' }
import passkeys from './0038_passkeys.sql' with { type: 'text' }
import nodeHours from './0039_node_hours.sql' with { type: 'text' }
import copiesFaults from './0040_copies_faults.sql' with { type: 'text' }
import goneRepositories from './0041_gone_repositories.sql' with { type: 'text' }

/** Every migration, in order, embedded in the code. Applied ones never change. */
export const MIGRATIONS: { name: string; sql: string }[] = [
  { name: '0000_init', sql: init },
  { name: '0001_client_stays', sql: clientStays },
  { name: '0002_follow_and_release', sql: followAndRelease },
  { name: '0003_accounts', sql: accounts },
  { name: '0004_node_origin', sql: nodeOrigin },
  { name: '0005_plan_confinement', sql: planConfinement },
  { name: '0006_link_asked_by', sql: linkAskedBy },
  { name: '0007_name_proofs', sql: nameProofs },
  { name: '0008_site_cache', sql: siteCache },
  { name: '0009_plan_parts', sql: planParts },
  { name: '0010_databases', sql: databases },
  { name: '0011_sftp_accounts', sql: sftpAccounts },
  { name: '0012_schedules', sql: schedules },
  { name: '0013_applications', sql: applications },
  { name: '0014_site_rules', sql: siteRules },
  { name: '0015_customers_mail', sql: customersMail },
  { name: '0016_php_settings', sql: phpSettings },
  { name: '0017_backups', sql: backups },
  { name: '0018_clones', sql: clones },
  { name: '0019_node_copied', sql: nodeCopied },
  { name: '0020_moves', sql: moves },
  { name: '0021_imports', sql: imports },
  { name: '0022_summary', sql: summary },
  { name: '0023_events', sql: events },
  { name: '0024_error_pages', sql: errorPages },
  { name: '0025_moves_kept', sql: movesKept },
  { name: '0026_search', sql: search },
  { name: '0027_moves_waits', sql: movesWaits },
  { name: '0028_index_files', sql: indexFiles },
  { name: '0029_copies_known', sql: copiesKnown },
  { name: '0030_zone_history', sql: zoneHistory },
  { name: '0031_audit_address', sql: auditAddress },
  { name: '0032_record_search', sql: recordSearch },
  { name: '0033_webhooks', sql: webhooks },
  { name: '0034_name_search', sql: nameSearch },
  { name: '0035_zone_bytes', sql: zoneBytes },
  { name: '0036_own_ways', sql: ownWays },
  { name: '0037_copies_store', sql: copiesStore },
  { name: '0038_passkeys', sql: passkeys },
  { name: '0039_node_hours', sql: nodeHours },
  { name: '0040_copies_faults', sql: copiesFaults },
  { name: '0041_gone_repositories', sql: goneRepositories },
]
