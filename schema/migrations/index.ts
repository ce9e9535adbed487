import init from './0000_init.sql' with { type: 'text' }
import clientStays from './0001_client_stays.sql' with { type: 'text' }
import followAndRelease from './0002_follow_and_release.sql' with { type: 'text' }
import accounts from './0003_accounts.sql' with { type: 'text' }
import nodeOrigin from './0004_node_origin.sql' with { type: 'text' }

/** Every migration, in order, embedded in the code. Applied ones never change. */
export const MIGRATIONS: { name: string; sql: string }[] = [
  { name: '0000_init', sql: init },
  { name: '0001_client_stays', sql: clientStays },
  { name: '0002_follow_and_release', sql: followAndRelease },
  { name: '0003_accounts', sql: accounts },
  { name: '0004_node_origin', sql: nodeOrigin },
]
