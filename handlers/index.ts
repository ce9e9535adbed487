import type { Handler } from '../lib/endpoint/handler.ts'
import accessEnrolFactor from './access/enrol-factor.ts'
import accessForgotten from './access/forgotten.ts'
import accessLink from './access/link.ts'
import accessRenew from './access/renew.ts'
import accessSecondFactor from './access/second-factor.ts'
import accessSignIn from './access/sign-in.ts'
import accessSignOut from './access/sign-out.ts'
import accessSpendLink from './access/spend-link.ts'
import { appearanceHandlers } from './appearance/index.ts'
import { applicationHandlers } from './applications/index.ts'
import auditList from './audit/list.ts'
import { backupHandlers } from './backups/index.ts'
import clientsActivate from './clients/activate.ts'
import clientsCreate from './clients/create.ts'
import clientsImpersonate from './clients/impersonate.ts'
import clientsList from './clients/list.ts'
import clientsPlan from './clients/plan.ts'
import clientsRemove from './clients/remove.ts'
import clientsShow from './clients/show.ts'
import clientsSuspend from './clients/suspend.ts'
import clientsUpdate from './clients/update.ts'
import connectionShow from './connection/show.ts'
import { cronHandlers } from './cron/index.ts'
import databasesCreate from './databases/create.ts'
import databasesCreateAccount from './databases/create-account.ts'
import databasesDump from './databases/dump.ts'
import databasesList from './databases/list.ts'
import databasesLoad from './databases/load.ts'
import databasesRemove from './databases/remove.ts'
import databasesRemoveAccount from './databases/remove-account.ts'
import databasesSession from './databases/session.ts'
import databasesShow from './databases/show.ts'
import eventsList from './events/list.ts'
import filesBin from './files/bin.ts'
import filesList from './files/list.ts'
import filesOperate from './files/operate.ts'
import filesPack from './files/pack.ts'
import filesRead from './files/read.ts'
import filesRemove from './files/remove.ts'
import filesSearch from './files/search.ts'
import filesUploadAppend from './files/upload-append.ts'
import filesUploadCreate from './files/upload-create.ts'
import filesUploadRemove from './files/upload-remove.ts'
import filesUploadShow from './files/upload-show.ts'
import filesWrite from './files/write.ts'
import importsCreate from './imports/create.ts'
import importsList from './imports/list.ts'
import jobsCancel from './jobs/cancel.ts'
import jobsList from './jobs/list.ts'
import jobsRetry from './jobs/retry.ts'
import jobsShow from './jobs/show.ts'
import loginsCreate from './logins/create.ts'
import loginsEmail from './logins/email.ts'
import loginsFactor from './logins/factor.ts'
import loginsReset from './logins/reset.ts'
import loginsShow from './logins/show.ts'
import logsHours from './logs/hours.ts'
import logsList from './logs/list.ts'
import { mailHandlers } from './mail/index.ts'
import meConfirmFactor from './me/confirm-factor.ts'
import meEndSession from './me/end-session.ts'
import meFactor from './me/factor.ts'
import mePassword from './me/password.ts'
import meRecoveryCodes from './me/recovery-codes.ts'
import meSessions from './me/sessions.ts'
import meShow from './me/show.ts'
import meUpdate from './me/update.ts'
import { mirrorHandlers } from './mirror/index.ts'
import { moveHandlers } from './moves/index.ts'
import nodesHistory from './nodes/history.ts'
import nodesList from './nodes/list.ts'
import nodesRemove from './nodes/remove.ts'
import nodesShow from './nodes/show.ts'
import { passkeyHandlers } from './passkeys/index.ts'
import personsFactor from './persons/factor.ts'
import personsInvite from './persons/invite.ts'
import personsList from './persons/list.ts'
import personsUpdate from './persons/update.ts'
import plansCreate from './plans/create.ts'
import plansList from './plans/list.ts'
import plansRemove from './plans/remove.ts'
import plansShow from './plans/show.ts'
import plansUpdate from './plans/update.ts'
import { providerHandlers } from './provider/index.ts'
import provisionsPut from './provisions/put.ts'
import { scheduleHandlers } from './schedules/index.ts'
import { sftpHandlers } from './sftp/index.ts'
import sitesConnection from './sites/connection.ts'
import sitesCreate from './sites/create.ts'
import sitesEmptyCache from './sites/empty-cache.ts'
import sitesFirstPage from './sites/first-page.ts'
import sitesGuardPassword from './sites/guard-password.ts'
import sitesHtaccess from './sites/htaccess.ts'
import sitesHttps from './sites/https.ts'
import sitesList from './sites/list.ts'
import sitesRemove from './sites/remove.ts'
import sitesShow from './sites/show.ts'
import sitesUpdate from './sites/update.ts'
import summarySetup from './summary/setup.ts'
import summaryShow from './summary/show.ts'
import tokensCreate from './tokens/create.ts'
import tokensList from './tokens/list.ts'
import tokensRevoke from './tokens/revoke.ts'
import { trashHandlers } from './trash/index.ts'
import usageHistory from './usage/history.ts'
import usageList from './usage/list.ts'
import usageShow from './usage/show.ts'
import { webhookHandlers } from './webhooks/index.ts'
import { zoneHandlers } from './zones/index.ts'

/** Every endpoint. An explicit list: a directory scan cannot be bundled for a function host. */
export const handlers: Handler[] = [
  connectionShow,
  summarySetup,
  summaryShow,
  ...mailHandlers,
  clientsActivate,
  clientsCreate,
  clientsImpersonate,
  clientsList,
  clientsPlan,
  clientsRemove,
  clientsShow,
  clientsSuspend,
  clientsUpdate,
  usageHistory,
  usageList,
  usageShow,
  loginsCreate,
  loginsEmail,
  loginsFactor,
  loginsReset,
  loginsShow,
  logsHours,
  logsList,
  provisionsPut,
  sitesConnection,
  sitesCreate,
  sitesEmptyCache,
  sitesFirstPage,
  sitesGuardPassword,
  sitesHtaccess,
  sitesHttps,
  sitesList,
  sitesRemove,
  sitesShow,
  sitesUpdate,
  databasesCreate,
  databasesDump,
  databasesList,
  databasesLoad,
  databasesRemove,
  databasesShow,
  databasesSession,
  databasesCreateAccount,
  databasesRemoveAccount,
  filesList,
  filesOperate,
  filesPack,
  filesSearch,
  filesBin,
  filesRead,
  filesRemove,
  filesUploadAppend,
  filesUploadCreate,
  filesUploadRemove,
  filesUploadShow,
  filesWrite,
  plansCreate,
  plansList,
  plansRemove,
  plansShow,
  plansUpdate,
  tokensCreate,
  tokensList,
  tokensRevoke,
  personsFactor,
  personsInvite,
  personsList,
  personsUpdate,
  meConfirmFactor,
  meEndSession,
  meFactor,
  mePassword,
  meRecoveryCodes,
  meSessions,
  meShow,
  meUpdate,
  auditList,
  eventsList,
  jobsList,
  jobsShow,
  jobsRetry,
  importsList,
  importsCreate,
  ...trashHandlers,
  jobsCancel,
  nodesHistory,
  nodesList,
  nodesRemove,
  nodesShow,
  accessEnrolFactor,
  accessForgotten,
  accessLink,
  accessRenew,
  accessSecondFactor,
  accessSignIn,
  accessSignOut,
  accessSpendLink,
  ...appearanceHandlers,
  ...applicationHandlers,
  ...backupHandlers,
  ...moveHandlers,
  ...scheduleHandlers,
  ...sftpHandlers,
  ...zoneHandlers,
  ...providerHandlers,
  ...mirrorHandlers,
  ...passkeyHandlers,
  ...webhookHandlers,
  ...cronHandlers,
]
