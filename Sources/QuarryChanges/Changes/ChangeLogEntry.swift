internal import Essentials
internal import QuarryEngine

/// Where a commit comes from.
package struct CommitOrigin {
  /// The statements that it ran, or what was done in words.
  package var statement: String
  /// The number of the commit that it undoes; nil where it is no undo.
  var undoes: Int?
  /// The identity of the staged changes that it writes; nil where it is none of such.
  package var staged: Int64?

  package init(statement: String, undoes: Int? = nil, staged: Int64? = nil) {
    (self.statement, self.undoes, self.staged) = (statement, undoes, staged)
  }
}

/// The changes of one commit on their way into a log, in its open transaction.
final class ChangeLogEntry {
  let number: Int
  private let db: Database
  private let limit: Int
  private var size = 0
  /// What has been written of it, besides what is kept in any case.
  private(set) var isEmpty = true
  /// The tables that have been written, with their numbers of rows.
  private var tables: [StoredTable] = []
  /// The objects of the schema that have been written.
  private var objects: [RecordedTable] = []

  /// How many bytes of rows are written together.
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

  /// Takes a row with its values before and after the commit, nil where it was or is not there.
  typealias AddRow = (_ key: RecordedRowKey, _ before: UnsafeRawBufferPointer?, _ after: UnsafeRawBufferPointer?) throws -> Void

  /// Writes the changes of a table, which `body` is given a function for; a table without any is left out.
  func addTable(
    _ layout: RecordedLayout, alteration: String? = nil, checksum: String? = nil, _ body: (AddRow) throws -> Void
  ) throws {
    let text = String(decoding: try JSONEncoder().encode(layout), as: UTF8.self)
    try db.execute(
      literal: """
        INSERT INTO changed_table(number, name, inserted, updated, deleted, alteration, layout, checksum)
        VALUES (\(number), \(layout.name), 0, 0, 0, \(alteration), \(text), \(checksum))
        """)
    let table = Int(db.lastInsertedRowID)
    var counts: [RowChangeKind: Int] = [:]
    var (chunk, count, total) = (RecordedBytes(), 0, 0)
    try body { key, before, after in
      guard let operation = try chunk.appendChange(of: key, before: before, after: after, layout.identityColumns) else { return }
      counts[operation, default: 0] += 1
      count += 1
      guard chunk.bytes.count >= Self.chunkSize else { return }
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
      name: layout.name, inserted: counts[.insert] ?? 0, updated: counts[.update] ?? 0, deleted: counts[.delete] ?? 0,
      alteration: alteration)
    tables.append(StoredTable(table: listed, owner: layout.owner))
  }

  /// Writes how many rows the table has that was written last.
  func setInserted(_ count: Int) throws {
    try db.execute(
      literal: "UPDATE changed_table SET inserted = \(count) WHERE id = (SELECT max(id) FROM changed_table WHERE number = \(number))")
    if let last = tables.indices.last { tables[last].table.inserted = count }
  }

  /// Writes how many rows of a table were inserted, updated and deleted.
  private func setCounts(_ counts: [RowChangeKind: Int], of table: Int) throws {
    try db.execute(
      literal: """
        UPDATE changed_table SET inserted = \(counts[.insert] ?? 0), updated = \(counts[.update] ?? 0), deleted = \(counts[.delete] ?? 0)
        WHERE id = \(table)
        """)
  }

  /// Writes rows, whose changes stand one behind the other.
  ///
  ///     INSERT INTO changed_rows(table_id, first, count, rows) VALUES (?, ?, ?, ?)
  private func addChunk(_ chunk: RecordedBytes, of table: Int, from first: Int, _ count: Int) throws {
    size += chunk.bytes.count
    if size > limit { throw ChangesTooLarge(limit: limit) }
    let sql: SQLText = "INSERT INTO changed_rows(table_id, first, count, rows) VALUES (\(table), \(first), \(count), \(chunk.bytes))"
    try db.cachedStatement(literal: sql).execute()
  }

  /// Writes what was done to the number that an AUTOINCREMENT counts.
  func addSequence(_ name: String, old: Int64?, new: Int64?) throws {
    try db.execute(literal: "INSERT INTO changed_sequence VALUES (\(number), \(name), \(old), \(new))")
    isEmpty = false
  }

  /// Writes what was done to an object of the schema.
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

  /// What has been written of the commit, as a list shows it.
  var listed: [RecordedTable] { tables.asListed.adding(objects) }

  /// Ends the entry: the oldest commits go where all together have more bytes than the limit.
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

/// A statement whose changes are more than may be kept.
public struct ChangesTooLarge: Error, Hashable, CustomStringConvertible {
  /// How many bytes the records of a database may have.
  public var limit: Int

  /// The sentence for a person.
  public var description: String {
    """
    the rows that it changes take more than the \(Plural.grouped(limit >> 20)) MiB that are kept for undo, so nothing was changed: \
    raise changes.limit in config.toml, or run it with --no-changes, which cannot be undone
    """
  }
}

/// Changes of which no record can be made, so that they are not committed.
public struct ChangesUnrecorded: Error, CustomStringConvertible {
  /// What stands in the way of the record.
  public var cause: any Error

  package init(cause: any Error) {
    self.cause = cause
  }

  /// What stands in the way as a sentence, with the file and the way out: `there is no room for what would be written to “…”`.
  public var reason: String { (cause as? DatabaseError)?.sentence ?? String(describing: cause) }

  /// The sentence for a person.
  public var description: String {
    let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    return "its changes cannot be recorded, so nothing was changed: \(reason); --no-changes runs it without a record"
  }

  /// Returns the error itself where it says all, as that of an interrupt does, else one that tells of the record.
  static func wrapping(_ error: any Error) -> any Error {
    let isInterrupted = (error as? DatabaseError)?.resultCode == DatabaseError.SQLITE_INTERRUPT
    return error is ChangesTooLarge || error is UndoRefusal || isInterrupted ? error : ChangesUnrecorded(cause: error)
  }
}

extension ChangeLog {
  /// Writes a commit that is about to be committed, as pending; returns its number and its tables, nil where nothing was written.
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

  /// Notes that a pending commit is committed; what it undoes is undone by it.
  ///
  ///     UPDATE recorded SET state = 'settled' WHERE number = ?
  func settle(_ number: Int) throws {
    try queue.withoutTransaction { db in
      // If this is lost, the rows tell it when the file is opened the next time.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      try db.inTransaction { db in
        try db.execute(literal: "UPDATE recorded SET state = 'settled' WHERE number = \(number)")
        try db.execute(
          literal: "UPDATE recorded SET undone_by = \(number) WHERE number = (SELECT undoes FROM recorded WHERE number = \(number))")
        // What undid the commit is undone itself now, so that the commit stands again.
        try db.execute(
          literal: """
            UPDATE recorded SET undone_by = NULL
            WHERE number = (SELECT undoes FROM recorded WHERE number = (SELECT undoes FROM recorded WHERE number = \(number)))
            """)
      }
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
  }

  /// Notes that a commit has nothing left to be undone.
  func noteUndone(_ number: Int) throws {
    try queue.write { db in try db.execute(literal: "UPDATE recorded SET undone_by = \(number) WHERE number = \(number)") }
  }

  /// Forgets a commit that has not been committed.
  func withdraw(_ number: Int) throws {
    try queue.write { db in try Self.remove(number, db) }
  }

  /// Removes all that is recorded of a commit.
  static func remove(_ number: Int, _ db: Database) throws {
    try db.execute(
      literal: "DELETE FROM changed_rows WHERE table_id IN (SELECT id FROM changed_table WHERE number = \(number))")
    try db.execute(literal: "DELETE FROM changed_table WHERE number = \(number)")
    try db.execute(literal: "DELETE FROM changed_object WHERE number = \(number)")
    try db.execute(literal: "DELETE FROM changed_sequence WHERE number = \(number)")
    try db.execute(literal: "DELETE FROM recorded WHERE number = \(number)")
  }
}
