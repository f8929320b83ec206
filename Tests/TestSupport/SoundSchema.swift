public import Testing

/// A schema that the sqlite3 shell can open, read and write, and that a connection which does not trust schemas partly rejects.
public struct SoundSchema: Sendable, CustomTestStringConvertible {
  /// The special property of the schema.
  public let name: String
  /// The SQL that creates the schema with some rows.
  public let setup: String
  /// The table or view to read.
  public let table: String
  /// A statement that adds a row to it.
  public let insertion: String
  /// The first values of all rows before the insertion, and after it.
  public let before: [String]
  public let after: [String]

  public var testDescription: String { name }

  public static let all = [
    SoundSchema(
      name: "generated columns over JSON",
      setup: """
        CREATE TABLE t(a AS (json_extract(j, '$.a')), s AS (j ->> '$.a') STORED, j);
        INSERT INTO t(j) VALUES ('{"a":"x"}');
        """, table: "t", insertion: #"INSERT INTO t(j) VALUES ('{"a":"y"}')"#, before: ["x"], after: ["x", "y"]),
    SoundSchema(
      name: "an index over JSON",
      setup: """
        CREATE TABLE t(j); CREATE INDEX i ON t(json_extract(j, '$.a')); CREATE INDEX partial ON t(j) WHERE json_valid(j);
        INSERT INTO t VALUES ('{"a":1}');
        """, table: "t", insertion: "INSERT INTO t VALUES ('[]')", before: [#"{"a":1}"#], after: [#"{"a":1}"#, "[]"]),
    SoundSchema(
      name: "a CHECK of JSON",
      setup: "CREATE TABLE t(j CHECK (json_valid(j))); INSERT INTO t VALUES ('[1]');", table: "t",
      insertion: "INSERT INTO t VALUES ('[2]')", before: ["[1]"], after: ["[1]", "[2]"]),
    SoundSchema(
      name: "a view over JSON",
      setup: """
        CREATE TABLE t(j); INSERT INTO t VALUES ('["a"]');
        CREATE VIEW v AS SELECT e.value FROM t, json_each(t.j) AS e;
        """, table: "v", insertion: #"INSERT INTO t VALUES ('["b"]')"#, before: ["a"], after: ["a", "b"]),
    SoundSchema(
      name: "a view over FTS5",
      setup: """
        CREATE VIRTUAL TABLE texts USING fts5(body); INSERT INTO texts VALUES ('one two');
        CREATE VIEW v AS SELECT body FROM texts WHERE texts MATCH 'two';
        """, table: "v", insertion: "INSERT INTO texts VALUES ('two three')", before: ["one two"], after: ["one two", "two three"]),
    SoundSchema(
      name: "triggers that keep an FTS5 index of another table's content",
      setup: """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, body);
        CREATE VIRTUAL TABLE notes_index USING fts5(body, content='notes', content_rowid='id');
        CREATE TRIGGER notes_inserted AFTER INSERT ON notes BEGIN
          INSERT INTO notes_index(rowid, body) VALUES (new.id, new.body);
        END;
        CREATE TRIGGER notes_deleted AFTER DELETE ON notes BEGIN
          INSERT INTO notes_index(notes_index, rowid, body) VALUES ('delete', old.id, old.body);
        END;
        INSERT INTO notes(body) VALUES ('one'), ('two'); DELETE FROM notes WHERE body = 'two';
        """, table: "notes_index", insertion: "INSERT INTO notes(body) VALUES ('three')", before: ["one"], after: ["one", "three"]),
    SoundSchema(
      name: "an R-tree",
      setup: "CREATE VIRTUAL TABLE r USING rtree(id, low, high); INSERT INTO r VALUES (1, 0, 1);", table: "r",
      insertion: "INSERT INTO r VALUES (2, 1, 2)", before: ["1"], after: ["1", "2"]),
    SoundSchema(
      name: "FTS3", setup: "CREATE VIRTUAL TABLE f USING fts3(body); INSERT INTO f VALUES ('one');", table: "f",
      insertion: "INSERT INTO f VALUES ('two')", before: ["one"], after: ["one", "two"]),
    SoundSchema(
      name: "FTS4 with a tokenizer of its own choice",
      setup: "CREATE VIRTUAL TABLE f USING fts4(body, tokenize=porter); INSERT INTO f VALUES ('one');", table: "f",
      insertion: "INSERT INTO f VALUES ('two')", before: ["one"], after: ["one", "two"]),
    SoundSchema(
      name: "a STORED column",
      setup: "CREATE TABLE t(b AS (a * 2) STORED, a INTEGER); INSERT INTO t(a) VALUES (1);", table: "t",
      insertion: "INSERT INTO t(a) VALUES (2)", before: ["2"], after: ["2", "4"]),
  ]
}
