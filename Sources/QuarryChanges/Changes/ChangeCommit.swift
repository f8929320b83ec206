package import QuarryEngine
internal import QuarryRows

/// Writes staged changes in one transaction, completely or not at all.
///
/// Each row is first written only if it still has the expected values, which needs no separate read. If a row differs, the commit restarts
/// and reads all rows before it writes. This distinguishes external changes from changes by the commit's own triggers and foreign key
/// actions, which are not conflicts.
///
/// If a commit can change only its own cells, the values that its UPDATEs expect are recorded for undo without reading the rows.
package final class ChangeCommit {
  /// A function that runs a commit in a transaction.
  package typealias Transaction = (_ body: () throws -> CommitSummary) throws -> CommitSummary

  let database: Database
  let tables: [TableWriter]
  var newKeys: [TableReference: [Int: RowKey]] = [:]
  /// Whether each row is written only if it still has the expected values.
  ///
  /// If false, all rows have been read before.
  let isExpecting: Bool
  var failures: [ConstraintFailure] = []
  /// Rows that existed when they were read and that the commit itself has removed.
  var conflicts: [Conflict] = []
  /// The number of rows to delete that foreign keys or triggers had already deleted.
  var deletedOtherwise = 0
  /// The changes that triggers have prevented.
  var kept = KeptChanges()

  /// An error that stops writing because a row does not have the expected values.
  package struct Unexpected: Error {
    package init() {}
  }

  /// An error that stops a commit that would leave dangling references.
  private struct Unresolved: Error {
    var check: ForeignKeyCheck
  }

  private init(_ changes: StagedChanges, in database: Database, isExpecting: Bool, savingBy recorder: ChangeRecorder?) throws {
    self.database = database
    tables = try changes.tables.map { try TableWriter($0, changes, in: database) }
    self.isExpecting = isExpecting && tables.allSatisfy(\.countsChanges)
    guard self.isExpecting, let recorder, tables.allSatisfy(\.changesOnlyCells),
      let saved = try recorder.cellsToSave(of: tables.map(\.table), in: database)
    else { return }
    for (table, saved) in zip(tables, saved) { table.saved = saved }
  }

  /// Writes changes.
  ///
  ///     BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON; DELETE …; UPDATE …; INSERT …; COMMIT
  ///
  /// - Parameters:
  ///   - recorder: The recorder of the connection, which then need not read the rows of which the commit changes only known cells.
  ///   - transaction: Runs its body in an immediate transaction, and may record the changes.
  /// - Throws: ``CommitFailure``, or ``DatabaseError`` if no row caused the error. No changes are written in that case.
  package static func run(
    _ changes: StagedChanges, in database: Database, recorder: ChangeRecorder? = nil, transaction: Transaction
  ) throws -> CommitSummary {
    do {
      do {
        return try run(changes, in: database, isExpecting: true, savingBy: recorder, transaction)
      } catch is UnsavedChange {
        return try run(changes, in: database, isExpecting: true, savingBy: nil, transaction)
      }
    } catch is Unexpected {
      return try run(changes, in: database, isExpecting: false, savingBy: nil, transaction)
    }
  }

  private static func run(
    _ changes: StagedChanges, in database: Database, isExpecting: Bool, savingBy recorder: ChangeRecorder?, _ transaction: Transaction
  ) throws -> CommitSummary {
    do {
      return try transaction {
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        let before = database.totalChangesCount
        let commit = try ChangeCommit(changes, in: database, isExpecting: isExpecting, savingBy: recorder)
        try commit.write()
        return try commit.summary(changesBefore: before)
      }
    } catch let error as Unresolved {
      // Do not report rows whose references were already dangling.
      throw CommitFailure.constraints(error.check.failures(besides: try error.check.danglingRows(in: database)))
    }
  }

  private func write() throws {
    if !isExpecting { try checkExpectations() }
    try writeAll()
    guard database.hasUnresolvedForeignKeys else { return }
    throw Unresolved(check: try ForeignKeyCheck(self))
  }

  /// Writes all rows: deletions first, which may free unique values, then updates, then insertions.
  private func writeAll() throws {
    if tables.contains(where: { $0.saved != nil }) {
      try SavedCells.updating(in: database) {
        try updateRows()
        return tables.reduce(0) { $0 + $1.countedRows }
      }
    } else {
      try deleteRows()
      try updateRows()
      try insertRows()
    }
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

  /// Inserts the new rows.
  ///
  /// Rows with an explicit rowid come first, so that SQLite does not choose the same rowid for another row.
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
  /// A stored row to update or delete.
  struct Work {
    let writer: TableWriter
    let row: RowKey
    /// The index of the row among the rows of the table.
    private let index: Int
    /// The key after the commit has given interim values to its columns, or nil if it has not.
    private var interimKey: [ColumnMatch]?

    /// Creates a value for a row that can be identified.
    fileprivate init(_ writer: TableWriter, _ row: RowKey, at index: Int) {
      (self.writer, self.row, self.index) = (writer, row, index)
    }

    /// The change of the row.
    var change: StagedRow { writer.rows[index].change }

    /// The columns that now identify the row, with their values.
    var key: [ColumnMatch] {
      get { interimKey ?? writer.statements.key(of: row) ?? [] }
      set { interimKey = newValue }
    }
  }

  /// The stored rows of all tables with changes of some kinds, without a list of them.
  struct WorkSequence: Sequence, IteratorProtocol {
    private let kinds: [StagedRow.Kind]
    private var writers: ArraySlice<TableWriter>
    private var index = 0

    fileprivate init(_ kinds: [StagedRow.Kind], _ writers: [TableWriter]) {
      self.kinds = kinds
      self.writers = writers.filter { kinds.contains(where: $0.counts.has) }[...]
    }

    mutating func next() -> Work? {
      while let writer = writers.first {
        while index < writer.rows.count {
          index += 1
          guard kinds.contains(writer.rows[index - 1].change.kind), case .stored(let row) = writer.rows[index - 1].row,
            writer.statements.finds(row)
          else { continue }
          return Work(writer, row, at: index - 1)
        }
        writers.removeFirst()
        index = 0
      }
      return nil
    }
  }

  /// Returns the stored rows of all tables that have changes of the given kinds.
  func work(_ kinds: StagedRow.Kind...) -> WorkSequence { WorkSequence(kinds, tables) }

  /// Returns the expected values that the UPDATE or DELETE must check, or an empty array if they have been checked before.
  ///
  /// - Throws: ``Unexpected`` if the row differs in a value that SQL cannot compare.
  func expectations(of work: Work, _ expected: @autoclosure () -> [RowStatements.Expected]) throws -> [RowStatements.Expected] {
    guard isExpecting else { return [] }
    let expected = expected()
    if expected.allSatisfy(\.value.isExpressibleInSQL) { return expected }
    let unclear = expected.filter { !$0.value.isExpressibleInSQL }
    guard try work.writer.read(unclear.map(\.column), of: work.key) == unclear.map(\.value) else { throw Unexpected() }
    return expected.filter(\.value.isExpressibleInSQL)
  }

  /// Writes rows, and retries rows that failed because of values of another row that has changed since.
  ///
  /// Returns the rows that still fail.
  func attempt(_ rows: some Sequence<Work>, _ body: (Work) throws -> Void) throws -> [(work: Work, error: DatabaseError)] {
    var (refused, failed): ([(work: Work, error: DatabaseError)], [(work: Work, error: DatabaseError)]) = ([], [])
    func pass(_ rows: some Sequence<Work>) throws -> Int {
      failed = []
      var count = 0
      for work in rows {
        count += 1
        do {
          try body(work)
        } catch let error as DatabaseError where isBlamedOnRow(error) {
          if error.mayPass { failed.append((work, error)) } else { refused.append((work, error)) }
        }
      }
      return count
    }
    var count = try pass(rows)
    for _ in 1..<Self.passLimit where !failed.isEmpty && failed.count < count {
      // In reverse order, so that a chain of rows that each free a value for the row before needs only two passes.
      count = try pass(failed.map(\.work).reversed())
    }
    return refused + failed
  }

  private static var passLimit: Int { 6 }

  /// Records rows that violated constraints.
  func note(_ refused: [(work: Work, error: DatabaseError)]) {
    failures += refused.map { work, error in
      var failure = ConstraintFailure(error, of: work.writer.table, .stored(work.row))
      if error.isOfForeignKey, let reason = try? referrers(to: work) { failure.reason = reason }
      return failure
    }
  }

  /// Returns whether an error concerns only one row, so that the remaining rows can be tried.
  func isBlamedOnRow(_ error: DatabaseError) -> Bool {
    let isOfRow = [DatabaseError.SQLITE_CONSTRAINT, DatabaseError.SQLITE_MISMATCH, DatabaseError.SQLITE_TOOBIG].contains(error.resultCode)
    return isOfRow && database.isInsideTransaction
  }
}

extension StagedRow {
  /// Returns whether a new row has a value for a column that SQLite does not choose.
  fileprivate func givesValue(to column: String?) -> Bool {
    guard let column, case .inserted(let values) = self, let value = values[column] else { return false }
    return value != .defaultValue && value != .value(.null)
  }
}

extension DatabaseError {
  /// Whether a constraint may hold once other rows are written, because another row has the values or refers to this row.
  fileprivate var mayPass: Bool {
    takesOthersPlace || isOfForeignKey
  }

  /// Whether the error is a foreign key violation: a referenced row would be deleted, or does not exist.
  var isOfForeignKey: Bool { extendedResultCode == Self.SQLITE_CONSTRAINT_FOREIGNKEY || message == "FOREIGN KEY constraint failed" }

  /// Whether another row has the same unique values.
  var takesOthersPlace: Bool {
    [Self.SQLITE_CONSTRAINT_UNIQUE, Self.SQLITE_CONSTRAINT_PRIMARYKEY, Self.SQLITE_CONSTRAINT_ROWID].contains(extendedResultCode)
  }
}

extension ConstraintFailure {
  /// Creates a failure from SQLite's error, with the columns that it names: `UNIQUE constraint failed: player.name, player.team`.
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
  /// Returns the comma-separated parts after a text, or an empty array if the text is not found.
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
