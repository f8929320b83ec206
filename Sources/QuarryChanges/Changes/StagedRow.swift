public import QuarryEngine
public import QuarryRows

/// Which row of a table a staged change is of.
public enum StagedRowID: Hashable, Sendable {
  /// A row of the file.
  ///
  /// A row of a view is known by the values of all its columns.
  case stored(RowKey)
  /// A row that is to be inserted, by a number that no other new row has.
  case new(Int)
}

/// What is to become of one row.
public enum StagedRow: Hashable, Sendable {
  /// A cell as it was when it was first changed, and as it is to be.
  ///
  /// One that stays as it was is only expected: it tells the row from others in a table without a key.
  public struct Cell: Hashable, Sendable {
    /// The value that the row is expected to have.
    public var was: StoredValue
    /// The value that it is to get.
    public var value: StagedValue

    /// Makes a changed cell.
    public init(was: StoredValue, value: StagedValue) {
      self.was = was
      self.value = value
    }

    /// Makes a cell that is only expected to have a value.
    init(expecting value: StoredValue) { self.init(was: value, value: StagedValue(value)) }

    /// Whether the row is to get another value.
    public var isChange: Bool { value.stored != was }
  }

  /// Some columns get other values.
  case updated([String: Cell])
  /// The row is new and has these values; a column that is left out gets its default.
  case inserted([String: StagedValue])
  /// The row is deleted where it still has these values; a column that is left out may have any.
  case deleted(was: [String: StoredValue])

  /// What a change does, without its values.
  public enum Kind: Hashable, Sendable { case updated, inserted, deleted }

  /// What the change does.
  public var kind: Kind {
    switch self {
    case .updated: .updated
    case .inserted: .inserted
    case .deleted: .deleted
    }
  }

  /// Returns what a column is to be; nil where the change leaves it alone, and for a row that is deleted.
  public func value(of column: String) -> StagedValue? {
    switch self {
    case .updated(let cells): cells[column].flatMap { $0.isChange ? $0.value : nil }
    case .inserted(let values): values[column] ?? .defaultValue
    case .deleted: nil
    }
  }

  /// How many changes a person would count.
  var counts: ChangeCounts {
    switch self {
    case .updated(let cells): ChangeCounts(cells: cells.count { $0.value.isChange }, updatedRows: 1)
    case .inserted: ChangeCounts(newRows: 1)
    case .deleted: ChangeCounts(deletedRows: 1)
    }
  }
}

extension [String: StagedRow.Cell] {
  /// The cells that get other values.
  public var changes: Self { filter(\.value.isChange) }

  /// Whether the row is expected to have values that stay.
  var hasExpectations: Bool { contains { !$0.value.isChange } }

  /// Leaves a cell as it is in the file; where others of the row are expected to have their values, it is from now on, too.
  mutating func leave(_ column: String, as value: StoredValue?) {
    self[column] = hasExpectations ? value.map { StagedRow.Cell(expecting: $0) } : nil
  }
}

/// How much is staged.
public struct ChangeCounts: Hashable, Sendable {
  /// The cells of rows of the file that get other values.
  public var cells = 0
  /// The rows of the file that have such cells.
  public var updatedRows = 0
  /// The rows that are to be inserted.
  public var newRows = 0
  /// The rows that are to be deleted.
  public var deletedRows = 0

  /// Makes counts.
  public init(cells: Int = 0, updatedRows: Int = 0, newRows: Int = 0, deletedRows: Int = 0) {
    self.cells = cells
    self.updatedRows = updatedRows
    self.newRows = newRows
    self.deletedRows = deletedRows
  }

  /// The number of changes: a changed cell, a new row and a deleted row are one each.
  public var changes: Int { cells + newRows + deletedRows }

  /// Returns whether there are rows with changes of a kind.
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
