/* Listens where it can, by every door that the kernel has. Arguments: ways, then addresses of the form family:port. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void told(const char *what, const char *where, int failed) {
  printf("%s %s %s %d\n", failed ? "refused" : "took", what, where, failed);
  fflush(stdout);
}

static socklen_t address(int family, const char *host, int port, struct sockaddr_storage *where) {
  memset(where, 0, sizeof *where);
  if (family == AF_INET6) {
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)where;
    six->sin6_family = AF_INET6, six->sin6_port = htons((uint16_t)port), inet_pton(AF_INET6, host, &six->sin6_addr);
    return sizeof *six;
  }
  struct sockaddr_in *four = (struct sockaddr_in *)where;
  four->sin_family = AF_INET, four->sin_port = htons((uint16_t)port), inet_pton(AF_INET, host, &four->sin_addr);
  return sizeof *four;
}

static void bindPlainly(int family, int type, int protocol, const char *host, int port, int shared) {
  char where[128];
  snprintf(where, sizeof where, "%s/%d type %d protocol %d%s", host, port, type, protocol, shared ? " shared" : "");
  struct sockaddr_storage name;
  socklen_t length = address(family, host, port, &name);
  int file = socket(family, type, protocol), yes = 1;
  if (file < 0) { told("socket", where, errno); return; }
  for (int option = 0; shared && option < 2; option++) setsockopt(file, SOL_SOCKET, option ? SO_REUSEPORT : SO_REUSEADDR, &yes, sizeof yes);
  if (shared) setsockopt(file, IPPROTO_IP, 15 /* IP_FREEBIND */, &yes, sizeof yes), setsockopt(file, IPPROTO_IP, 19 /* IP_TRANSPARENT */, &yes, sizeof yes);
  int failed = bind(file, (struct sockaddr *)&name, length) ? errno : 0;
  if (!failed && (type & 15) != SOCK_DGRAM && listen(file, 8)) failed = errno;
  told("port", where, failed);
  close(file);
}

static void listenUnbound(void) {
  int file = socket(AF_INET, SOCK_STREAM, 0);
  told("a port that the kernel chooses", "", listen(file, 8) ? errno : 0);
}

static void unixSocket(int type, const char *name, int abstract) {
  struct sockaddr_un where = {AF_UNIX, {0}};
  strncpy(where.sun_path + abstract, name, sizeof where.sun_path - 2);
  socklen_t length = abstract ? (socklen_t)(3 + strlen(name)) : sizeof where;
  int file = socket(AF_UNIX, type, 0);
  int failed = bind(file, (struct sockaddr *)&where, length) ? errno : 0;
  if (!failed && type != SOCK_DGRAM && listen(file, 8)) failed = errno;
  told(abstract ? "abstract name" : "path", name, failed);
}

#ifdef __x86_64__
/* The calls of 32-bit programs have other numbers: a filter that knows those of 64 bits alone lets them pass. */
static long old(long number, long first, long second, long third) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory", "r8", "r9", "r10", "r11");
  return result;
}

static sigjmp_buf ended;
static void unknown(int number) { siglongjmp(ended, number); }

static void byOldCalls(int port) {
  /* A kernel without the calls of 32-bit programs ends whoever makes one. */
  signal(SIGSEGV, unknown);
  if (sigsetjmp(ended, 1)) { signal(SIGSEGV, SIG_DFL); told("a port through 32-bit calls", "", ENOSYS); return; }
  void *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  struct sockaddr_storage name;
  socklen_t length = address(AF_INET, "127.0.0.1", port, &name);
  memcpy(low, &name, length);
  for (int through = 0; through < 2; through++) {
    uint32_t *words = (uint32_t *)((char *)low + 256);
    long file, failed;
    if (through) {
      words[0] = AF_INET, words[1] = SOCK_STREAM, words[2] = 0;
      file = old(102, 1, (long)words, 0);
      words[0] = (uint32_t)file, words[1] = (uint32_t)(long)low, words[2] = length;
      failed = file < 0 ? file : old(102, 2, (long)words, 0);
    } else {
      file = old(359, AF_INET, SOCK_STREAM, 0);
      failed = file < 0 ? file : old(361, file, (long)low, length);
    }
    told(through ? "a port through socketcall" : "a port through 32-bit calls", "", (int)-failed);
    if (file >= 0) close((int)file);
  }
  signal(SIGSEGV, SIG_DFL);
}

static void byX32(int port) {
  struct sockaddr_storage name;
  socklen_t length = address(AF_INET, "127.0.0.1", port, &name);
  long file = syscall(0x40000000 + SYS_socket, AF_INET, SOCK_STREAM, 0);
  long failed = file < 0 ? errno : syscall(0x40000000 + SYS_bind, file, &name, length) ? errno : 0;
  told("a port through x32 calls", "", (int)failed);
}
#endif

/* The ring works in the kernel itself, where no filter of calls looks. */
static void byRing(int port) {
  struct io_uring_params about = {0};
  int ring = (int)syscall(SYS_io_uring_setup, 4, &about);
  if (ring < 0) { told("a port through the ring", "", errno); return; }
  size_t size = about.cq_off.cqes + about.cq_entries * sizeof(struct io_uring_cqe) + 4096;
  char *queues = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
  struct io_uring_sqe *entries = mmap(NULL, about.sq_entries * sizeof *entries, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
  struct sockaddr_storage name;
  socklen_t length = address(AF_INET, "127.0.0.1", port, &name);
  int file = socket(AF_INET, SOCK_STREAM, 0);
  memset(entries, 0, sizeof *entries);
  entries[0].opcode = 56 /* IORING_OP_BIND, which Debian's headers do not have yet */, entries[0].fd = file;
  entries[0].addr = (uint64_t)(uintptr_t)&name, entries[0].addr2 = length;
  uint32_t tail = *(uint32_t *)(queues + about.sq_off.tail);
  ((uint32_t *)(queues + about.sq_off.array))[tail & *(uint32_t *)(queues + about.sq_off.ring_mask)] = 0;
  __atomic_store_n((uint32_t *)(queues + about.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
  int sent = (int)syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
  struct io_uring_cqe *done = (struct io_uring_cqe *)(queues + about.cq_off.cqes);
  told("a port through the ring", "", sent < 0 ? errno : -done[0].res);
}

static void strange(void) {
  static const struct { const char *name; int family, type, protocol; } kinds[] = {
      {"raw", AF_INET, SOCK_RAW, IPPROTO_RAW}, {"raw ICMP", AF_INET, SOCK_RAW, IPPROTO_ICMP}, {"ping", AF_INET, SOCK_DGRAM, IPPROTO_ICMP},
      {"packets", AF_PACKET, SOCK_RAW, 0x0300}, {"packets without head", AF_PACKET, SOCK_DGRAM, 0x0300}, {"virtual machines", 40, SOCK_STREAM, 0},
      {"kernel ciphers", 38, SOCK_SEQPACKET, 0}, {"express data path", 44, SOCK_RAW, 0}, {"bluetooth", 31, SOCK_RAW, 1}, {"TIPC", 30, SOCK_SEQPACKET, 0},
      {"RDS", 21, SOCK_SEQPACKET, 0}, {"KCM", 41, SOCK_SEQPACKET, 0}, {"QIPCRTR", 42, SOCK_DGRAM, 0}, {"CAN", 29, SOCK_RAW, 1},
      {"keys", 15, SOCK_RAW, 2}, {"audit", AF_NETLINK, SOCK_RAW, 9}, {"packet filter", AF_NETLINK, SOCK_RAW, 12}, {"sockets of others", AF_NETLINK, SOCK_RAW, 4},
      {"SCTP", AF_INET, SOCK_STREAM, 132}, {"DCCP", AF_INET, 6, 33}, {"MPTCP", AF_INET, SOCK_STREAM, 262}, {"UDP-Lite", AF_INET6, SOCK_DGRAM, 136},
      {"device events", AF_NETLINK, SOCK_RAW, 15}, {"crypto", AF_NETLINK, SOCK_RAW, 21}};
  for (size_t at = 0; at < sizeof kinds / sizeof *kinds; at++) {
    int file = socket(kinds[at].family, kinds[at].type, kinds[at].protocol);
    told("socket for", kinds[at].name, file < 0 ? errno : 0);
    if (file >= 0) close(file);
  }
}

/* Speaks under an address of its choice: who counts by address is misled. */
static void otherAddress(int port) {
  struct sockaddr_storage mine, theirs;
  socklen_t length = address(AF_INET, "127.0.0.99", 0, &mine);
  address(AF_INET, "127.0.0.1", port, &theirs);
  int file = socket(AF_INET, SOCK_STREAM, 0);
  int failed = bind(file, (struct sockaddr *)&mine, length) ? errno : 0;
  if (!failed) connect(file, (struct sockaddr *)&theirs, length);
  told("the address", "127.0.0.99", failed);
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "";
  for (int at = 2; at < count; at++) {
    int port = atoi(words[at]);
    if (!strcmp(way, "tcp")) bindPlainly(AF_INET, SOCK_STREAM, 0, "0.0.0.0", port, 0), bindPlainly(AF_INET, SOCK_STREAM, 0, "127.0.0.2", port, 0);
    if (!strcmp(way, "udp")) bindPlainly(AF_INET, SOCK_DGRAM, 0, "0.0.0.0", port, 0), bindPlainly(AF_INET, SOCK_DGRAM, 136, "127.0.0.2", port, 0);
    if (!strcmp(way, "six")) bindPlainly(AF_INET6, SOCK_STREAM, 0, "::", port, 0), bindPlainly(AF_INET6, SOCK_DGRAM, 0, "::1", port, 0);
    if (!strcmp(way, "shared"))
      bindPlainly(AF_INET, SOCK_STREAM, 0, "127.0.0.1", port, 1), bindPlainly(AF_INET, SOCK_STREAM, 0, "198.51.100.1", port, 1), bindPlainly(AF_INET, SOCK_DGRAM, 0, "127.0.0.1", port, 1);
    if (!strcmp(way, "protocols")) bindPlainly(AF_INET, SOCK_STREAM, 262, "127.0.0.1", port, 0), bindPlainly(AF_INET, SOCK_STREAM, 132, "127.0.0.1", port, 0), bindPlainly(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 33, "127.0.0.1", port, 0);
    if (!strcmp(way, "ring")) byRing(port);
#ifdef __x86_64__
    if (!strcmp(way, "old")) byOldCalls(port), byX32(port);
#endif
    if (!strcmp(way, "address")) otherAddress(port);
    if (!strcmp(way, "unix")) for (int type = 1; type <= 5; type++) if (type < 3 || type == 5) unixSocket(type, words[at], 0), unixSocket(type, words[at], 1);
  }
  if (!strcmp(way, "unbound")) listenUnbound();
  if (!strcmp(way, "strange")) strange();
  printf("tried\n");
  return 0;
}
