/* Ways of running on after the customer's end. Arguments: the way, and a mark that stands in the process's name. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;
static char mark[64];

static void rest(void) { for (;;) pause(); }

/* Away from whoever started it: a session and a parent of its own, no terminal, no signal that it heeds. */
static void loose(void) {
  if (fork()) _exit(0);
  setsid();
  if (fork()) _exit(0);
  for (int number = 1; number < 65; number++) signal(number, number == SIGCHLD ? SIG_DFL : SIG_IGN);
  for (int file = 0; file < 1024; file++) close(file);
  open("/dev/null", O_RDWR), dup(0), dup(0);
}

static void *thread(void *none) { (void)none; rest(); return NULL; }
static void again(const char *way) { execl(self, mark, way, mark, (char *)0); }

/* Its first thread ends, and the process looks like a zombie. */
static void headless(void) {
  pthread_t one;
  pthread_create(&one, NULL, thread, NULL);
  pthread_exit(NULL);
}

/* Runs from memory: no file of it is anywhere. */
static void fromMemory(void) {
  int copy = memfd_create("x", 0), from = open("/proc/self/exe", O_RDONLY);
  char part[65536];
  for (ssize_t count; (count = read(from, part, sizeof part)) > 0;) write(copy, part, (size_t)count);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
  execl(path, mark, "rest", mark, (char *)0);
}

/* Each is the other's guard: whoever of the two ends is begun anew by the other. */
static void pair(void) {
  for (;;) {
    int ends[2];
    pipe(ends);
    pid_t other = fork();
    if (other < 0) { usleep(1000); continue; }
    if (other == 0) { close(ends[1]); char none; read(ends[0], &none, 1); close(ends[0]); continue; }
    close(ends[0]);
    waitpid(other, NULL, 0);
    close(ends[1]);
  }
}

/* Wakes up by a change of its directory, as a suspension makes it, and multiplies then. */
static void watchful(void) {
  int watch = inotify_init();
  inotify_add_watch(watch, "..", IN_ALL_EVENTS), inotify_add_watch(watch, ".", IN_ALL_EVENTS), inotify_add_watch(watch, "../..", IN_ALL_EVENTS);
  char events[4096];
  while (read(watch, events, sizeof events) > 0) for (int count = 0; count < 4; count++) if (fork() == 0) rest();
}

/* Never the same process for longer than a moment. */
static void chain(void) { for (;;) { if (fork() > 0) _exit(0); usleep(300); } }

static void kept(void) {
  int segment = shmget(IPC_PRIVATE, 65536, 0666 | IPC_CREAT);
  if (segment >= 0) shmat(segment, NULL, 0);
  shmget(IPC_PRIVATE, 4096, 0666 | IPC_CREAT), msgget(IPC_PRIVATE, 0666 | IPC_CREAT), semget(IPC_PRIVATE, 1, 0666 | IPC_CREAT);
  char name[80];
  snprintf(name, sizeof name, "/%s", mark);
  mq_open(name, O_RDWR | O_CREAT, 0666, NULL);
  shm_open(name, O_RDWR | O_CREAT, 0666);
  rest();
}

/* A namespace of processes ends with its first, which answers to nobody outside. */
static void apart(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS)) rest();
  for (int count = 0; count < 3; count++) if (fork() == 0) rest();
  rest();
}

/* Waits in the kernel for a child that shares its memory: signals wait with it, but for the one. */
static void inVfork(void) { if (vfork() == 0) { for (;;) pause(); } rest(); }

static void stopped(void) { for (;;) raise(SIGSTOP); }

/* Holds a file of its tree open and writes on in it, by whatever name that may be known now. */
static void holding(void) {
  int file = open("sostenido", O_RDWR | O_CREAT | O_APPEND, 0666);
  unlink("sostenido");
  for (;;) { write(file, "x", 1); usleep(100000); }
}

/* Serves from the sockets that it was given open: those of the web server's requests. */
static void thief(void) {
  if (fork()) _exit(0);
  setsid();
  for (;;) {
    for (int file = 0; file < 1024; file++) {
      int listens = 0;
      socklen_t size = sizeof listens;
      if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) || !listens) continue;
      fcntl(file, F_SETFL, O_NONBLOCK);
    }
    usleep(10000);
  }
}

/* Under the name of what may stay: the main process and an idle worker of PHP. */
static void disguised(const char *name) {
  prctl(PR_SET_NAME, "php-fpm8.2");
  execl(self, name, "rest", mark, (char *)0);
}

static void every(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec often = {{0, 50000000}, {0, 50000000}};
  timerfd_settime(timer, 0, &often, NULL);
  for (unsigned long long count; read(timer, &count, sizeof count) > 0;) if (fork() == 0) { usleep(200000); _exit(0); } else while (waitpid(-1, NULL, WNOHANG) > 0);
}

int main(int count, char **words) {
  if (count < 3) return 1;
  static char path[PATH_MAX];
  self = realpath("/proc/self/exe", path);
  snprintf(mark, sizeof mark, "%s", words[2]);
  const char *way = words[1];
  if (!strcmp(way, "rest")) rest();
  if (!strcmp(way, "thief")) thief();
  loose();
  prctl(PR_SET_NAME, mark);
  if (!strcmp(way, "daemon")) again("rest");
  if (!strcmp(way, "headless")) headless();
  if (!strcmp(way, "memory")) fromMemory();
  if (!strcmp(way, "pair")) pair();
  if (!strcmp(way, "watchful")) watchful();
  if (!strcmp(way, "chain")) chain();
  if (!strcmp(way, "kept")) kept();
  if (!strcmp(way, "apart")) apart();
  if (!strcmp(way, "vfork")) inVfork();
  if (!strcmp(way, "stopped")) stopped();
  if (!strcmp(way, "holding")) holding();
  if (!strcmp(way, "every")) every();
  if (!strcmp(way, "worker")) disguised("php-fpm: pool cp1");
  if (!strcmp(way, "main")) disguised("php-fpm: master process (/etc/php/8.2/fpm/php-fpm.conf)");
  rest();
  return 0;
}
