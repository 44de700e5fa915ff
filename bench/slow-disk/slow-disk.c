/* A disk whose flushes take longer, for the process that is started with this library in LD_PRELOAD.

   SLOW_DISK_DELAY_MS is added to every fsync and fdatasync. SLOW_DISK_RECORD names a file that gets a line for each flush
   of SQLite's log, and one for the first time that a marker ("order <number>;") is written to a regular file:

     flushed <begin> <end>
     written <number> <when>

   Instants are nanoseconds of CLOCK_MONOTONIC. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MARKER "order "
#define MOST_MARKERS 1000000

static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);

static struct timespec delay;
static int record = -1;
static atomic_flag seen[MOST_MARKERS];

__attribute__((constructor)) static void start(void) {
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite");
  long ms = atol(getenv("SLOW_DISK_DELAY_MS"));
  delay = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  record = open(getenv("SLOW_DISK_RECORD"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int is_log(int fd) {
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, name, sizeof name);
  return length >= 4 && memcmp(name + length - 4, "-wal", 4) == 0;
}

static int flush(int fd, int (*real)(int)) {
  long long begin = now();
  nanosleep(&delay, NULL);
  int result = real(fd);
  if (result == 0 && is_log(fd)) dprintf(record, "flushed %lld %lld\n", begin, now());
  return result;
}

int fsync(int fd) { return flush(fd, real_fsync); }

int fdatasync(int fd) { return flush(fd, real_fdatasync); }

static void note_markers(int fd, const char *bytes, size_t size) {
  const char *end = bytes + size;
  struct stat status;
  for (const char *at = bytes; (at = memmem(at, end - at, MARKER, strlen(MARKER)));) {
    long number = 0;
    for (at += strlen(MARKER); at < end && *at >= '0' && *at <= '9' && number < MOST_MARKERS; at++)
      number = number * 10 + (*at - '0');
    if (at == end || *at != ';' || number >= MOST_MARKERS) continue;
    /* A response repeats the marker on its socket. */
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return;
    if (!atomic_flag_test_and_set(&seen[number])) dprintf(record, "written %ld %lld\n", number, now());
  }
}

ssize_t write(int fd, const void *bytes, size_t size) {
  ssize_t written = real_write(fd, bytes, size);
  if (written > 0) note_markers(fd, bytes, written);
  return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  ssize_t written = real_pwrite(fd, bytes, size, offset);
  if (written > 0) note_markers(fd, bytes, written);
  return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t offset) { return pwrite(fd, bytes, size, offset); }
