public import QuarryEngine

/// The reason why a change cannot be staged, as a sentence for the user.
public enum StagingRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The row is staged for deletion.
  case deletedRow
  /// There is no longer a new row with this number.
  case missingRow
  /// A commit is running and may have written the change already.
  case isCommitting
  /// There are no staged changes to commit.
  case isEmpty
  /// Other changes are staged.
  case isNotEmpty

  /// A sentence for the user.
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
  /// Stages a value for a cell.
  ///
  /// Staging the row's current value reverts the change of the cell.
  ///
  /// - Parameters:
  ///   - value: The new value of the column.
  ///   - old: The value of the row in the file. Used only for a cell that is not yet staged.
  ///   - expected: The values of the identifying columns if the row has no key (``TableSchema/identityColumns``). The row is written only
  ///     if it still has these values.
  /// - Throws: ``StagingRefusal`` if the row is staged for deletion, or is a new row that does not exist.
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

  /// Stages a new row and returns its identifier.
  ///
  /// - Parameter values: The values of the row. Missing columns get their defaults.
  @discardableResult
  public mutating func insert(_ values: [String: StagedValue] = [:], into table: TableReference) -> StagedRowID {
    let row = StagedRowID.new(takeNumber())
    update(row, of: table) { $0 = .inserted(values.mapValues(\.normalized)) }
    return row
  }

  /// Stages the deletion of a row.
  ///
  /// For a new row, removes it from the staged changes.
  ///
  /// - Parameter old: The values of the row in the file. The row is deleted only if it still has these values. For cells that were already
  ///   changed, the old values of these changes are expected instead.
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

  /// Discards the staged change of a row.
  ///
  /// A new row is then not inserted.
  public mutating func discard(_ row: StagedRowID, of table: TableReference) {
    guard change(of: row, in: table) != nil else { return }
    update(row, of: table) { $0 = nil }
  }

  /// Discards the staged value of a cell.
  ///
  /// In a new row the column then gets its default.
  public mutating func discard(column: String, of row: StagedRowID, in table: TableReference) {
    guard let change = change(of: row, in: table), change.kind != .deleted else { return }
    update(row, of: table) { $0.remove(column) }
  }
}

extension StagedRow? {
  /// Sets a column.
  ///
  /// Setting it back to the old value removes the change.
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

  /// Adds expectations for columns of a changed row that have no staged value.
  fileprivate mutating func expect(_ values: [String: StoredValue]) {
    guard !values.isEmpty, case .updated(var cells) = self else { return }
    cells.merge(values.mapValues { StagedRow.Cell(expecting: $0) }) { known, _ in known }
    self = .updated(cells)
  }
}

extension StagedRow? {
  /// Removes the change of a column.
  ///
  /// Removes the change of a stored row if no other column is changed.
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
  /// Returns these changes minus other changes, cell by cell: the written changes, without those left by a commit (``CommitSummary/left``).
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
  /// Returns the change without the cells of another change, or nil if no changed cell remains.
  fileprivate func subtracting(_ other: StagedRow) -> Self? {
    guard case .updated(let cells) = change, case .updated(let others) = other else { return nil }
    let rest = cells.filter { others[$0.key]?.isChange != true }
    return rest.changes.isEmpty ? nil : Self(change: .updated(rest), place: place)
  }
}
