public import QuarryEngine
public import QuarryRows

/// The row of a table that a staged change belongs to.
public enum StagedRowID: Hashable, Sendable {
  /// A stored row.
  ///
  /// A row of a view is identified by the values of all its columns.
  case stored(RowKey)
  /// A row to insert, identified by a number that is unique among the new rows.
  case new(Int)
}

/// The staged change of one row.
public enum StagedRow: Hashable, Sendable {
  /// The old and new value of a cell.
  ///
  /// A cell with equal values is only an expectation: it identifies the row in a table without a key.
  public struct Cell: Hashable, Sendable {
    /// The expected value of the row.
    public var was: StoredValue
    /// The new value.
    public var value: StagedValue

    /// Creates a changed cell.
    public init(was: StoredValue, value: StagedValue) {
      self.was = was
      self.value = value
    }

    /// Creates a cell that is only an expectation.
    init(expecting value: StoredValue) { self.init(was: value, value: StagedValue(value)) }

    /// Whether the new value differs from the old one.
    public var isChange: Bool {
      switch (value, was) {
      case (.value(let new), .value(let old)): new != old
      default: value.stored != was
      }
    }
  }

  /// Changes some columns.
  case updated([String: Cell])
  /// Inserts the row with these values.
  ///
  /// Missing columns get their defaults.
  case inserted([String: StagedValue])
  /// Deletes the row if it still has these values.
  ///
  /// Missing columns may have any value.
  case deleted(was: [String: StoredValue])

  /// The kinds of changes.
  public enum Kind: Hashable, Sendable { case updated, inserted, deleted }

  /// The kind of the change.
  public var kind: Kind {
    switch self {
    case .updated: .updated
    case .inserted: .inserted
    case .deleted: .deleted
    }
  }

  /// Returns the new value of a column, or nil if the change does not affect the column or deletes the row.
  public func value(of column: String) -> StagedValue? {
    switch self {
    case .updated(let cells): cells[column].flatMap { $0.isChange ? $0.value : nil }
    case .inserted(let values): values[column] ?? .defaultValue
    case .deleted: nil
    }
  }

  /// The numbers of changes, as shown to the user.
  var counts: ChangeCounts {
    switch self {
    case .updated(let cells): ChangeCounts(cells: cells.count { $0.value.isChange }, updatedRows: 1)
    case .inserted: ChangeCounts(newRows: 1)
    case .deleted: ChangeCounts(deletedRows: 1)
    }
  }
}

extension [String: StagedRow.Cell] {
  /// The cells with a new value.
  public var changes: Self { filter(\.value.isChange) }

  /// Whether the row has expectations for unchanged cells.
  var hasExpectations: Bool { contains { !$0.value.isChange } }

  /// Reverts the change of a cell.
  ///
  /// If the row has expectations, the old value becomes one of them.
  mutating func leave(_ column: String, as value: StoredValue?) {
    self[column] = hasExpectations ? value.map { StagedRow.Cell(expecting: $0) } : nil
  }
}

/// The numbers of staged changes.
public struct ChangeCounts: Hashable, Sendable {
  /// The number of changed cells in stored rows.
  public var cells = 0
  /// The number of stored rows with changed cells.
  public var updatedRows = 0
  /// The number of rows to insert.
  public var newRows = 0
  /// The number of rows to delete.
  public var deletedRows = 0

  /// Creates counts.
  public init(cells: Int = 0, updatedRows: Int = 0, newRows: Int = 0, deletedRows: Int = 0) {
    self.cells = cells
    self.updatedRows = updatedRows
    self.newRows = newRows
    self.deletedRows = deletedRows
  }

  /// The number of changes.
  ///
  /// Each changed cell, new row and deleted row counts as one.
  public var changes: Int { cells + newRows + deletedRows }

  /// Returns whether there are changes of a kind.
  func has(_ kind: StagedRow.Kind) -> Bool {
    switch kind {
    case .updated: updatedRows > 0
    case .inserted: newRows > 0
    case .deleted: deletedRows > 0
    }
  }

  static func += (total: inout ChangeCounts, other: ChangeCounts) {
    total.cells += other.cells
    total.updatedRows += other.updatedRows
    total.newRows += other.newRows
    total.deletedRows += other.deletedRows
  }

  static func -= (total: inout ChangeCounts, other: ChangeCounts) {
    total.cells -= other.cells
    total.updatedRows -= other.updatedRows
    total.newRows -= other.newRows
    total.deletedRows -= other.deletedRows
  }
}
