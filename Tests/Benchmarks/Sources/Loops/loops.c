#include "loops.h"

#include <stddef.h>

static int64_t failed(sqlite3 *connection, const char **message) {
  *message = sqlite3_errmsg(connection);
  return -1;
}

static inline int64_t touch_text(sqlite3_stmt *statement, int index) {
  const unsigned char *text = sqlite3_column_text(statement, index);
  int count = sqlite3_column_bytes(statement, index);
  return count > 0 ? count + text[0] : 0;
}

int64_t loops_read(const char *path, const char **message) {
  sqlite3 *connection = NULL;
  sqlite3_stmt *statement = NULL;
  int64_t sum = 0;
  int code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) {
    code = sqlite3_prepare_v2(
        connection, "SELECT id, ts, user_id, kind, amount, note, payload FROM events", -1, &statement, NULL);
  }
  if (code != SQLITE_OK) return failed(connection, message);
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    sum += sqlite3_column_int64(statement, 0);
    sum += touch_text(statement, 1);
    sum += sqlite3_column_int64(statement, 2);
    sum += touch_text(statement, 3);
    if (sqlite3_column_type(statement, 4) != SQLITE_NULL) sum += (int64_t)sqlite3_column_double(statement, 4);
    if (sqlite3_column_type(statement, 5) != SQLITE_NULL) sum += touch_text(statement, 5);
    sum += touch_text(statement, 6);
  }
  if (code != SQLITE_DONE) return failed(connection, message);
  sqlite3_finalize(statement);
  sqlite3_close(connection);
  return sum;
}

loops_database *loops_open(const char *schema, const char **message) {
  sqlite3 *connection = NULL;
  int code = sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = sqlite3_exec(connection, schema, NULL, NULL, NULL);
  if (code == SQLITE_OK) return connection;
  failed(connection, message);
  return NULL;
}

void loops_close(loops_database *database) {
  sqlite3_close(database);
}

static void bind_event(sqlite3_stmt *statement, int64_t id, const loops_event *event) {
  sqlite3_bind_int64(statement, 1, id);
  sqlite3_bind_text(statement, 2, event->ts, event->ts_count, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 3, event->user_id);
  sqlite3_bind_text(statement, 4, event->kind, event->kind_count, SQLITE_STATIC);
  if (event->has_amount) sqlite3_bind_double(statement, 5, event->amount);
  else sqlite3_bind_null(statement, 5);
  sqlite3_bind_text(statement, 6, event->note, event->note_count, SQLITE_STATIC);
  sqlite3_bind_text(statement, 7, event->payload, event->payload_count, SQLITE_STATIC);
}

int64_t loops_insert(
    loops_database *connection, const char *sql, const loops_event *events, int64_t count, int64_t rows, const char **message) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_exec(connection, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
  if (code != SQLITE_OK) return failed(connection, message);
  for (int64_t row = 0, place = 0; row < rows; row++) {
    bind_event(statement, row + 1, &events[place]);
    code = sqlite3_step(statement);
    if (code != SQLITE_DONE) return failed(connection, message);
    sqlite3_reset(statement);
    if (++place == count) place = 0;
  }
  sqlite3_finalize(statement);
  if (sqlite3_exec(connection, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) return failed(connection, message);
  return sqlite3_last_insert_rowid(connection);
}
