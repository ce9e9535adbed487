/** <linux/filter.h>, <linux/seccomp.h>, <linux/audit.h>, <asm-generic/errno.h> */
const LOAD = 0x20
const EQUAL = 0x15
const GREATER = 0x25
const ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
const REFUSE = 0x00050000
const AT_NUMBER = 0
const AT_MACHINE = 4
const atArgument = (index: number) => 16 + 8 * index
const EPERM = 1
const EACCES = 13
const ENOSYS = 38
const EPROTONOSUPPORT = 93
const EAFNOSUPPORT = 97

const MACHINES = { x86_64: 0xc000003e, aarch64: 0xc00000b7 } as const
export type Machine = keyof typeof MACHINES

/** Numbers at and above this are calls of x86_64 for programs of 32 bits (x32). */
const X32 = 0x40000000
/** The last system call of Linux 6.1, Debian 12's. Programs fall back from later ones, which are refused to customers. */
const LAST_KNOWN = 450

/** The namespaces that `clone` could make: mounts, groups, names, messages, users, processes, network. */
const NAMESPACES = 0x7e020000
/** AF_UNIX; of AF_NETLINK only what lists addresses, which the look-up of names asks. */
const UNIX = 1
const NETLINK = 16
const INTERNET = { four: 2, six: 10 }
/**
 * The default, ICMP, TCP, UDP, ICMPv6. Asked for others, such as SCTP, the kernel loads their modules, and some of them
 * bind without bind().
 */
const PROTOCOLS = [0, 1, 6, 17, 58]
/** TIOCSTI and TIOCLINUX put keystrokes into somebody else's terminal. */
const TYPING = [0x5412, 0x541c]
/** On btrfs: SNAP_CREATE, SUBVOL_CREATE and their second versions. What is in a subvolume is outside the plan's quota. */
const SUBVOLUMES = [0x50009401, 0x5000940e, 0x50009417, 0x50009418]
const READ_PERSONALITY = 0xffffffff

/** By name: the number on x86_64 and on aarch64, one where both have the same, null where there is none. */
type Numbers = number | readonly [number, number | null]

/**
 * Only root and the panel's services may listen on a port, whatever its number: refused with EACCES, like ports below
 * 1024.
 */
const LISTENING: Record<string, Numbers> = { bind: [49, 200], listen: [50, 201] }

/** System calls that a site never needs, and that were used to break out of containers. */
const REFUSED: Record<string, Numbers> = {
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  unshare: [272, 97],
  setns: [308, 268],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  // Its requests are counted for the whole machine.
  io_setup: [206, 0],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: 440,
  process_mrelease: 448,
  pidfd_getfd: 438,
  kcmp: [312, 272],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  create_module: [174, null],
  init_module: [175, 105],
  delete_module: [176, 106],
  get_kernel_syms: [177, null],
  query_module: [178, null],
  finit_module: [313, 273],
  nfsservctl: [180, 42],
  quotactl: [179, 60],
  quotactl_fd: 443,
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  syslog: [103, 116],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  uselib: [134, null],
  sysfs: [139, null],
  _sysctl: [156, null],
  lookup_dcookie: [212, 18],
  vhangup: [153, 58],
  fanotify_init: [300, 262],
  memfd_secret: 447,
}

const CHECKED = {
  ioctl: [16, 29],
  socket: [41, 198],
  clone: [56, 220],
  personality: [135, 92],
  clone3: [435, 435],
} as const

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/**
 * A seccomp(2) filter for clients' programs that allows all system calls but those that reach beyond the cage. A
 * refused call fails; the program is not killed.
 */
export function callFilter(machine: Machine): Uint8Array {
  const column = machine === 'x86_64' ? 0 : 1
  const numberOf = (numbers: Numbers) => (typeof numbers === 'number' ? numbers : numbers[column])
  const refuseAll = (calls: Record<string, Numbers>, error: number) =>
    Object.values(calls).flatMap((numbers) => {
      const number = numberOf(numbers)
      return number === null ? [] : [test(EQUAL, number, [0, 1]), refuse(error)]
    })
  return encode([
    load(AT_MACHINE),
    test(EQUAL, MACHINES[machine], [1, 0]),
    refuse(ENOSYS),
    load(AT_NUMBER),
    ...(machine === 'x86_64' ? [test(GREATER, X32 - 1, [0, 1]), refuse(ENOSYS)] : []),
    test(GREATER, LAST_KNOWN, [0, 1]),
    refuse(ENOSYS),
    ...checks(column),
    ...refuseAll(LISTENING, EACCES),
    ...refuseAll(REFUSED, EPERM),
    give(ALLOW),
  ])
}

/** Calls that are refused depending on their arguments. */
function checks(column: 0 | 1): Instruction[] {
  return [
    ...when(CHECKED.ioctl[column], [
      load(atArgument(1)),
      ...[...TYPING, ...SUBVOLUMES].flatMap((one) => [test(EQUAL, one, [0, 1]), refuse(EPERM)]),
      give(ALLOW),
    ]),
    ...when(CHECKED.clone[column], [
      load(atArgument(0)),
      test(ANY_BIT, NAMESPACES, [0, 1]),
      refuse(EPERM),
      give(ALLOW),
    ]),
    // The arguments of `clone3` are in memory, where no filter sees them, so it is refused and programs fall back to
    // `clone`.
    ...when(CHECKED.clone3[column], [refuse(ENOSYS)]),
    ...when(CHECKED.socket[column], [
      load(atArgument(0)),
      test(EQUAL, UNIX, [0, 1]),
      give(ALLOW),
      test(EQUAL, NETLINK, [0, 4]),
      load(atArgument(2)),
      test(EQUAL, 0, [1, 0]),
      refuse(EAFNOSUPPORT),
      give(ALLOW),
      test(EQUAL, INTERNET.four, [2, 0]),
      test(EQUAL, INTERNET.six, [1, 0]),
      refuse(EAFNOSUPPORT),
      load(atArgument(2)),
      ...PROTOCOLS.flatMap((protocol) => [test(EQUAL, protocol, [0, 1]), give(ALLOW)]),
      refuse(EPROTONOSUPPORT),
    ]),
    ...when(CHECKED.personality[column], [
      load(atArgument(0)),
      ...[0, READ_PERSONALITY].flatMap((one) => [test(EQUAL, one, [0, 1]), give(ALLOW)]),
      refuse(EPERM),
    ]),
  ]
}

/**
 * The instructions for one call. Each path through them ends in an answer, so the call's number stays loaded for the
 * next test.
 */
const when = (number: number, steps: Instruction[]): Instruction[] => [
  test(EQUAL, number, [0, steps.length]),
  ...steps,
]

const load = (offset: number): Instruction => [LOAD, 0, 0, offset]
const give = (answer: number): Instruction => [RETURN, 0, 0, answer]
const refuse = (error: number): Instruction => give(REFUSE | error)
/** `skip`: how many instructions to skip if the test is true, and if it is false. */
const test = (code: number, value: number, skip: [number, number]): Instruction => [code, ...skip, value]

function encode(program: Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    view.setUint16(index * 8, code, true)
    view.setUint8(index * 8 + 2, ifTrue)
    view.setUint8(index * 8 + 3, ifFalse)
    view.setUint32(index * 8 + 4, value, true)
  }
  return new Uint8Array(view.buffer)
}
