internal import Essentials
package import QuarryEngine
internal import QuarryRows

/// The log of commits that this program has made to one database, in a separate SQLite file.
///
/// A commit is written to the log as pending just before it is committed, and as settled afterwards, because two files cannot share a
/// transaction. If a commit is still pending when the file is opened again, the rows of the database determine whether it was committed.
package final class ChangeLog: Sendable {
  /// The identity of the database.
  package let identity: DatabaseIdentity
  package let folder: ChangeLogFolder
  package let queue: DatabaseQueue
  private let path: String

  /// Opens the file.
  ///
  /// Creates it if it does not exist.
  init(_ folder: ChangeLogFolder, _ identity: DatabaseIdentity, path: String) throws {
    self.folder = folder
    self.identity = identity
    self.path = path
    try PrivateFile.makeFolder(folder.path)
    try PrivateFile.makeFile(path)
    queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { db in
      // A commit then waits for one additional disk write rather than three.
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 1048576")
      try Self.makeSchema(in: db)
    }
  }

  /// Creates the tables, or upgrades them from an earlier version.
  private static func makeSchema(in db: Database) throws {
    func version() throws -> Int { try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
    guard try version() < 2 else { return }
    try db.inTransaction { db in
      switch try version() {
      case 0: try db.execute(sql: schema)
      case 1: try db.execute(sql: "ALTER TABLE recorded ADD COLUMN staged INTEGER; PRAGMA user_version = 2")
      default: break
      }
    }
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS recorded(
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, statement TEXT NOT NULL, state TEXT NOT NULL,
      undoes INTEGER, undone_by INTEGER, size INTEGER NOT NULL DEFAULT 0, path TEXT NOT NULL, staged INTEGER);
    CREATE TABLE IF NOT EXISTS changed_table(
      id INTEGER PRIMARY KEY, number INTEGER NOT NULL, name TEXT NOT NULL, inserted INTEGER NOT NULL, updated INTEGER NOT NULL,
      deleted INTEGER NOT NULL, alteration TEXT, layout TEXT NOT NULL, checksum TEXT);
    CREATE INDEX IF NOT EXISTS changed_table_number ON changed_table(number);
    CREATE TABLE IF NOT EXISTS changed_rows(
      id INTEGER PRIMARY KEY, table_id INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, rows BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS changed_rows_table ON changed_rows(table_id, first);
    CREATE TABLE IF NOT EXISTS changed_object(
      id INTEGER PRIMARY KEY, number INTEGER NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, table_name TEXT NOT NULL,
      old_name TEXT, old_table TEXT, old_sql TEXT, new_sql TEXT, is_kept INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS changed_object_number ON changed_object(number);
    CREATE TABLE IF NOT EXISTS changed_sequence(number INTEGER NOT NULL, name TEXT NOT NULL, old INTEGER, new INTEGER);
    CREATE INDEX IF NOT EXISTS changed_sequence_number ON changed_sequence(number);
    PRAGMA user_version = 2;
    """

  /// Acquires the lock of pending commits.
  ///
  /// Returns nil if another process holds it and `waits` is false.
  ///
  /// - Throws: ``PrivateFileError`` if the file cannot be locked, so that it is not known whether another process is committing.
  package func pendingLock(waits: Bool) throws -> FileLock? { try FileLock(path: path + "-pending", waits: waits) }

  // MARK: Reading

  /// Reads the commits, the latest first.
  ///
  ///     SELECT … FROM recorded ORDER BY number DESC
  package func commits(database: String = "main") throws -> [RecordedCommit] {
    try queue.read { db in try Self.commits(where: "TRUE", database, db) }
  }

  /// Reads a commit, or returns nil if no commit has the number.
  package func commit(_ number: Int, database: String = "main") throws -> RecordedCommit? {
    try queue.read { db in try Self.commits(where: "number = \(number)", database, db).first }
  }

  /// Returns whether staged changes have been committed.
  ///
  ///     SELECT count(*) FROM recorded WHERE staged = ? AND state = 'settled'
  ///
  /// - Parameter identity: The identity of the changes.
  package func hasCommitted(staged identity: Int64) throws -> Bool {
    try queue.read { db in
      let sql: SQLText = "SELECT count(*) FROM recorded WHERE staged = \(identity) AND state = 'settled'"
      return try Int.fetchOne(db.makeStatement(literal: sql)) != 0
    }
  }

  private static func commits(where condition: SQLText, _ database: String, _ db: Database) throws -> [RecordedCommit] {
    let tables: SQLText = """
      SELECT number, name, inserted, updated, deleted, alteration, json_extract(layout, '$.owner') FROM changed_table
      WHERE \(condition) ORDER BY id
      """
    var stored: [Int: [StoredTable]] = [:]
    for row in try Row.fetchAll(db.makeStatement(literal: tables)) {
      let table = try RecordedTable(name: row[1], inserted: row[2], updated: row[3], deleted: row[4], alteration: row[5])
      let number: Int = try row[0]
      stored[number, default: []].append(StoredTable(table: table, owner: try row[6]))
    }
    var changed = stored.mapValues(\.asListed)
    for (number, object) in try alteredObjects(where: condition, db) { changed[number] = (changed[number] ?? []).adding([object]) }
    let commits: SQLText = """
      SELECT number, time, kind, statement, state, undoes, undone_by FROM recorded WHERE \(condition) ORDER BY number DESC
      """
    return try Row.fetchAll(db.makeStatement(literal: commits)).map { row in
      let number: Int = try row[0]
      let undoneBy: Int? = try row[6]
      let time: Int64 = try row[1]
      return try RecordedCommit(
        id: RecordedCommit.ID(database: database, number: number), time: Date(timeIntervalSince1970: Double(time) / 1000),
        kind: RecordedCommit.Kind(rawValue: row[2]) ?? .sql, statement: row[3], tables: changed[number] ?? [],
        state: row[4] == "pending" ? .pending : undoneBy.map { .undone(by: $0) } ?? .settled, undoneNumber: row[5])
    }
  }

  /// Reads the schema objects that commits have created, dropped or altered.
  private static func alteredObjects(where condition: SQLText, _ db: Database) throws -> [(number: Int, object: RecordedTable)] {
    let sql: SQLText = """
      SELECT number, type, name, old_sql IS NULL, new_sql IS NULL FROM changed_object
      WHERE \(condition) AND type <> \(RecordedObject.shadowType) ORDER BY id
      """
    return try Row.fetchAll(db.makeStatement(literal: sql)).map { row in
      return (try row[0], RecordedTable(try row[1], named: try row[2], isNew: try row[3], isGone: try row[4]))
    }
  }

  /// Reads rows that a commit has changed, table by table in the order of their keys.
  package func rows(of number: Int, from offset: Int = 0, limit: Int = .max) throws -> [RecordedRow] {
    var rows: [RecordedRow] = []
    try queue.read { db in
      var passedOver = 0
      for table in try Self.tables(of: number, db) {
        try table.forEachChange(db) { change in
          passedOver += 1
          if passedOver > offset { rows.append(change.shown(in: table.layout)) }
          return rows.count < limit
        }
        if rows.count >= limit { return }
      }
    }
    return rows
  }

  /// Calls `body` with each row that a commit has changed, table by table in the order of their keys.
  package func forEachRow(of number: Int, _ body: (RecordedRow) throws -> Void) throws {
    try queue.read { db in
      for table in try Self.tables(of: number, db) {
        try table.forEachChange(db) { change in
          try body(change.shown(in: table.layout))
          return true
        }
      }
    }
  }

  /// Reads the tables that a commit has changed.
  static func tables(of number: Int, _ db: Database) throws -> [LoggedTable] {
    let sql: SQLText = """
      SELECT id, name, alteration, layout, checksum, inserted + deleted = 0 AND alteration IS NULL
      FROM changed_table WHERE number = \(number) ORDER BY id
      """
    return try Row.fetchAll(db.makeStatement(literal: sql)).map { row in
      let layout: String = try row[3]
      return try LoggedTable(
        id: row[0], name: row[1], alteration: row[2], checksum: row[4], isOnlyUpdated: row[5],
        layout: JSONDecoder().decode(RecordedLayout.self, from: Data(layout.utf8)))
    }
  }
}

extension ChangeLog {
  /// Reads a commit's changes to schema objects.
  static func objects(of number: Int, _ db: Database) throws -> [RecordedObject] {
    let sql: SQLText = """
      SELECT type, name, table_name, old_name, old_table, old_sql, new_sql, is_kept FROM changed_object WHERE number = \(number) ORDER BY id
      """
    return try Row.fetchAll(db.makeStatement(literal: sql)).map { row in
      try RecordedObject(
        type: row[0], name: row[1], tableName: row[2], oldName: row[3], oldTableName: row[4], oldSQL: row[5], newSQL: row[6],
        isKept: row[7])
    }
  }
}

extension ChangeLog {
  /// Reads a commit's changes to AUTOINCREMENT counters, by the names of the tables before the commit.
  static func sequences(of number: Int, _ db: Database) throws -> [(name: String, old: Int64?, new: Int64?)] {
    let sql: SQLText = "SELECT name, old, new FROM changed_sequence WHERE number = \(number)"
    return try Row.fetchAll(db.makeStatement(literal: sql)).map { row in (try row[0], try row[1], try row[2]) }
  }
}

/// A table in the log.
struct LoggedTable: Identifiable {
  let id: Int
  let name: String
  let alteration: String?
  /// A checksum of the rows after the commit, if they are not all recorded.
  let checksum: String?
  /// Whether the commit has only updated rows of the table.
  let isOnlyUpdated: Bool
  let layout: RecordedLayout

  /// Calls `body` with each change of a row until it returns false.
  ///
  ///     SELECT rows FROM changed_rows WHERE table_id = ? ORDER BY first
  func forEachChange(_ db: Database, _ body: (RecordedChange) throws -> Bool) throws {
    try db.scan("SELECT rows FROM changed_rows WHERE table_id = \(id) ORDER BY first") { statement in
      var reader = RecordedBytesReader(try statement.withColumnBytes(at: 0) { Array($0) })
      while !reader.isAtEnd {
        guard try body(RecordedChange(from: &reader)) else { return false }
      }
      return true
    }
  }

  /// Calls `body` with each updated row, without copying its values.
  ///
  /// - Throws: ``RecordDamage`` if there is any other change.
  func forEachUpdate(_ db: Database, _ body: (_ rowID: Int64, _ cells: [RecordedCell]) throws -> Void) throws {
    var cells: [RecordedCell] = []
    try db.scan("SELECT rows FROM changed_rows WHERE table_id = \(id) ORDER BY first") { statement in
      try statement.withColumnBytes(at: 0) { bytes in
        var start = 0
        while start < bytes.count {
          let rowID = try RecordedCell.readUpdate(at: &start, in: bytes, into: &cells)
          try body(rowID, cells)
        }
      }
      return true
    }
  }
}
