import { dlopen, FFIType, type Pointer, read } from 'bun:ffi'

// <linux/posix_acl_xattr.h>
const VERSION = 2
const TAG = { userObject: 0x01, user: 0x02, groupObject: 0x04, mask: 0x10, other: 0x20 } as const
const NO_ID = 0xffffffff
const EXECUTE = 1
const READ = 4 | EXECUTE
const ALL = 7
const ENTRY_BYTES = 8
/** More than any list of the panel's takes, in bytes. */
const LONGEST_LIST = 1024
/** EOPNOTSUPP of errno(3): the file system has no lists. */
const NOT_SUPPORTED = 95

type Entry = [tag: number, permission: number, id: number]

/** The kernel's access control lists. Each answers false where the file system has none. */
export type AccessLists = {
  /**
   * Lets the given users, besides the owner, pass through a directory, and nobody else. Mode bits cannot say that: the
   * web server and one customer must pass, the other customers not, and no group holds just these two.
   */
  passOnlyFor(path: string, uids: number[]): boolean
  /** Whether `passOnlyFor` would change anything; false where it could not. */
  lacksPassOnlyFor(path: string, uids: number[]): boolean
  /**
   * What is made below a directory from now on is these users' to read, whoever makes it, as far as its maker lets its
   * group read it. The group alone would do for the web server until a client program sets a folder's mode, by which
   * its inheriting bit is lost; the customer reads so what root puts there, since a list passes nothing on to others.
   */
  readableTo(path: string, uids: number[]): boolean
  /** Lets all pass through a directory and list it, but the given users. */
  closedTo(path: string, uids: number[]): boolean
}

export function openAccessLists(): AccessLists {
  const { symbols } = dlopen('libc.so.6', {
    setxattr: {
      args: [FFIType.cstring, FFIType.cstring, FFIType.ptr, FFIType.u64, FFIType.i32],
      returns: FFIType.i32,
    },
    getxattr: { args: [FFIType.cstring, FFIType.cstring, FFIType.ptr, FFIType.u64], returns: FFIType.i64 },
    __errno_location: { args: [], returns: FFIType.ptr },
  })
  const set = (path: string, kind: 'access' | 'default', entries: Entry[]) => {
    const value = encode(entries)
    const name = Buffer.from(`system.posix_acl_${kind}\0`)
    return symbols.setxattr(Buffer.from(`${path}\0`), name, value, value.byteLength, 0) === 0
  }
  const passing = (uids: number[]) => list(uids, { user: EXECUTE, group: 0 })
  return {
    passOnlyFor: (path, uids) => set(path, 'access', passing(uids)),
    lacksPassOnlyFor(path, uids) {
      const [wanted, found] = [encode(passing(uids)), new Uint8Array(LONGEST_LIST)]
      const name = Buffer.from('system.posix_acl_access\0')
      const size = Number(symbols.getxattr(Buffer.from(`${path}\0`), name, found, found.byteLength))
      if (size < 0) return read.i32(symbols.__errno_location() as Pointer) !== NOT_SUPPORTED
      return Buffer.compare(found.subarray(0, size), wanted) !== 0
    },
    readableTo: (path, uids) => set(path, 'default', list(uids, { user: READ, group: READ })),
    closedTo: (path, uids) => set(path, 'access', all({ but: uids })),
  }
}

const all = ({ but }: { but: number[] }): Entry[] => [
  [TAG.userObject, ALL, NO_ID],
  ...inOrder(but).map((uid): Entry => [TAG.user, 0, uid]),
  [TAG.groupObject, READ, NO_ID],
  [TAG.mask, READ, NO_ID],
  [TAG.other, READ, NO_ID],
]

const list = (uids: number[], may: { user: number; group: number }): Entry[] => [
  [TAG.userObject, ALL, NO_ID],
  ...inOrder(uids).map((uid): Entry => [TAG.user, may.user, uid]),
  [TAG.groupObject, may.group, NO_ID],
  [TAG.mask, may.user, NO_ID],
  [TAG.other, 0, NO_ID],
]

/** The kernel refuses a list whose users are not. */
const inOrder = (uids: number[]) => [...new Set(uids)].sort((a, b) => a - b)

function encode(entries: Entry[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 + ENTRY_BYTES * entries.length))
  view.setUint32(0, VERSION, true)
  for (const [index, [tag, permission, who]] of entries.entries()) {
    const offset = 4 + ENTRY_BYTES * index
    view.setUint16(offset, tag, true)
    view.setUint16(offset + 2, permission, true)
    view.setUint32(offset + 4, who, true)
  }
  return new Uint8Array(view.buffer)
}
