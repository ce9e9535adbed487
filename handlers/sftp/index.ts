import type { Handler } from '../../lib/endpoint/handler.ts'
import create from './create.ts'
import keys from './keys.ts'
import list from './list.ts'
import password from './password.ts'
import remove from './remove.ts'
import removePassword from './remove-password.ts'

/** SFTP accounts of clients. */
export const sftpHandlers: Handler[] = [list, create, keys, password, removePassword, remove]
