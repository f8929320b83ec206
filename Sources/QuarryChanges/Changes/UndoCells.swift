internal import QuarryEngine

/// The undo of a commit that has only updated cells of a table: each row is restored only if its UPDATE finds the values that the commit
/// left, so that the rows need not be read before.
///
///     UPDATE main.Track SET "Name" = ? WHERE "TrackId" = ? AND (+"Name" IS ? COLLATE BINARY AND typeof("Name") = ?)
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
  /// The UPDATE of the latest columns.
  ///
  /// Most rows are changed in the same columns. Unchecked: nothing here calls out while it changes.
  @exclusivity(unchecked) private var latest: Update?

  /// The UPDATE of a set of columns.
  private final class Update {
    let columns: [Int]
    let statement: Statement
    /// The expected storage classes whose names are bound.
    @exclusivity(unchecked) var storageClasses: [RecordedBytes.Tag?]

    init(_ columns: [Int], _ statement: Statement) {
      (self.columns, self.statement) = (columns, statement)
      storageClasses = columns.map { _ in nil }
    }

    /// Returns whether it updates the columns of cells.
    func isOf(_ cells: [RecordedCell]) -> Bool {
      columns.count == cells.count && cells.indices.allSatisfy { columns[$0] == cells[$0].column }
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
    try table.forEachUpdate(log) { rowID, cells in
      let update = try update(cells)
      let statement = update.statement
      var index = 1
      for cell in cells {
        try RecordedValue.bind(cell.old, to: statement, at: index)
        index += 1
      }
      try statement.bindInteger(rowID, at: index)
      for place in cells.indices {
        try expect(cells[place].new, of: update, place, at: index + 1)
        index += 2
      }
      try save(cells, of: rowID)
      while try statement.step() {}
      statement.rewind()
      guard db.changesCount == 1 else { throw Unexpected() }
    }
  }

  /// Binds the value that a cell must have.
  private func expect(_ value: UnsafeRawBufferPointer, of update: Update, _ place: Int, at index: Int) throws {
    guard RecordedValue.isExpressibleInSQL(value) else { throw Unexpected() }
    try RecordedValue.bind(value, to: update.statement, at: index)
    let tag = RecordedValue.tag(of: value)
    if update.storageClasses[place] == tag { return }
    try update.statement.bindText(tag.storageClass.typeName, at: index + 1)
    update.storageClasses[place] = tag
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
    let names = columns.map { "\(identifier: layout.columns[$0].name)" as SQLText }
    let assignments = names.map { "\($0) = ?" as SQLText }.joined(by: ", ")
    let conditions = names.map { "(+\($0) IS ? COLLATE BINARY AND typeof(\($0)) = ?)" as SQLText }.joined(by: " AND ")
    let sql: SQLText = "UPDATE \(reference.sqlText) SET \(assignments) WHERE \(layout.keyCondition) AND \(conditions)"
    let made = Update(columns, try db.makeStatement(sql: sql.sql, options: .persistent))
    latest = made
    return made
  }
}
