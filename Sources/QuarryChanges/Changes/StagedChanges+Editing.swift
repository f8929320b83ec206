public import QuarryEngine

/// Why something cannot be staged, as a sentence for a person.
public enum StagingRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The row is to be deleted.
  case deletedRow
  /// There is no new row of that number any more.
  case missingRow
  /// A commit is under way, and may have written the change already.
  case isCommitting
  /// Nothing is staged that could be committed.
  case isEmpty
  /// Something else is staged.
  case isNotEmpty

  /// The sentence.
  public var description: String {
    switch self {
    case .deletedRow: "this row will be deleted: undo that first"
    case .missingRow: "this new row is no longer staged"
    case .isCommitting: "the changes are being written"
    case .isEmpty: "nothing is staged"
    case .isNotEmpty: "other changes are staged: commit or discard them first"
    }
  }
}

extension StagedChanges {
  /// Stages a value for a cell; one that the row has already takes the change of the cell back.
  ///
  /// - Parameters:
  ///   - value: What the column is to be.
  ///   - old: What the row has in the file, which counts for a cell that is not staged yet.
  ///   - expected: The values of the columns that tell the row from others, where no key does (``TableSchema/identityColumns``): the row is
  ///     written only where it has them still.
  /// - Throws: ``StagingRefusal`` for a row that is to be deleted, or a new one that is not there.
  public mutating func set(
    _ value: StagedValue, column: String, row: StagedRowID, of table: TableReference, was old: StoredValue = .null,
    expecting expected: [String: StoredValue] = [:]
  ) throws(StagingRefusal) {
    switch (change(of: row, in: table), row) {
    case (.deleted, _): throw .deletedRow
    case (nil, .new): throw .missingRow
    default: break
    }
    update(row, of: table) { change in
      change.set(value.normalized, column: column, was: old)
      change.expect(expected)
    }
  }

  /// Stages a new row, and returns what it is known by.
  ///
  /// - Parameter values: Its values; a column that is left out gets its default.
  @discardableResult
  public mutating func insert(_ values: [String: StagedValue] = [:], into table: TableReference) -> StagedRowID {
    let row = StagedRowID.new(takeNumber())
    update(row, of: table) { $0 = .inserted(values.mapValues(\.normalized)) }
    return row
  }

  /// Stages that a row is deleted; a new row is staged no more.
  ///
  /// - Parameter old: The values that the row has in the file: it is deleted only where it still has them. Cells that were changed
  ///   before keep the values that they had then.
  public mutating func delete(_ row: StagedRowID, of table: TableReference, was old: [String: StoredValue]) {
    if case .deleted? = change(of: row, in: table) { return }
    update(row, of: table) { change in
      switch change {
      case .inserted: change = nil
      case .updated(let cells): change = .deleted(was: old.merging(cells.mapValues(\.was)) { $1 })
      case .deleted, nil: change = .deleted(was: old)
      }
    }
  }

  /// Takes what is staged of a row back: it stays, or is not inserted.
  public mutating func discard(_ row: StagedRowID, of table: TableReference) {
    guard change(of: row, in: table) != nil else { return }
    update(row, of: table) { $0 = nil }
  }

  /// Takes what is staged of a cell back; in a new row it gets its default.
  public mutating func discard(column: String, of row: StagedRowID, in table: TableReference) {
    guard let change = change(of: row, in: table), change.kind != .deleted else { return }
    update(row, of: table) { $0.remove(column) }
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
      if value.stored == was { cells.leave(column, as: was) } else { cells[column] = StagedRow.Cell(was: was, value: value) }
      self = cells.changes.isEmpty ? nil : .updated(cells)
    case .deleted(let was): self = .deleted(was: was)
    case nil: self = value.stored == old ? nil : .updated([column: StagedRow.Cell(was: old, value: value)])
    }
  }

  /// Expects values of columns of a changed row, besides those that are staged.
  fileprivate mutating func expect(_ values: [String: StoredValue]) {
    guard !values.isEmpty, case .updated(var cells) = self else { return }
    cells.merge(values.mapValues { StagedRow.Cell(expecting: $0) }) { known, _ in known }
    self = .updated(cells)
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
      cells.leave(column, as: cells[column]?.was)
      self = cells.changes.isEmpty ? nil : .updated(cells)
    case .deleted(let was): self = .deleted(was: was)
    case nil: self = nil
    }
  }
}

extension StagedChanges {
  /// Returns the changes without others, cell by cell: what a commit has written, without what it has left (``CommitSummary/left``).
  package func subtracting(_ others: StagedChanges) -> StagedChanges {
    var rest = self
    for table in others.tables {
      for (row, change) in others.rows(of: table) {
        let address = RowAddress(table: table, row: row)
        rest.restore(rest.entry(at: address).flatMap { $0.subtracting(change) }, at: address)
      }
    }
    return rest
  }
}

extension StagedTable.Entry {
  /// Returns the change without the cells of another; nil where nothing is left of it.
  fileprivate func subtracting(_ other: StagedRow) -> Self? {
    guard case .updated(let cells) = change, case .updated(let others) = other else { return nil }
    let rest = cells.filter { others[$0.key]?.isChange != true }
    return rest.changes.isEmpty ? nil : Self(change: .updated(rest), place: place)
  }
}
