#include "loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A field, grown by a character at a time, as the sqlite3 shell reads one. */
typedef struct {
  char *text;
  size_t count;
  size_t room;
} field;

static int append(field *field, int character) {
  if (field->count + 1 >= field->room) {
    size_t room = field->room * 2 + 100;
    char *text = realloc(field->text, room);
    if (text == NULL) return -1;
    field->text = text;
    field->room = room;
  }
  field->text[field->count++] = (char)character;
  return 0;
}

/* Reads a field of RFC 4180, and returns the character that ends it: a comma, a line feed or EOF. */
static int read_field(FILE *file, field *field) {
  field->count = 0;
  int character = getc_unlocked(file);
  if (character != '"') {
    for (; character != EOF && character != ',' && character != '\n'; character = getc_unlocked(file)) {
      if (append(field, character) != 0) return EOF;
    }
    return character;
  }
  for (character = getc_unlocked(file); character != EOF; character = getc_unlocked(file)) {
    if (character == '"') {
      character = getc_unlocked(file);
      if (character != '"') return character;
    }
    if (append(field, character) != 0) return EOF;
  }
  return EOF;
}

static void pass_over_line(FILE *file) {
  for (int character = getc_unlocked(file); character != EOF && character != '\n'; character = getc_unlocked(file)) {
  }
}

static int import_rows(sqlite3 *connection, FILE *file, const char *sql, int columns, int64_t *rows) {
  sqlite3_stmt *statement = NULL;
  field field = {0};
  int code = sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
  int end = '\n';
  while (code == SQLITE_OK && end != EOF) {
    for (int column = 1; column <= columns; column++) {
      end = read_field(file, &field);
      if (column == 1 && end == EOF && field.count == 0) goto done;
      sqlite3_bind_text(statement, column, field.text, (int)field.count, SQLITE_TRANSIENT);
      if (end != ',') break;
    }
    sqlite3_step(statement);
    code = sqlite3_reset(statement);
    *rows += code == SQLITE_OK;
  }
done:
  free(field.text);
  sqlite3_finalize(statement);
  return code;
}

int64_t loops_import(
    const char *path, const char *schema, const char *sql, int columns, const char *csv, int64_t *nanoseconds, const char **message) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  sqlite3 *connection = NULL;
  int64_t rows = 0;
  FILE *file = fopen(csv, "rb");
  int code = file == NULL ? SQLITE_CANTOPEN : sqlite3_open(path, &connection);
  if (code == SQLITE_OK) code = sqlite3_exec(connection, schema, NULL, NULL, NULL);
  if (code == SQLITE_OK) code = sqlite3_exec(connection, "BEGIN", NULL, NULL, NULL);
  if (code == SQLITE_OK) {
    pass_over_line(file);
    code = import_rows(connection, file, sql, columns, &rows);
  }
  if (code == SQLITE_OK) code = sqlite3_exec(connection, "COMMIT", NULL, NULL, NULL);
  if (file != NULL) fclose(file);
  if (code != SQLITE_OK) *message = sqlite3_errstr(code);
  sqlite3_close(connection);
  clock_gettime(CLOCK_MONOTONIC, &end);
  *nanoseconds = (int64_t)(end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
  return code == SQLITE_OK ? rows : -1;
}
