#ifndef BENCHMARK_LOOPS_H
#define BENCHMARK_LOOPS_H

#include <sqlite3.h>
#include <stdint.h>
#include <sys/types.h>

/* What a C program does with libsqlite3 and nothing on top. Each loop returns a checksum, or -1 and the message of SQLite's error. */

/* A row of the table `events`; a text that is NULL has no bytes, and `has_amount` tells of the amount. */
typedef struct {
  int64_t id;
  const char *ts;
  int ts_count;
  int64_t user_id;
  const char *kind;
  int kind_count;
  int has_amount;
  double amount;
  const char *note;
  int note_count;
  const char *payload;
  int payload_count;
} loops_event;

/* All columns of all rows of the file's events, each value touched. */
int64_t loops_read(const char *path, const char **message);

/* A database in memory that takes events. */
typedef struct sqlite3 loops_database;
loops_database *loops_open(const char *schema, const char **message);
void loops_close(loops_database *database);

/* Inserts `rows` events in one transaction, with ids from 1, the others going round `events`. */
int64_t loops_insert(
    loops_database *database, const char *sql, const loops_event *events, int64_t count, int64_t rows, const char **message);

/* Runs a statement and touches each value; where there are ids, once for each, as its first argument. Tells how long that took on the
   clock, without opening the file and reading its schema. */
int64_t loops_query(
    const char *path, const char *sql, const int64_t *ids, int64_t count, int64_t *nanoseconds, const char **message);

/* A text to be written to a row; one that is NULL has no bytes. */
typedef struct {
  int64_t id;
  const char *text;
  int text_count;
} loops_cell;

/* Runs an UPDATE once for each cell, in one transaction, with the text as its first argument and the row as its second. Tells how long
   that took on the clock, without opening the file; returns how many rows it has changed. */
int64_t loops_update(
    const char *path, const char *sql, const loops_cell *cells, int64_t count, int64_t *nanoseconds, const char **message);

/* Makes a database with a table and fills it from a CSV file with a header, as .import of the sqlite3 shell does: character by character,
   each field a text, in one transaction. Tells how long that took on the clock; returns how many rows there are. */
int64_t loops_import(
    const char *path, const char *schema, const char *sql, int columns, const char *csv, int64_t *nanoseconds, const char **message);

/* Starts a program at a pseudo-terminal of so many cells; returns its process, or -1. */
pid_t loops_spawn(char *const arguments[], char *const environment[], int columns, int rows, int *terminal);

/* Runs a program to its end, with what it writes going nowhere; returns how it ended, 0 for well. */
int loops_run(char *const arguments[], char *const environment[]);

/* The same, and tells how many bytes of memory the program had at most. */
int loops_run_measured(char *const arguments[], char *const environment[], int64_t *peak);

#endif
