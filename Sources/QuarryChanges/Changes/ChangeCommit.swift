package import QuarryEngine
internal import QuarryRows

/// Writes what is staged in one transaction: all of it, or nothing.
///
/// Rows are first written where they still have the values that they are expected to have, which needs no reading. Where one has not,
/// whether others changed it is found out by reading all of them before anything is written: triggers and foreign key actions of the
/// commit itself may have changed it, too, which is no conflict.
package final class ChangeCommit {
  /// What runs a commit in a transaction.
  package typealias Transaction = (_ body: () throws -> CommitSummary) throws -> CommitSummary

  let database: Database
  let tables: [TableWriter]
  var newKeys: [TableReference: [Int: RowKey]] = [:]
  /// Whether rows are written where they still have the values that they are expected to have; else they have been read before.
  let isExpecting: Bool
  var failures: [ConstraintFailure] = []
  /// Rows that were there when they were read, and that the commit itself has removed.
  var conflicts: [Conflict] = []
  /// How many rows that were to be deleted foreign keys or triggers have deleted before.
  var deletedOtherwise = 0
  /// What triggers have kept from being written.
  var kept = KeptChanges()

  /// What stops writing: a row has other values than it is expected to have.
  package struct Unexpected: Error {
    package init() {}
  }

  /// What stops a commit that would leave rows which refer to none.
  private struct Unresolved: Error {
    var check: ForeignKeyCheck
  }

  private init(_ changes: StagedChanges, in database: Database, isExpecting: Bool) throws {
    self.database = database
    tables = try changes.tables.map { try TableWriter($0, changes, in: database) }
    self.isExpecting = isExpecting && tables.allSatisfy(\.countsChanges)
  }

  /// Writes changes.
  ///
  ///     BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON; DELETE …; UPDATE …; INSERT …; COMMIT
  ///
  /// - Parameter transaction: Runs what it is given in an immediate transaction, and may take note of what it changes.
  /// - Throws: ``CommitFailure``, or ``DatabaseError`` where no row is to blame; then nothing was written.
  package static func run(_ changes: StagedChanges, in database: Database, transaction: Transaction) throws -> CommitSummary {
    do {
      return try run(changes, in: database, isExpecting: true, transaction)
    } catch is Unexpected {
      return try run(changes, in: database, isExpecting: false, transaction)
    }
  }

  private static func run(
    _ changes: StagedChanges, in database: Database, isExpecting: Bool, _ transaction: Transaction
  ) throws -> CommitSummary {
    do {
      return try transaction {
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        let before = database.totalChangesCount
        let commit = try ChangeCommit(changes, in: database, isExpecting: isExpecting)
        try commit.write()
        return try commit.summary(changesBefore: before)
      }
    } catch let error as Unresolved {
      // Rows that referred to none before are not to blame.
      throw CommitFailure.constraints(error.check.failures(besides: try error.check.danglingRows(in: database)))
    }
  }

  private func write() throws {
    if !isExpecting { try checkExpectations() }
    try writeAll()
    guard database.hasUnresolvedForeignKeys else { return }
    throw Unresolved(check: try ForeignKeyCheck(self))
  }

  /// Writes all rows: deleted ones first, which may make room for others, then changed ones, then new ones.
  private func writeAll() throws {
    try deleteRows()
    try updateRows()
    try insertRows()
    if !conflicts.isEmpty { throw CommitFailure.conflicts(conflicts) }
    if !failures.isEmpty { throw CommitFailure.constraints(failures) }
  }

  private func deleteRows() throws {
    let refused = try attempt(work(.deleted)) { row in
      let expected = try expectations(of: row, row.writer.expected(of: row.change))
      let isCounted = try row.writer.delete(row.key, expecting: expected)
      guard isCounted || !isExpecting else { throw Unexpected() }
      try noteDelete(of: row, isCounted: isCounted)
    }
    note(refused)
  }

  /// Inserts the new rows, those first that say what their rowid is: a rowid that SQLite chooses for another could else be theirs.
  private func insertRows() throws {
    for writer in tables where writer.counts.newRows > 0 {
      let rowID = writer.schema.columns.first(where: \.isRowID)?.name
      let new = writer.rows.filter { $0.change.kind == .inserted }
      let named = new.filter { $0.change.givesValue(to: rowID) }
      for case (.new(let number), .inserted(let values)) in named + new.filter({ !$0.change.givesValue(to: rowID) }) {
        do {
          try insert(number, values, by: writer)
        } catch let error as DatabaseError where isBlamedOnRow(error) {
          failures.append(ConstraintFailure(error, of: writer.table, .new(number)))
        }
      }
    }
  }
}

extension ChangeCommit {
  /// A row of the file that is to be changed or deleted.
  struct Work {
    let writer: TableWriter
    let row: RowKey
    var key: [ColumnMatch]
    let change: StagedRow
  }

  /// Returns the rows of the file, in all tables, whose changes are of some kinds.
  func work(_ kinds: StagedRow.Kind...) -> [Work] {
    tables.filter { kinds.contains(where: $0.counts.has) }.flatMap { writer in
      writer.rows.compactMap { row, change in
        guard kinds.contains(change.kind), case .stored(let key) = row, let columns = writer.statements.key(of: key) else { return nil }
        return Work(writer: writer, row: key, key: columns, change: change)
      }
    }
  }

  /// Returns those of a row's expected values that it must have to be written, where that has not been found out before.
  ///
  /// - Throws: ``Unexpected`` where it has others, among those that only reading tells.
  func expectations(of work: Work, _ expected: @autoclosure () -> [RowStatements.Expected]) throws -> [RowStatements.Expected] {
    guard isExpecting else { return [] }
    let expected = expected()
    if expected.allSatisfy(\.value.isExpressibleInSQL) { return expected }
    let unclear = expected.filter { !$0.value.isExpressibleInSQL }
    guard try work.writer.read(unclear.map(\.column), of: work.key) == unclear.map(\.value) else { throw Unexpected() }
    return expected.filter(\.value.isExpressibleInSQL)
  }

  /// Does something to rows, and again to those that failed for what another row had that has been changed since; returns those that go
  /// on failing.
  func attempt(_ rows: [Work], _ body: (Work) throws -> Void) throws -> [(work: Work, error: DatabaseError)] {
    var (refused, failed): ([(work: Work, error: DatabaseError)], [(work: Work, error: DatabaseError)]) = ([], [])
    var waiting = rows
    for _ in 0..<Self.passLimit {
      failed = []
      for work in waiting {
        do {
          try body(work)
        } catch let error as DatabaseError where isBlamedOnRow(error) {
          if error.mayPass { failed.append((work, error)) } else { refused.append((work, error)) }
        }
      }
      if failed.isEmpty || failed.count == waiting.count { break }
      // The other way round, so that rows which each make room for the one before need two passes and no more.
      waiting = failed.map(\.work).reversed()
    }
    return refused + failed
  }

  private static var passLimit: Int { 6 }

  /// Takes note of rows that broke constraints.
  func note(_ refused: [(work: Work, error: DatabaseError)]) {
    failures += refused.map { work, error in
      var failure = ConstraintFailure(error, of: work.writer.table, .stored(work.row))
      if error.isOfForeignKey, let reason = try? referrers(to: work) { failure.reason = reason }
      return failure
    }
  }

  /// Returns whether an error is that of one row, after which the others can be tried.
  func isBlamedOnRow(_ error: DatabaseError) -> Bool {
    let isOfRow = [DatabaseError.SQLITE_CONSTRAINT, DatabaseError.SQLITE_MISMATCH, DatabaseError.SQLITE_TOOBIG].contains(error.resultCode)
    return isOfRow && database.isInsideTransaction
  }
}

extension StagedRow {
  /// Returns whether a new row has a value for a column that is not left to SQLite.
  fileprivate func givesValue(to column: String?) -> Bool {
    guard let column, case .inserted(let values) = self, let value = values[column] else { return false }
    return value != .defaultValue && value != .value(.null)
  }
}

extension DatabaseError {
  /// Whether a constraint may hold once other rows are written: another row has the values, or refers to this one.
  fileprivate var mayPass: Bool {
    takesOthersPlace || isOfForeignKey
  }

  /// Whether other rows refer to one that would be gone, or a row refers to one that is not there.
  var isOfForeignKey: Bool { extendedResultCode == Self.SQLITE_CONSTRAINT_FOREIGNKEY || message == "FOREIGN KEY constraint failed" }

  /// Whether another row has values that must be unique.
  var takesOthersPlace: Bool {
    [Self.SQLITE_CONSTRAINT_UNIQUE, Self.SQLITE_CONSTRAINT_PRIMARYKEY, Self.SQLITE_CONSTRAINT_ROWID].contains(extendedResultCode)
  }
}

extension ConstraintFailure {
  /// Makes a failure of SQLite's error, with the columns that it names: `UNIQUE constraint failed: player.name, player.team`.
  package init(_ error: DatabaseError, of table: TableReference, _ row: StagedRowID?) {
    let reason =
      error.message == "FOREIGN KEY constraint failed" ? "other rows refer to a row of \(table.name) (\(error.message))" : error.sentence
    let named = error.message.components(after: "failed: ").compactMap { name in
      name.hasPrefix(table.name + ".") ? String(name.dropFirst(table.name.count + 1)) : nil
    }
    self.init(table: table, row: row, columns: named, reason: reason)
  }
}

extension String {
  /// Returns what stands between the commas after a text; nothing where that is not there.
  fileprivate func components(after text: String) -> [String] {
    guard let range = firstRange(of: text) else { return [] }
    var rest = self[range.upperBound...]
    var parts: [String] = []
    while let comma = rest.firstRange(of: ", ") {
      parts.append(String(rest[..<comma.lowerBound]))
      rest = rest[comma.upperBound...]
    }
    return parts + [String(rest)]
  }
}
