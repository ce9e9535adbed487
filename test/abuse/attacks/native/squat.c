/* Waits for ports in a loop, for as many seconds as the first argument says; tells what it took, and what it was told there. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int take(int port, int way) {
  int family = way & 1 ? AF_INET6 : AF_INET, type = way & 2 ? SOCK_DGRAM : SOCK_STREAM, yes = 1;
  int file = socket(family, type | SOCK_NONBLOCK, 0);
  if (file < 0) return -1;
  struct sockaddr_in6 six = {AF_INET6, htons((uint16_t)port), 0, IN6ADDR_ANY_INIT, 0};
  struct sockaddr_in four = {AF_INET, htons((uint16_t)port), {htonl(INADDR_LOOPBACK)}, {0}};
  if (way & 4) setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes), setsockopt(file, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
  if (way & 8) four.sin_addr.s_addr = htonl(INADDR_ANY);
  int failed = way & 1 ? bind(file, (struct sockaddr *)&six, sizeof six) : bind(file, (struct sockaddr *)&four, sizeof four);
  if (!failed && (type == SOCK_DGRAM || listen(file, 64) == 0)) return file;
  close(file);
  return -1;
}

int main(int count, char **words) {
  if (fork()) return 0;
  setsid(), signal(SIGHUP, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGPIPE, SIG_IGN);
  freopen("presa", "a", stdout), setvbuf(stdout, NULL, _IONBF, 0);
  close(0), close(2);
  struct pollfd held[256];
  int holds = 0;
  long tries = 0;
  for (time_t end = time(NULL) + atoi(words[1]); time(NULL) < end;) {
    for (int at = 2; at < count; at++)
      for (int way = 0; way < 12; way++, tries++) {
        int file = take(atoi(words[at]), way);
        if (file < 0) continue;
        printf("took %s way %d\n", words[at], way);
        if (holds < 256) held[holds].fd = file, held[holds++].events = POLLIN;
      }
    if (tries == 12 * (count - 2)) printf("tried\n");
    poll(held, (nfds_t)holds, 1);
    for (int at = 0; at < holds; at++) {
      if (!(held[at].revents & POLLIN)) continue;
      char text[4096];
      int peer = accept(held[at].fd, NULL, NULL);
      usleep(20000);
      ssize_t length = recv(peer < 0 ? held[at].fd : peer, text, sizeof text, MSG_DONTWAIT);
      printf("told %.*s\n", (int)(length > 0 ? length : 0), text);
      if (peer >= 0) close(peer);
    }
  }
  printf("ended after %ld\n", tries);
  return 0;
}
