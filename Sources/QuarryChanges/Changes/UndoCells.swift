internal import QuarryEngine

/// The undo of a commit that has only updated cells of a table: each row is restored only if its UPDATE finds the values that the commit
/// left, so that the rows need not be read before.
///
///     UPDATE main.Track SET "Name" = ? WHERE "TrackId" = ? AND (+"Name" IS ? COLLATE BINARY)
///     UPDATE main.Track SET "Bytes" = ? WHERE "TrackId" = ? AND (+"Bytes" IS ? COLLATE BINARY AND typeof("Bytes") = 'integer')
final class UndoCells {
  /// An error for a row that cannot be undone in this way, for example because it has changed since.
  ///
  /// The undo is then repeated, and reads all rows.
  struct Unexpected: Error {}

  private let table: LoggedTable
  private let reference: TableReference
  private let layout: RecordedLayout
  private let saved: SavedCells
  private let db: Database
  /// The columns that an UPDATE can write without taking a value from another row.
  private let writable: [Bool]
  /// The UPDATE of the latest row.
  ///
  /// Most rows are changed in the same columns. Unchecked: nothing here calls out while it changes.
  @exclusivity(unchecked) private var latest: Update?

  /// The UPDATE of a set of cells.
  private final class Update {
    /// The columns of the cells.
    let columns: [Int]
    /// The storage class of each expected number, or nil for any other value.
    ///
    /// SQL finds a number equal to one of another storage class, but no other value equal to one of another storage class.
    let numbers: [DatabaseValue.StorageClass?]
    let statement: Statement

    init(_ columns: [Int], _ numbers: [DatabaseValue.StorageClass?], _ statement: Statement) {
      (self.columns, self.numbers, self.statement) = (columns, numbers, statement)
    }

    /// Returns whether it can update cells.
    func isOf(_ cells: [RecordedCell]) -> Bool {
      columns.count == cells.count && cells.indices.allSatisfy { columns[$0] == cells[$0].column && numbers[$0] == cells[$0].number }
    }
  }

  /// Prepares the undo.
  ///
  /// - Parameters:
  ///   - layout: The current layout of the table.
  ///   - unique: The columns with unique values.
  ///   - saved: Records the cells, which the undo is about to change.
  init(_ table: LoggedTable, _ layout: RecordedLayout, unique: Set<Int>, saving saved: SavedCells, in db: Database) {
    (self.table, self.layout, self.saved, self.db) = (table, layout, saved, db)
    reference = TableReference(name: layout.name)
    let indices = layout.writableColumns
    writable = layout.columns.indices.map { indices.contains($0) && !unique.contains($0) }
  }

  /// Restores the values before the commit.
  ///
  /// - Throws: ``Unexpected`` if a row does not have the values that the commit left. The transaction must then be rolled back.
  func undo(_ log: Database) throws {
    try SavedCells.updating(in: db) {
      var count = 0
      try table.forEachUpdate(log) { rowID, cells in
        try restore(cells, of: rowID)
        count += 1
      }
      return count
    }
  }

  private func restore(_ cells: [RecordedCell], of rowID: Int64) throws {
    let statement = try update(cells).statement
    var index = 1
    for cell in cells {
      try RecordedValue.bind(cell.old, to: statement, at: index)
      index += 1
    }
    try statement.bindInteger(rowID, at: index)
    for cell in cells {
      index += 1
      guard RecordedValue.isExpressibleInSQL(cell.new) else { throw Unexpected() }
      try RecordedValue.bind(cell.new, to: statement, at: index)
    }
    try save(cells, of: rowID)
    while try statement.step() {}
    statement.rewind()
    guard db.changesCount == 1 else { throw Unexpected() }
  }

  private func save(_ cells: [RecordedCell], of rowID: Int64) throws {
    try saved.save(cells.lazy.map(\.column), of: rowID) { row in
      for cell in cells {
        row.append(count: cell.column)
        row.append(cell.new)
      }
    }
  }

  private func update(_ cells: [RecordedCell]) throws -> Update {
    if let latest, latest.isOf(cells) { return latest }
    let columns = cells.map(\.column)
    guard !columns.isEmpty, columns.allSatisfy({ writable.indices.contains($0) && writable[$0] }) else { throw Unexpected() }
    let assignments = columns.map { "\(identifier: layout.columns[$0].name) = ?" as SQLText }.joined(by: ", ")
    let conditions = cells.map(condition).joined(by: " AND ")
    let sql: SQLText = "UPDATE \(reference.sqlText) SET \(assignments) WHERE \(layout.keyCondition) AND \(conditions)"
    let made = Update(columns, cells.map(\.number), try db.cachedStatement(sql: sql.sql))
    latest = made
    return made
  }

  private func condition(of cell: RecordedCell) -> SQLText {
    let name: SQLText = "\(identifier: layout.columns[cell.column].name)"
    guard let number = cell.number else { return "(+\(name) IS ? COLLATE BINARY)" }
    return "(+\(name) IS ? COLLATE BINARY AND typeof(\(name)) = \(raw: "'\(number.typeName)'"))"
  }
}

extension RecordedCell {
  /// The storage class of the value after the commit if it is a number, or nil for any other value.
  fileprivate var number: DatabaseValue.StorageClass? {
    switch RecordedValue.tag(of: new) {
    case .integer: .integer
    case .real: .real
    case .null, .text, .blob: nil
    }
  }
}
