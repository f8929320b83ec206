#include "loops.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t touch_row(sqlite3_stmt *statement) {
  int64_t sum = 0;
  for (int index = 0; index < sqlite3_column_count(statement); index++) {
    switch (sqlite3_column_type(statement, index)) {
    case SQLITE_INTEGER: sum += sqlite3_column_int64(statement, index); break;
    case SQLITE_FLOAT: sum += (int64_t)sqlite3_column_double(statement, index); break;
    case SQLITE_NULL: break;
    default: {
      const unsigned char *text = sqlite3_column_text(statement, index);
      sum += sqlite3_column_bytes(statement, index) + text[0];
    }
    }
  }
  return sum;
}

/* Runs a prepared statement to its end. */
static int touch_rows(sqlite3_stmt *statement, int64_t *sum) {
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) *sum += touch_row(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int64_t loops_query(
    const char *path, const char *sql, const int64_t *ids, int64_t count, int64_t *nanoseconds, const char **message) {
  sqlite3 *connection = NULL;
  sqlite3_stmt *statement = NULL;
  int64_t sum = 0;
  int code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) code = sqlite3_exec(connection, "BEGIN", NULL, NULL, NULL);
  const int64_t start = now();
  if (code == SQLITE_OK && count == 0) code = touch_rows(statement, &sum);
  for (int64_t place = 0; code == SQLITE_OK && place < count; place++) {
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, ids[place]);
    code = touch_rows(statement, &sum);
  }
  *nanoseconds = now() - start;
  if (code != SQLITE_OK) {
    *message = sqlite3_errmsg(connection);
    return -1;
  }
  sqlite3_finalize(statement);
  sqlite3_close(connection);
  return sum;
}

int64_t loops_update(
    const char *path, const char *sql, const loops_cell *cells, int64_t count, int64_t *nanoseconds, const char **message) {
  sqlite3 *connection = NULL;
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
  const int64_t start = now();
  if (code == SQLITE_OK) code = sqlite3_exec(connection, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  for (int64_t place = 0; code == SQLITE_OK && place < count; place++) {
    sqlite3_bind_text(statement, 1, cells[place].text, cells[place].text_count, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, cells[place].id);
    code = sqlite3_step(statement) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(connection);
    sqlite3_reset(statement);
  }
  if (code == SQLITE_OK) code = sqlite3_exec(connection, "COMMIT", NULL, NULL, NULL);
  *nanoseconds = now() - start;
  if (code != SQLITE_OK) {
    *message = sqlite3_errmsg(connection);
    return -1;
  }
  const int64_t changed = sqlite3_total_changes(connection);
  sqlite3_finalize(statement);
  sqlite3_close(connection);
  return changed;
}
