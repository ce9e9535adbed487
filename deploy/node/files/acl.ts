import { dlopen, FFIType } from 'bun:ffi'

// <linux/posix_acl_xattr.h>
const VERSION = 2
const TAG = { userObject: 0x01, user: 0x02, groupObject: 0x04, mask: 0x10, other: 0x20 } as const
const NO_ID = 0xffffffff
const EXECUTE = 1
const ALL = 7
const ENTRY_BYTES = 8

export type PassOnlyFor = (path: string, uids: number[]) => boolean

/**
 * Opens the kernel's access control lists. The function lets the given users, besides the owner, pass through
 * a directory, and nobody else. Mode bits cannot say that: the web server and one customer must pass, the
 * other customers not, and no group holds just these two. It answers false where the file system has no lists.
 */
export function openAccessLists(): PassOnlyFor {
  const { symbols } = dlopen('libc.so.6', {
    setxattr: {
      args: [FFIType.cstring, FFIType.cstring, FFIType.ptr, FFIType.u64, FFIType.i32],
      returns: FFIType.i32,
    },
  })
  return (path, uids) => {
    const value = encode(uids)
    const name = Buffer.from('system.posix_acl_access\0')
    return symbols.setxattr(Buffer.from(`${path}\0`), name, value, value.byteLength, 0) === 0
  }
}

function encode(uids: number[]): Uint8Array {
  const entries: [tag: number, permission: number, id: number][] = [
    [TAG.userObject, ALL, NO_ID],
    // The kernel refuses a list whose users are not in order.
    ...[...new Set(uids)]
      .sort((a, b) => a - b)
      .map((uid): [number, number, number] => [TAG.user, EXECUTE, uid]),
    [TAG.groupObject, 0, NO_ID],
    [TAG.mask, EXECUTE, NO_ID],
    [TAG.other, 0, NO_ID],
  ]
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
