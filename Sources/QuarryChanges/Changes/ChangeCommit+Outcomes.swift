internal import QuarryEngine
internal import QuarryRows

/// The staged changes that triggers have prevented, by table.
struct KeptChanges {
  /// The changes.
  private(set) var changes = StagedChanges()
  /// The numbers of partly written rows.
  private(set) var partlyWritten: [TableReference: Int] = [:]
  /// The numbers of rows that a trigger has changed instead of deleting them.
  private(set) var changedInstead: [TableReference: Int] = [:]

  /// Records the change of an unwritten row.
  mutating func add(_ change: StagedRow, of row: StagedRowID, in table: TableReference) {
    changes.adopt(row, of: table, change)
  }

  /// Records the unchanged cells of a row whose other cells were written.
  mutating func addPart(_ cells: [String: StagedRow.Cell], of row: StagedRowID, in table: TableReference) {
    changes.adopt(row, of: table, .updated(cells))
    partlyWritten[table, default: 0] += 1
  }

  /// Records a row that was to be deleted and was changed instead.
  mutating func noteChangedInstead(in table: TableReference) { changedInstead[table, default: 0] += 1 }
}

/// The outcome of the rows when triggers may have interfered, determined from SQLite's counts and the resulting rows.
extension ChangeCommit {
  /// Records the outcome of an UPDATE of a row.
  ///
  /// - Parameter isCounted: Whether SQLite has counted the row as changed.
  func noteUpdate(of work: Work, _ cells: [String: StagedRow.Cell], isCounted: Bool) throws {
    if isCounted, !work.writer.firesTriggers(.update) { return }
    guard let now = try values(of: cells, in: work) else {
      if !isCounted { noteOwnDeletion(of: work) }
      return
    }
    let left = cells.filter { column, cell in
      now[column] == cell.was && (!isCounted || !cell.value.mayBeStored(as: cell.was))
    }
    if left.count == cells.count {
      kept.add(work.change, of: .stored(work.row), in: work.writer.table)
    } else if !left.isEmpty {
      kept.addPart(left, of: .stored(work.row), in: work.writer.table)
    }
  }

  /// Reads the values of a row's cells after an UPDATE, which may have changed the key.
  ///
  /// Returns nil if the row no longer exists.
  private func values(of cells: [String: StagedRow.Cell], in work: Work) throws -> [String: StoredValue]? {
    let columns = Array(cells.keys)
    let newKey = work.key.map { match in
      ColumnMatch(column: match.column, value: cells[match.column]?.value.stored?.value ?? match.value)
    }
    // A row of a view with the old values is unchanged.
    let keys = work.writer.countsChanges && newKey != work.key ? [newKey, work.key] : [work.key]
    for key in keys {
      if let values = try work.writer.read(columns, of: key) { return Dictionary(zip(columns, values), uniquingKeysWith: { $1 }) }
    }
    return nil
  }

  /// Records that the commit itself has deleted a row.
  private func noteOwnDeletion(of work: Work) {
    guard work.writer.countsChanges else { return }
    var conflict = Conflict(table: work.writer.table, key: work.row)
    conflict.isByCommit = true
    conflicts.append(conflict)
  }

  /// Records the outcome of a DELETE of a row.
  ///
  /// - Parameter isCounted: Whether SQLite has counted the row as deleted.
  func noteDelete(of work: Work, isCounted: Bool) throws {
    if isCounted, !work.writer.firesTriggers(.delete) { return }
    let expected = work.writer.expected(of: work.change)
    let columns = expected.isEmpty ? [work.key.first?.column ?? "rowid"] : expected.map(\.column)
    guard let now = try work.writer.read(columns, of: work.key) else {
      if !isCounted, work.writer.countsChanges { deletedOtherwise += 1 }
      return
    }
    if expected.isEmpty || now == expected.map(\.value) {
      kept.add(work.change, of: .stored(work.row), in: work.writer.table)
    } else {
      kept.noteChangedInstead(in: work.writer.table)
    }
  }

  /// Inserts a row, and records its key or that it was not inserted.
  func insert(_ number: Int, _ values: [String: StagedValue], by writer: TableWriter) throws {
    let new = writer.firesTriggers(.insert) ? try writer.insertBesideTriggers(values) : try writer.insert(values)
    if new.isCounted {
      newKeys[writer.table, default: [:]][number] = new.key
    } else {
      kept.add(.inserted(values), of: .new(number), in: writer.table)
    }
  }
}

extension TableWriter {
  /// Inserts a row into a table whose triggers may delete or replace it.
  ///
  /// Returns whether there is one more row.
  func insertBesideTriggers(_ values: [String: StagedValue]) throws -> (isCounted: Bool, key: RowKey?) {
    if schema.entry.kind == .view {
      let before = try rowCounts(values)
      guard try insert(values).isCounted else { return (false, nil) }
      let after = try rowCounts(values)
      return (after.all > before.all || after.same > before.same, nil)
    }
    var new: (isCounted: Bool, key: RowKey?) = (false, nil)
    var after: Int?
    try database.inSavepoint { _ in
      new = try insert(values)
      let isThere = try new.key.flatMap { statements.key(of: $0) }.flatMap { try read([$0[0].column], of: $0) } != nil
      guard new.isCounted, !isThere else { return .commit }
      after = try rowCounts([:]).all
      return .rollback
    }
    guard let after else { return new }
    // A trigger has changed the row's key or deleted the row. The number of rows shows which.
    let before = try rowCounts([:]).all
    _ = try insert(values)
    return (after > before, nil)
  }

  /// Counts all rows, and the rows with the given values.
  ///
  ///     SELECT count(*), count(*) FILTER (WHERE +name IS ? COLLATE BINARY AND typeof(name) = ?) FROM main.players
  private func rowCounts(_ values: [String: StagedValue]) throws -> (all: Int, same: Int) {
    let same = values.compactMap { column, value in
      value.stored?.value.map { ExactMatch(ColumnMatch(column: column, value: $0)) as any QueryExpression<Bool> }
    }
    let sql: SQLText = "SELECT count(*), count(*) FILTER (WHERE \(Logic(.and, same).sqlText)) FROM \(table.sqlText)"
    var counts = (all: 0, same: 0)
    try database.scan(sql) { statement in
      counts = (Int(try statement.columnInteger(at: 0)), Int(try statement.columnInteger(at: 1)))
      return false
    }
    return counts
  }
}

extension StagedValue {
  /// Returns whether a column may store the value as another one, as an INTEGER column stores the text `7` as 7.
  ///
  /// A default may be stored as any value.
  fileprivate func mayBeStored(as other: StoredValue) -> Bool {
    guard let stored else { return true }
    if stored == other { return true }
    guard let number = stored.value?.numericValue, let otherNumber = other.value?.numericValue else { return false }
    return number == otherNumber
  }
}

extension DatabaseValue {
  /// The number of the value, or of its text.
  ///
  /// Nil for any other value.
  fileprivate var numericValue: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text(let text): Double(text)
    case .null, .blob: nil
    }
  }
}
