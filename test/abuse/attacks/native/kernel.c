/* Asks the kernel for what no web page needs; prints which of it was granted. Each is tried in a child of its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char room[4096];

#define TRY(name, call)                                                             \
  do {                                                                              \
    pid_t child = fork();                                                           \
    if (child == 0) {                                                               \
      errno = 0;                                                                    \
      long got = (long)(call);                                                      \
      printf("%s %s %d\n", got >= 0 ? "granted" : "refused", name, got >= 0 ? 0 : errno); \
      fflush(stdout);                                                               \
      _exit(0);                                                                     \
    }                                                                               \
    int status = 0;                                                                 \
    waitpid(child, &status, 0);                                                     \
    if (WIFSIGNALED(status)) printf("refused %s by signal %d\n", name, WTERMSIG(status)); \
    fflush(stdout);                                                                 \
  } while (0)

int main(void) {
  /* To root much of this would be granted, and done to the whole machine. */
  if (geteuid() == 0 || getuid() == 0) return 2;
  memset(room, 0, sizeof room);
  static const struct { const char *name; int flag; } spaces[] = {
      {"user namespace", CLONE_NEWUSER}, {"user and mount namespaces", CLONE_NEWUSER | CLONE_NEWNS},
      {"user and network namespaces", CLONE_NEWUSER | CLONE_NEWNET}, {"user and process namespaces", CLONE_NEWUSER | CLONE_NEWPID},
      {"mount namespace", CLONE_NEWNS}, {"control group namespace", CLONE_NEWUSER | CLONE_NEWCGROUP}};
  for (size_t at = 0; at < sizeof spaces / sizeof *spaces; at++) TRY(spaces[at].name, unshare(spaces[at].flag));
  uint64_t clone3[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
  TRY("clone3 with a user namespace", syscall(SYS_clone3, clone3, sizeof clone3));
  TRY("clone with a user namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
  TRY("setns", ({ int file = open("/proc/1/ns/mnt", O_RDONLY); setns(file, 0); }));
  TRY("io_uring", syscall(SYS_io_uring_setup, 4, room));
  unsigned long aio = 0;
  TRY("asynchronous i/o", syscall(SYS_io_setup, 8, &aio));
  TRY("calls newer than Linux 6.1: cachestat", syscall(451, 0, room, room, 0));
  TRY("calls newer than Linux 6.1: map_shadow_stack", syscall(453, 0, 4096, 0));
  TRY("calls newer than Linux 6.1: lsm_list_modules", syscall(461, room, room, 0));
  TRY("calls newer than Linux 6.1: mseal", syscall(462, room, 0, 0));
  uint64_t map[16] = {0}; ((uint32_t *)map)[0] = 2; ((uint32_t *)map)[1] = 4; ((uint32_t *)map)[2] = 4; ((uint32_t *)map)[3] = 1;
  TRY("bpf", syscall(SYS_bpf, 0, map, 72));
  uint32_t event[32] = {1, 128}; event[2] = 1;
  TRY("perf events", syscall(SYS_perf_event_open, event, 0, -1, -1, 0));
  TRY("userfaultfd", syscall(SYS_userfaultfd, 1));
  TRY("keys", syscall(SYS_add_key, "user", "mark", "x", 1, -3));
  TRY("key ring of the session", syscall(SYS_keyctl, 1, 0));
  TRY("mount", mount("none", "/tmp", "tmpfs", 0, ""));
  TRY("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
  TRY("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
  TRY("pivot_root", syscall(SYS_pivot_root, "/", "/"));
  TRY("chroot", chroot("/tmp"));
  TRY("kernel log", syscall(SYS_syslog, 3, room, sizeof room));
  TRY("module", syscall(SYS_init_module, room, 1, ""));
  TRY("kexec", syscall(SYS_kexec_load, 0, 0, room, 0));
  TRY("swap", syscall(SYS_swapoff, "/none"));
  TRY("host name", sethostname("taken", 5));
  TRY("clock", ({ struct timespec now = {1, 0}; syscall(SYS_clock_settime, 0, &now); }));
  TRY("fanotify", syscall(SYS_fanotify_init, 0x200, 0));
  TRY("quota", syscall(SYS_quotactl, 0x80000700, "/dev/vda", 0, room));
  TRY("accounting", syscall(SYS_acct, "/tmp/acct"));
  TRY("device", syscall(SYS_mknod, "device", 0020666, 0x101));
  TRY("i/o ports", syscall(SYS_iopl, 3));
  TRY("raised priority", syscall(SYS_setpriority, 0, 0, -10));
  struct { int p; } realtime = {1};
  TRY("real time", syscall(SYS_sched_setscheduler, 0, 1, &realtime));
  TRY("user 0", syscall(SYS_setuid, 0));
  TRY("group 0", syscall(SYS_setgid, 0));
  return 0;
}
