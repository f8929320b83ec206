internal import Essentials
internal import QuarryEngine

/// The origin of a commit.
package struct CommitOrigin {
  /// The statements of the commit, or a description of the operation.
  package var statement: String
  /// The number of the undone commit, or nil if this commit is not an undo.
  var undoes: Int?
  /// The identity of the staged changes that the commit writes, or nil if it writes none.
  package var staged: Int64?

  package init(statement: String, undoes: Int? = nil, staged: Int64? = nil) {
    (self.statement, self.undoes, self.staged) = (statement, undoes, staged)
  }
}

/// The changes of one commit being written to a log, in the log's open transaction.
final class ChangeLogEntry {
  let number: Int
  private let db: Database
  private let limit: Int
  private var size = 0
  /// Whether nothing has been written except the entry itself.
  private(set) var isEmpty = true
  /// The tables written so far, with their numbers of rows.
  private var tables: [StoredTable] = []
  /// The schema objects written so far.
  private var objects: [RecordedTable] = []

  /// The size of a chunk of rows, in bytes.
  private static let chunkSize = 64 << 10

  /// Begins the entry of a commit.
  ///
  ///     INSERT INTO recorded(time, kind, statement, state, undoes, path, staged) VALUES (?, ?, ?, 'pending', ?, ?, ?)
  init(_ kind: RecordedCommit.Kind, _ origin: CommitOrigin, of log: ChangeLog, _ db: Database) throws {
    self.db = db
    limit = log.folder.limit
    let time = Int64((Date().timeIntervalSince1970 * 1000).rounded())
    try db.execute(
      literal: """
        INSERT INTO recorded(time, kind, statement, state, undoes, path, staged)
        VALUES (\(time), \(kind.rawValue), \(origin.statement), 'pending', \(origin.undoes), \(log.identity.path), \(origin.staged))
        """)
    number = Int(db.lastInsertedRowID)
    size = origin.statement.utf8.count
  }

  /// The numbers of changed rows of a table.
  private struct RowCounts {
    private(set) var (inserted, updated, deleted) = (0, 0, 0)

    mutating func count(_ operation: RowChangeKind) {
      switch operation {
      case .insert: inserted += 1
      case .update: updated += 1
      case .delete: deleted += 1
      }
    }
  }

  /// A function that adds a row with its values before and after the commit.
  ///
  /// Nil means that the row did not exist at that time.
  typealias AddRow = (
    _ key: RecordedRowKey, _ before: UnsafeRawBufferPointer?, _ after: UnsafeBufferPointer<BorrowedValue>?
  ) throws -> Void

  /// Writes the changes of a table, which `body` adds by calling its argument.
  ///
  /// Omits a table without changes.
  ///
  /// - Parameter columns: The columns of the added values after the commit, if the values before it are cells in some of these columns: see
  ///   ``RecordedBytes/appendUpdate(of:cells:after:in:)``. Nil if they are whole rows.
  func addTable(
    _ layout: RecordedLayout, onlyCellsIn columns: [Int]? = nil, alteration: String? = nil, checksum: String? = nil,
    _ body: (AddRow) throws -> Void
  ) throws {
    let text = String(decoding: try JSONEncoder().encode(layout), as: UTF8.self)
    try db.execute(
      literal: """
        INSERT INTO changed_table(number, name, inserted, updated, deleted, alteration, layout, checksum)
        VALUES (\(number), \(layout.name), 0, 0, 0, \(alteration), \(text), \(checksum))
        """)
    let table = Int(db.lastInsertedRowID)
    var counts = RowCounts()
    var chunk = RecordedBytes()
    var (count, total) = (0, 0)
    try body { key, before, after in
      let appended =
        if let columns {
          try chunk.appendUpdate(of: key, cells: before, after: after, in: columns)
        } else {
          try chunk.appendChange(of: key, before: before, after: after, layout.identityColumns)
        }
      guard let operation = appended else { return }
      counts.count(operation)
      count += 1
      guard chunk.count >= Self.chunkSize else { return }
      try addChunk(chunk, of: table, from: total, count)
      total += count
      chunk.removeAll()
      count = 0
    }
    if count > 0 { try addChunk(chunk, of: table, from: total, count) }
    total += count
    guard total > 0 || alteration != nil else {
      try db.execute(literal: "DELETE FROM changed_table WHERE id = \(table)")
      return
    }
    isEmpty = false
    try setCounts(counts, of: table)
    let listed = RecordedTable(
      name: layout.name, inserted: counts.inserted, updated: counts.updated, deleted: counts.deleted, alteration: alteration)
    tables.append(StoredTable(table: listed, owner: layout.owner))
  }

  /// Sets the number of inserted rows of the table written last.
  func setInserted(_ count: Int) throws {
    try db.execute(
      literal: "UPDATE changed_table SET inserted = \(count) WHERE id = (SELECT max(id) FROM changed_table WHERE number = \(number))")
    if let last = tables.indices.last { tables[last].table.inserted = count }
  }

  /// Writes the numbers of inserted, updated and deleted rows of a table.
  private func setCounts(_ counts: RowCounts, of table: Int) throws {
    try db.execute(
      literal: """
        UPDATE changed_table SET inserted = \(counts.inserted), updated = \(counts.updated), deleted = \(counts.deleted)
        WHERE id = \(table)
        """)
  }

  /// Writes a chunk of consecutive changed rows.
  ///
  ///     INSERT INTO changed_rows(table_id, first, count, rows) VALUES (?, ?, ?, ?)
  private func addChunk(_ chunk: borrowing RecordedBytes, of table: Int, from first: Int, _ count: Int) throws {
    size += chunk.count
    if size > limit { throw ChangesTooLarge(limit: limit) }
    let sql: SQLText = "INSERT INTO changed_rows(table_id, first, count, rows) VALUES (\(table), \(first), \(count), \(chunk.bytes))"
    try db.cachedStatement(literal: sql).execute()
  }

  /// Writes a change of a table's AUTOINCREMENT counter.
  func addSequence(_ name: String, old: Int64?, new: Int64?) throws {
    try db.execute(literal: "INSERT INTO changed_sequence VALUES (\(number), \(name), \(old), \(new))")
    isEmpty = false
  }

  /// Writes a change of a schema object.
  func addObject(_ object: RecordedObject) throws {
    try db.execute(
      literal: """
        INSERT INTO changed_object(number, type, name, table_name, old_name, old_table, old_sql, new_sql, is_kept)
        VALUES (\(number), \(object.type), \(object.name), \(object.tableName), \(object.oldName), \(object.oldTableName),
          \(object.oldSQL), \(object.newSQL), \(object.isKept))
        """)
    size += (object.oldSQL?.utf8.count ?? 0) + (object.newSQL?.utf8.count ?? 0)
    isEmpty = false
    guard object.type != RecordedObject.shadowType else { return }
    objects.append(RecordedTable(object.type, named: object.name, isNew: object.oldSQL == nil, isGone: object.newSQL == nil))
  }

  /// The changes written so far, as shown in a list.
  var listed: [RecordedTable] { tables.asListed.adding(objects) }

  /// Ends the entry.
  ///
  /// Removes the oldest commits if the total size exceeds the limit.
  ///
  ///     UPDATE recorded SET size = ? WHERE number = ?
  func finish() throws {
    try db.execute(literal: "UPDATE recorded SET size = \(size) WHERE number = \(number)")
    var total = try Int.fetchOne(db, sql: "SELECT sum(size) FROM recorded") ?? 0
    guard total > limit else { return }
    for row in try Row.fetchAll(db.makeStatement(literal: "SELECT number, size FROM recorded WHERE number <> \(number) ORDER BY number")) {
      guard total > limit else { return }
      try ChangeLog.remove(row[0], db)
      total -= try row[1]
    }
  }
}

/// An error for a statement whose changes exceed the size limit.
public struct ChangesTooLarge: Error, Hashable, CustomStringConvertible {
  /// The maximum size of the records of a database, in bytes.
  public var limit: Int

  /// A sentence for the user.
  public var description: String {
    """
    the changed rows need more than the \(Plural.grouped(limit >> 20)) MiB reserved for undo, so nothing was changed: \
    raise changes.limit in config.toml, or run it with --no-changes, which cannot be undone
    """
  }
}

/// An error for changes that cannot be recorded and are therefore not committed.
public struct ChangesUnrecorded: Error, CustomStringConvertible {
  /// The underlying error.
  public var cause: any Error

  package init(cause: any Error) {
    self.cause = cause
  }

  /// The underlying error as a sentence, with the file and a suggested solution: `there is no room for what would be written to “…”`.
  public var reason: String { (cause as? DatabaseError)?.sentence ?? String(describing: cause) }

  /// A sentence for the user.
  public var description: String {
    let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    return "its changes cannot be recorded, so nothing was changed: \(reason); --no-changes runs it without a record"
  }

  /// Returns the error itself if it is specific, like that of an interrupt.
  ///
  /// Otherwise wraps it in `ChangesUnrecorded`.
  static func wrapping(_ error: any Error) -> any Error {
    let isInterrupted = (error as? DatabaseError)?.resultCode == DatabaseError.SQLITE_INTERRUPT
    let isSpecific = error is ChangesTooLarge || error is UndoRefusal || error is UnsavedChange || isInterrupted
    return isSpecific ? error : ChangesUnrecorded(cause: error)
  }
}

extension ChangeLog {
  /// Writes a commit as pending before it is committed.
  ///
  /// Returns its number and its tables, or nil if there are no changes.
  func write(
    _ kind: RecordedCommit.Kind, _ origin: CommitOrigin, _ body: (ChangeLogEntry) throws -> Void
  ) throws -> (number: Int, tables: [RecordedTable])? {
    struct Nothing: Error {}
    do {
      return try queue.write { db in
        let entry = try ChangeLogEntry(kind, origin, of: self, db)
        try body(entry)
        if entry.isEmpty { throw Nothing() }
        try entry.finish()
        return (entry.number, entry.listed)
      }
    } catch is Nothing {
      return nil
    }
  }

  /// Marks a pending commit as settled, and marks the commit that it undoes as undone.
  ///
  ///     UPDATE recorded SET state = 'settled' WHERE number = ?
  func settle(_ number: Int) throws {
    try queue.withoutTransaction { db in
      // If this write is lost, the rows determine the outcome when the file is next opened.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      try db.inTransaction { db in
        try db.execute(literal: "UPDATE recorded SET state = 'settled' WHERE number = \(number)")
        try db.execute(
          literal: "UPDATE recorded SET undone_by = \(number) WHERE number = (SELECT undoes FROM recorded WHERE number = \(number))")
        // The commit that undid the original commit is itself undone, so the original commit is in effect again.
        try db.execute(
          literal: """
            UPDATE recorded SET undone_by = NULL
            WHERE number = (SELECT undoes FROM recorded WHERE number = (SELECT undoes FROM recorded WHERE number = \(number)))
            """)
      }
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
  }

  /// Marks a commit that has no changes left to undo.
  func noteUndone(_ number: Int) throws {
    try queue.write { db in try db.execute(literal: "UPDATE recorded SET undone_by = \(number) WHERE number = \(number)") }
  }

  /// Deletes the record of a commit that has failed.
  func withdraw(_ number: Int) throws {
    try queue.write { db in try Self.remove(number, db) }
  }

  /// Deletes all records of a commit.
  static func remove(_ number: Int, _ db: Database) throws {
    try db.execute(
      literal: "DELETE FROM changed_rows WHERE table_id IN (SELECT id FROM changed_table WHERE number = \(number))")
    try db.execute(literal: "DELETE FROM changed_table WHERE number = \(number)")
    try db.execute(literal: "DELETE FROM changed_object WHERE number = \(number)")
    try db.execute(literal: "DELETE FROM changed_sequence WHERE number = \(number)")
    try db.execute(literal: "DELETE FROM recorded WHERE number = \(number)")
  }
}
