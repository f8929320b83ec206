/* Loaded before the C library: counts the system calls of a program, and lets one of them fail, or kills the program there.
 *
 * HOSTILE_COUNTS  a file with the number of calls of each kind, as 64-bit numbers in the order of `names`
 * HOSTILE_FAULT   NAME:NUMBER:ERROR[:+]: the call of this kind with this number, from 1, fails; with + the later ones fail too.
 *                 ERROR is an error number, `short` for half of the bytes, `kill` to die before the call, `tear` to die after half of it.
 *                 The name `any` counts all calls that change files. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITE, PWRITE, FSYNC, OPEN, FTRUNCATE, MMAP, READ, PREAD, RENAME, UNLINK, MALLOC, THREAD, ANY, KINDS };
static const char *names[KINDS] = {"write", "pwrite", "fsync", "open", "ftruncate", "mmap", "read", "pread", "rename", "unlink", "malloc",
                                   "pthread_create", "any"};

enum { NONE = 0, SHORT = -1, KILL = -2, TEAR = -3 };

static _Atomic unsigned long own_counts[KINDS], *counts = own_counts;
static int kind = -1, action, is_lasting;
static unsigned long number;
static _Atomic int is_ready;

#define REAL(name) \
  static __typeof__(name) *call; \
  if (!call) call = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);

static int real_open(const char *path, int flags, int mode) {
  REAL(open64)
  return call(path, flags, mode);
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("HOSTILE_COUNTS"), *fault = getenv("HOSTILE_FAULT");
  if (path) {
    int file = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    static int (*truncate_file)(int, off_t);
    truncate_file = (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate");
    if (file >= 0 && !truncate_file(file, sizeof own_counts)) {
      static void *(*map)(void *, size_t, int, int, int, off_t);
      map = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
      void *memory = map(0, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (memory != MAP_FAILED) counts = memory;
    }
  }
  if (fault) {
    char name[32] = {0}, what[16] = {0}, lasting[4] = {0};
    if (sscanf(fault, "%31[^:]:%lu:%15[^:]:%3s", name, &number, what, lasting) < 3) abort();
    for (int i = 0; i < KINDS; i++) if (!strcmp(names[i], name)) kind = i;
    action = !strcmp(what, "short") ? SHORT : !strcmp(what, "kill") ? KILL : !strcmp(what, "tear") ? TEAR : atoi(what);
    is_lasting = lasting[0] == '+';
  }
  atomic_store(&is_ready, 1);
}

static int hits(int this, unsigned long count) {
  return this == kind && (is_lasting ? count >= number : count == number);
}

/* Counts a call, and returns what is to happen to it. */
static int fate(int this, int changes) {
  if (!atomic_load(&is_ready)) return NONE;
  int found = hits(this, atomic_fetch_add(&counts[this], 1) + 1) ? action : NONE;
  if (changes) {
    int any = hits(ANY, atomic_fetch_add(&counts[ANY], 1) + 1) ? action : NONE;
    if (any) found = any;
  }
  if (found == KILL) kill(getpid(), SIGKILL);
  if (found > 0) errno = found;
  return found;
}

static size_t half(int what, size_t count) { return (what == SHORT || what == TEAR) && count > 1 ? count / 2 : count; }

static void tear(int what) { if (what == TEAR) kill(getpid(), SIGKILL); }

/* What the program says of an error must reach us. */
static int is_message(int file) { return file == 2; }

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(write)
  int what = is_message(file) ? NONE : fate(WRITE, 1);
  if (what > 0) return -1;
  ssize_t result = call(file, bytes, half(what, count));
  tear(what);
  return result;
}

#define PWRITE_AS(name) \
  ssize_t name(int file, const void *bytes, size_t count, off_t offset) { \
    REAL(name) \
    int what = fate(PWRITE, 1); \
    if (what > 0) return -1; \
    ssize_t result = call(file, bytes, half(what, count), offset); \
    tear(what); \
    return result; \
  }
PWRITE_AS(pwrite)
PWRITE_AS(pwrite64)

ssize_t read(int file, void *bytes, size_t count) {
  REAL(read)
  int what = fate(READ, 0);
  return what > 0 ? -1 : call(file, bytes, half(what, count));
}

#define PREAD_AS(name) \
  ssize_t name(int file, void *bytes, size_t count, off_t offset) { \
    REAL(name) \
    int what = fate(PREAD, 0); \
    return what > 0 ? -1 : call(file, bytes, half(what, count), offset); \
  }
PREAD_AS(pread)
PREAD_AS(pread64)

#define SYNC_AS(name) \
  int name(int file) { \
    REAL(name) \
    return fate(FSYNC, 1) > 0 ? -1 : call(file); \
  }
SYNC_AS(fsync)
SYNC_AS(fdatasync)

#define TRUNCATE_AS(name) \
  int name(int file, off_t size) { \
    REAL(name) \
    return fate(FTRUNCATE, 1) > 0 ? -1 : call(file, size); \
  }
TRUNCATE_AS(ftruncate)
TRUNCATE_AS(ftruncate64)

#define MODE \
  va_list arguments; \
  va_start(arguments, flags); \
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0; \
  va_end(arguments);
/* libdispatch traps if it cannot read about its threads in /proc, and only a program without Swift's tasks could do without it. */
static int is_of_system(const char *path) { return !strncmp(path, "/proc/", 6); }

#define OPEN_AS(name) \
  int name(const char *path, int flags, ...) { \
    MODE \
    REAL(name) \
    return !is_of_system(path) && fate(OPEN, !!(flags & O_CREAT)) > 0 ? -1 : call(path, flags, mode); \
  }
OPEN_AS(open)
OPEN_AS(open64)
#define OPENAT_AS(name) \
  int name(int folder, const char *path, int flags, ...) { \
    MODE \
    REAL(name) \
    return !is_of_system(path) && fate(OPEN, !!(flags & O_CREAT)) > 0 ? -1 : call(folder, path, flags, mode); \
  }
OPENAT_AS(openat)
OPENAT_AS(openat64)

#define MMAP_AS(name) \
  void *name(void *address, size_t size, int protection, int flags, int file, off_t offset) { \
    REAL(name) \
    return fate(MMAP, 0) > 0 ? MAP_FAILED : call(address, size, protection, flags, file, offset); \
  }
MMAP_AS(mmap)
MMAP_AS(mmap64)

int rename(const char *old, const char *new) {
  REAL(rename)
  return fate(RENAME, 1) > 0 ? -1 : call(old, new);
}
int renameat(int from, const char *old, int to, const char *new) {
  REAL(renameat)
  return fate(RENAME, 1) > 0 ? -1 : call(from, old, to, new);
}
int link(const char *old, const char *new) {
  REAL(link)
  return fate(RENAME, 1) > 0 ? -1 : call(old, new);
}
int unlink(const char *path) {
  REAL(unlink)
  return fate(UNLINK, 1) > 0 ? -1 : call(path);
}
int unlinkat(int folder, const char *path, int flags) {
  REAL(unlinkat)
  return fate(UNLINK, 1) > 0 ? -1 : call(folder, path, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  REAL(pthread_create)
  int what = fate(THREAD, 0);
  return what > 0 ? what : call(thread, attributes, body, argument);
}

/* Only SQLite's memory fails: Swift has no other answer to that than a trap. */
static uintptr_t sqlite_begin, sqlite_end;

static int find_sqlite(struct dl_phdr_info *info, size_t size, void *data) {
  if (!strstr(info->dlpi_name, "libsqlite3")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    sqlite_begin = info->dlpi_addr + part->p_vaddr;
    sqlite_end = sqlite_begin + part->p_memsz;
  }
  return 1;
}

static int fails(void *caller) {
  static _Atomic int is_sought;
  if (!atomic_load(&is_ready)) return 0;
  if (!atomic_exchange(&is_sought, 1)) dl_iterate_phdr(find_sqlite, 0);
  uintptr_t place = (uintptr_t)caller;
  return place >= sqlite_begin && place < sqlite_end && fate(MALLOC, 0) > 0;
}

extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t), *__libc_calloc(size_t, size_t);

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? 0 : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(__builtin_return_address(0)) ? 0 : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return fails(__builtin_return_address(0)) ? 0 : __libc_realloc(memory, size); }
