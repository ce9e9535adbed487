/** The steps of the node's web part, in order: each of them is one that the tests kill the process at. */
export const SYNC_CLIENT = ['client.user', 'client.directories', 'client.php', 'client.state']
/** Only for a client that the node has already. */
export const SUSPEND = 'client.suspend'
export const SYNC_SITE = ['site.directories', 'site.php', 'site.rules', 'site.certificate', 'site.routes']
export const REMOVE_SITE = ['site.unserve', 'site.php', 'site.files', 'site.forget']
export const REMOVE_CLIENT = [
  'client.unserve',
  'client.processes',
  'client.routes',
  'client.files',
  'client.user',
  'client.forget',
]
/** Of the pages where no site is served. */
export const PAGES = ['pages.write', 'pages.shown']
/** Of a client's databases: made, loaded, and dumped before they go. */
export const DATABASES = [
  'databases.server',
  'databases.accounts',
  'databases.made',
  'databases.rights',
  'database.fill',
  'database.exchange',
  'database.define',
  'database.clear',
  'database.close',
  'database.dump',
  'database.drop',
]
