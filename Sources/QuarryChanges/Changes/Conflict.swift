public import QuarryEngine
public import QuarryRows

/// A column of a staged row that somebody else has changed since it was staged, or a row that is gone.
public struct Conflict: Hashable, Sendable {
  /// Whose change is to stay.
  public enum Resolution: Hashable, Sendable {
    /// The staged one: it is to be written over what is in the file now.
    case mine
    /// That in the file: the staged one is dropped.
    case theirs
  }

  /// The table.
  public var table: TableReference
  /// What the row is known by.
  public var key: RowKey
  /// The column; nil where the whole row is gone.
  public var column: String?
  /// What the row had when the change was staged.
  public var base: StoredValue?
  /// What the row has now; nil where it is gone.
  public var theirs: StoredValue?
  /// What is staged; nil for a row that is to be deleted, and for a column that is to stay as it was.
  public var mine: StagedValue?
  /// Whether it is the commit itself that deletes the row, by a foreign key action or a trigger.
  public var isByCommit = false

  /// Makes a conflict.
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

  /// Whether the row is gone, so that a change of it can only be dropped.
  public var isRowGone: Bool { column == nil }
}

extension StagedChanges {
  /// Returns the changes with conflicts resolved, all in the same way.
  ///
  /// With ``Conflict/Resolution/mine`` what is in the file now becomes what the row is expected to have. A change of a row that is gone
  /// can only be dropped, and is dropped either way.
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
      // A row that has another value where none was to be changed is another row.
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
