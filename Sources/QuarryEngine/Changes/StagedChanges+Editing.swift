/// Why something cannot be staged, as a sentence for a person.
public enum StagingRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The row is to be deleted.
  case deletedRow
  /// There is no new row of that number any more.
  case missingRow

  /// The sentence.
  public var description: String {
    switch self {
    case .deletedRow: "this row will be deleted: undo that first"
    case .missingRow: "this new row is no longer staged"
    }
  }
}

extension StagedChanges {
  /// Stages a value for a cell; one that the row has already takes the change of the cell back.
  ///
  /// - Parameters:
  ///   - value: What the column is to be.
  ///   - old: What the row has in the file, which counts for a cell that is not staged yet.
  /// - Throws: ``StagingRefusal`` for a row that is to be deleted, or a new one that is not there.
  public mutating func set(
    _ value: StagedValue, column: String, row: StagedRowID, of table: TableReference, was old: StoredValue = .null
  ) throws(StagingRefusal) {
    switch (change(of: row, in: table), row) {
    case (.deleted, _): throw .deletedRow
    case (nil, .new): throw .missingRow
    default: break
    }
    step("\(column) of 1 row") { changes in
      changes.update(row, of: table) { $0.set(value.normalized, column: column, was: old) }
    }
  }

  /// Stages a new row, and returns what it is known by.
  ///
  /// - Parameter values: Its values; a column that is left out gets its default.
  @discardableResult
  public mutating func insert(_ values: [String: StagedValue] = [:], into table: TableReference) -> StagedRowID {
    let row = StagedRowID.new(takeNumber())
    step("a new row") { changes in
      changes.update(row, of: table) { $0 = .inserted(values.mapValues(\.normalized)) }
    }
    return row
  }

  /// Stages that a row is deleted; a new row is staged no more.
  ///
  /// - Parameter old: The values that the row has in the file: it is deleted only where it still has them. Cells that were changed
  ///   before keep the values that they had then.
  public mutating func delete(_ row: StagedRowID, of table: TableReference, was old: [String: StoredValue]) {
    if case .deleted? = change(of: row, in: table) { return }
    step("deletion of 1 row") { changes in
      changes.update(row, of: table) { change in
        switch change {
        case .inserted: change = nil
        case .updated(let cells): change = .deleted(was: old.merging(cells.mapValues(\.was)) { $1 })
        case .deleted, nil: change = .deleted(was: old)
        }
      }
    }
  }

  /// Takes what is staged of a row back: it stays, or is not inserted.
  public mutating func discard(_ row: StagedRowID, of table: TableReference) {
    guard change(of: row, in: table) != nil else { return }
    step("discard of 1 row") { $0.update(row, of: table) { $0 = nil } }
  }

  /// Takes what is staged of a cell back; in a new row it gets its default.
  public mutating func discard(column: String, of row: StagedRowID, in table: TableReference) {
    guard let change = change(of: row, in: table), change.kind != .deleted else { return }
    step("discard of \(column)") { $0.update(row, of: table) { $0.remove(column) } }
  }

  /// Takes all that is staged back, in one step.
  public mutating func discardAll() {
    guard !isEmpty else { return }
    step("discard of all changes") { changes in
      for table in changes.tables {
        for (row, _) in changes.rows(of: table).reversed() { changes.update(row, of: table) { $0 = nil } }
      }
    }
  }
}

extension StagedRow? {
  /// Sets a column: back to the value that the row has is no change.
  fileprivate mutating func set(_ value: StagedValue, column: String, was old: StoredValue) {
    switch take() {
    case .inserted(var values):
      values[column] = value
      self = .inserted(values)
    case .updated(var cells):
      let was = cells[column]?.was ?? old
      cells[column] = value.stored == was ? nil : StagedRow.Cell(was: was, value: value)
      self = cells.isEmpty ? nil : .updated(cells)
    case .deleted(let was): self = .deleted(was: was)
    case nil: self = value.stored == old ? nil : .updated([column: StagedRow.Cell(was: old, value: value)])
    }
  }
}

extension StagedRow? {
  /// Takes the change of a column out; a row of the file without any other is left as it is.
  fileprivate mutating func remove(_ column: String) {
    switch take() {
    case .inserted(var values):
      values[column] = nil
      self = .inserted(values)
    case .updated(var cells):
      cells[column] = nil
      self = cells.isEmpty ? nil : .updated(cells)
    case .deleted(let was): self = .deleted(was: was)
    case nil: self = nil
    }
  }
}
