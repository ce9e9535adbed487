/* Takes as much of one thing as it is given, says how much, and holds it for a while. Arguments: what, how much at most, seconds. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MB (1024L * 1024)
static long most, seconds;

static void told(const char *what, long count) { printf("%s %ld\n", what, count), fflush(stdout); }
static void hold(void) { sleep((unsigned)seconds); }

static void raiseLimit(void) {
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

static void processes(int dead) {
  long count = 0;
  for (; count < most; count++) {
    pid_t child = fork();
    if (child < 0) break;
    if (child == 0) { if (!dead) hold(); _exit(0); }
  }
  told("processes", count), hold();
}

static void memory(void) {
  for (long count = 0; count < most; count += 8) {
    char *part = mmap(NULL, 8 * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (part == MAP_FAILED) return;
    memset(part, 1, 8 * MB), told("megabytes", count + 8);
  }
  hold();
}

static void segments(void) {
  for (long count = 0; count < most; count += 8) {
    int number = shmget(IPC_PRIVATE, 8 * MB, 0600 | IPC_CREAT);
    char *part = number < 0 ? (char *)-1 : shmat(number, NULL, 0);
    if (part == (char *)-1) return;
    memset(part, 1, 8 * MB), shmdt(part), told("megabytes", count + 8);
  }
  hold();
}

/* A file in memory: by a name, or without any. */
static void fileIn(const char *path) {
  static char part[MB];
  memset(part, 1, sizeof part);
  int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : memfd_create("x", 0);
  for (long count = 0; file >= 0 && count < most; count++) {
    if (write(file, part, sizeof part) != sizeof part) break;
    if (count % 8 == 7) told("megabytes", count + 1);
  }
  hold();
  if (path) unlink(path);
}

static void pairs(void) {
  static char part[65536];
  raiseLimit();
  long bytes = 0;
  for (int ends[2]; bytes < most * MB && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0;)
    for (ssize_t sent; (sent = write(ends[0], part, sizeof part)) > 0;) {
      if (bytes / (8 * MB) != (bytes + sent) / (8 * MB)) told("megabytes", (bytes + sent) / MB);
      bytes += sent;
    }
  hold();
}

static void files(void) {
  raiseLimit();
  long count = 0;
  while (count < most && open("/dev/null", O_RDONLY) >= 0) count++;
  told("files", count), hold();
}

static void semaphores(void) {
  long count = 0;
  while (count < most && semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT) >= 0) count++;
  told("semaphores", count), hold();
}

static void watches(void) {
  raiseLimit();
  long count = 0;
  while (count < most && inotify_init() >= 0) count++;
  told("watches", count), hold();
}

static void processor(void) {
  struct timespec begun, now;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  for (long count = 0; count < most; count++)
    if (fork() == 0)
      for (volatile long spin = 0;; spin++) {
        if (spin % 1000000) continue;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - begun.tv_sec >= seconds) _exit(0);
      }
  while (wait(NULL) > 0);
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  clock_gettime(CLOCK_MONOTONIC, &now);
  double wall = (double)(now.tv_sec - begun.tv_sec) + (double)(now.tv_nsec - begun.tv_nsec) / 1e9;
  told("percent", (long)(100 * ((double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6) / wall));
}

/* Connections that say half of a request, from several processes as one may hold so many. */
static void connections(int port) {
  struct sockaddr_in where = {AF_INET, htons((uint16_t)port), {htonl(INADDR_LOOPBACK)}, {0}};
  for (int child = 0; child < 12; child++) {
    if (fork()) continue;
    raiseLimit();
    long count = 0;
    for (; count < most / 12; count++) {
      int file = socket(AF_INET, SOCK_STREAM, 0);
      if (file < 0) break;
      if (connect(file, (struct sockaddr *)&where, sizeof where) == 0) send(file, "GET / HTTP/1.1\r\nHost: ", 22, MSG_NOSIGNAL);
    }
    told("connections", count), hold();
    _exit(0);
  }
  while (wait(NULL) > 0);
}

int main(int count, char **words) {
  if (count < 4) return 1;
  most = atol(words[2]), seconds = atol(words[3]);
  const char *what = words[1];
  if (!strcmp(what, "processes")) processes(0);
  if (!strcmp(what, "zombies")) processes(1);
  if (!strcmp(what, "memory")) memory();
  if (!strcmp(what, "segments")) segments();
  if (!strcmp(what, "nameless")) fileIn(NULL);
  if (!strcmp(what, "file") && count > 4) fileIn(words[4]);
  if (!strcmp(what, "pairs")) pairs();
  if (!strcmp(what, "files")) files();
  if (!strcmp(what, "semaphores")) semaphores();
  if (!strcmp(what, "watches")) watches();
  if (!strcmp(what, "processor")) processor();
  if (!strcmp(what, "connections") && count > 4) connections(atoi(words[4]));
  printf("spent\n");
  return 0;
}
