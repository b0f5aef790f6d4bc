/*
 * Preloaded into a node: lets one fdatasync fail with EIO, and notes what the disk would have had.
 *   DISK_FAULT_FILES  what the paths of the files contain that this is about
 *   DISK_FAULT_ARM    while this file exists, the next fdatasync behind the end of a segment fails;
 *                      it removes the file
 *   DISK_FAULT_SLOW   while this file exists, each fdatasync takes 200 ms longer
 *   DISK_FAULT_NOTES  one line for each call: W inode offset bytes (written), S inode (on disk),
 *                      F inode (failed: Linux takes the pages for clean, and does not write them)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* The entry that ends a segment: its length 1, a checksum, its type. */
#define SEAL_BYTES 9
#define SEAL_TYPE 0xE3
#define FILES 4096
#define SLOW_US 200000

static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);
static const char *files, *arm, *slow;
static int notes = -1;

/* Where the last write to a file ended, by its inode. */
static struct { ino_t inode; off64_t end; } ends[FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_write = dlsym(RTLD_NEXT, "write");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  files = getenv("DISK_FAULT_FILES");
  arm = getenv("DISK_FAULT_ARM");
  slow = getenv("DISK_FAULT_SLOW");
  const char *path = getenv("DISK_FAULT_NOTES");
  if (files && arm && path) {
    notes = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  }
}

/* Whether it is about this file; its inode. */
static int is_ours(int fd, ino_t *inode) {
  struct stat found;
  char link[64], path[4096];
  if (notes < 0 || fd == notes || fstat(fd, &found) || !S_ISREG(found.st_mode)) {
    return 0;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) {
    return 0;
  }
  path[length] = 0;
  *inode = found.st_ino;
  return strstr(path, files) != NULL;
}

static void note(const char *line, int length) {
  if (real_write(notes, line, length) != length) {
    abort(); /* whoever reads the notes would take too much for written */
  }
}

static void wrote(int fd, off64_t at, ssize_t bytes) {
  ino_t inode;
  char line[128];
  int before = errno;
  if (bytes > 0 && at >= 0 && is_ours(fd, &inode)) {
    pthread_mutex_lock(&lock);
    ends[inode % FILES].inode = inode;
    ends[inode % FILES].end = at + bytes;
    pthread_mutex_unlock(&lock);
    note(line, snprintf(line, sizeof line, "W %lu %lld %zd\n", inode, (long long)at, bytes));
  }
  errno = before;
}

static int ends_a_segment(int fd, ino_t inode) {
  unsigned char last[SEAL_BYTES];
  pthread_mutex_lock(&lock);
  off64_t end = ends[inode % FILES].inode == inode ? ends[inode % FILES].end : 0;
  pthread_mutex_unlock(&lock);
  return end >= SEAL_BYTES && pread(fd, last, SEAL_BYTES, end - SEAL_BYTES) == SEAL_BYTES &&
         !memcmp(last, "\0\0\0\1", 4) && last[SEAL_BYTES - 1] == SEAL_TYPE;
}

static int synced(int fd, int (*real)(int)) {
  ino_t inode;
  char line[64];
  if (!is_ours(fd, &inode)) {
    return real(fd);
  }
  if (slow && access(slow, F_OK) == 0) {
    usleep(SLOW_US);
  }
  int fails = ends_a_segment(fd, inode) && unlink(arm) == 0;
  int result = fails ? -1 : real(fd);
  int error = fails ? EIO : errno;
  note(line, snprintf(line, sizeof line, "%c %lu\n", result == 0 ? 'S' : 'F', inode));
  errno = error;
  return result;
}

ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at) {
  ssize_t done = real_pwrite(fd, from, bytes, at);
  wrote(fd, at, done);
  return done;
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at) {
  return pwrite64(fd, from, bytes, at);
}

ssize_t write(int fd, const void *from, size_t bytes) {
  ssize_t done = real_write(fd, from, bytes);
  if (done > 0 && notes >= 0 && fd != notes) {
    wrote(fd, lseek64(fd, 0, SEEK_CUR) - done, done);
  }
  return done;
}

ssize_t writev(int fd, const struct iovec *from, int parts) {
  ssize_t done = real_writev(fd, from, parts);
  if (done > 0 && notes >= 0) {
    wrote(fd, lseek64(fd, 0, SEEK_CUR) - done, done);
  }
  return done;
}

int fdatasync(int fd) { return synced(fd, real_fdatasync); }

int fsync(int fd) { return synced(fd, real_fsync); }
