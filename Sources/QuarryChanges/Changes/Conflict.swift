public import QuarryEngine
public import QuarryRows

/// A conflict: a column of a staged row that was changed externally since, or a row that no longer exists.
public struct Conflict: Hashable, Sendable {
  /// The change to keep.
  public enum Resolution: Hashable, Sendable {
    /// Keeps the staged change and overwrites the current value in the file.
    case mine
    /// Keeps the current value in the file and discards the staged change.
    case theirs
  }

  /// The table.
  public var table: TableReference
  /// The key of the row.
  public var key: RowKey
  /// The column, or nil if the whole row no longer exists.
  public var column: String?
  /// The value of the row when the change was staged.
  public var base: StoredValue?
  /// The current value of the row, or nil if it no longer exists.
  public var theirs: StoredValue?
  /// The staged value, or nil if the row is to be deleted or the column to be unchanged.
  public var mine: StagedValue?
  /// Whether the commit itself has deleted the row, by a foreign key action or a trigger.
  public var isByCommit = false

  /// Creates a conflict.
  public init(
    table: TableReference, key: RowKey, column: String? = nil, base: StoredValue? = nil, theirs: StoredValue? = nil,
    mine: StagedValue? = nil
  ) {
    self.table = table
    self.key = key
    self.column = column
    self.base = base
    self.theirs = theirs
    self.mine = mine
  }

  /// Whether the row no longer exists, so that its change can only be discarded.
  public var isRowGone: Bool { column == nil }
}

extension StagedChanges {
  /// Returns the changes after resolving conflicts in the same way.
  ///
  /// With ``Conflict/Resolution/mine`` the current value in the file becomes the expected value of the row. The change of a missing row is
  /// discarded with either resolution.
  public func resolving(_ conflicts: [Conflict], _ resolution: Conflict.Resolution) -> StagedChanges {
    conflicts.reduce(into: self) { $0.resolve($1, resolution) }
  }

  mutating func resolve(_ conflict: Conflict, _ resolution: Conflict.Resolution) {
    update(.stored(conflict.key), of: conflict.table) { $0.resolve(conflict, resolution) }
  }
}

extension StagedRow? {
  fileprivate mutating func resolve(_ conflict: Conflict, _ resolution: Conflict.Resolution) {
    guard let column = conflict.column, let theirs = conflict.theirs else { return self = nil }
    switch (take(), resolution) {
    case (.updated(var cells), .mine):
      if let cell = cells[column] {
        cells[column] = cell.isChange ? StagedRow.Cell(was: theirs, value: cell.value) : StagedRow.Cell(expecting: theirs)
      }
      self = .updated(cells)
    case (.updated(var cells), .theirs):
      // A row with another value in an unchanged identifying column is another row.
      if cells[column]?.isChange == false { return self = nil }
      cells.leave(column, as: theirs)
      self = cells.changes.isEmpty ? nil : .updated(cells)
    case (.deleted(var was), .mine):
      was[column] = theirs
      self = .deleted(was: was)
    case (.deleted, .theirs): self = nil
    case (let change, _): self = change
    }
  }
}
