#ifndef QUARRY_CSQLITE_H
#define QUARRY_CSQLITE_H

#include <pthread.h>
#include <stdint.h>
#if defined(__linux__)
#include <linux/stat.h>
#include <sys/syscall.h>
/* Declared here, since what a header of this module declares belongs to it for Swift, as all of unistd.h then would. */
long syscall(long number, ...);
#elif defined(__APPLE__)
#include <sys/stat.h>
#endif

/* sqlite3.h declares the preupdate hook only where it is asked to; Debian's library is compiled with it. */
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>

/* Swift cannot call a variadic function. */
static inline int quarry_db_config_switch(sqlite3 *database, int option, int isOn) {
  return sqlite3_db_config(database, option, isOn, (int *)0);
}

static inline int quarry_config_memory_statistics(int isOn) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, isOn);
}

/* Swift does not import a macro that casts to a function pointer. */
static inline int quarry_bind_text_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int quarry_bind_utf16_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF16);
}

static inline int quarry_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void quarry_result_text_copy(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_text64(context, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void quarry_result_blob_copy(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

/* The time at which a file was made, in nanoseconds since 1970; -1 where its file system does not keep it. Swift's Glibc has no statx. */
static inline int64_t quarry_birth_time(const char *path) {
#if defined(__linux__)
  struct statx status;
  if (syscall(SYS_statx, /* AT_FDCWD */ -100, path, 0, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME)) return -1;
  return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
#elif defined(__APPLE__)
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  return (int64_t)status.st_birthtimespec.tv_sec * 1000000000 + status.st_birthtimespec.tv_nsec;
#else
  return -1;
#endif
}

/* What tells the calling thread from every other one. Swift has no name for the register that Linux keeps it in, and pthread_self is a call. */
static inline unsigned long quarry_this_thread(void) {
#if defined(__linux__) && defined(__has_builtin) && __has_builtin(__builtin_thread_pointer)
  return (unsigned long)__builtin_thread_pointer();
#else
  return (unsigned long)pthread_self();
#endif
}

#endif
