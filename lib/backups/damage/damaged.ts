import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { backupRepositories, clients } from '../../../schema/tables.ts'
import type { Db } from '../../store/database.ts'

/** The clients of a node whose repository is damaged or lost, with the stored fault. */
export const selectDamaged = (db: Db, node: string | null) =>
  db
    .select({ client: clients.name, node: clients.node, fault: sql<string>`${backupRepositories.fault}` })
    .from(backupRepositories)
    .innerJoin(clients, eq(clients.id, backupRepositories.clientId))
    .where(and(isNotNull(backupRepositories.fault), node === null ? undefined : eq(clients.node, node)))
    .orderBy(clients.name)
