public import QuarryEngine

/// A row that a commit has changed.
public struct RecordedRow: Hashable, Sendable {
  /// The name of the row's table.
  public var table: String
  /// What the row is known by: its rowid, or the columns of its primary key in a table WITHOUT ROWID.
  public var key: RecordedKey
  /// What has happened to the row.
  public var operation: RowChangeKind
  /// The columns: those whose values are others than before, and all of a row that is new or gone.
  public var columns: [RecordedColumn]

  /// Makes a row.
  public init(table: String, key: RecordedKey, operation: RowChangeKind, columns: [RecordedColumn]) {
    self.table = table
    self.key = key
    self.operation = operation
    self.columns = columns
  }
}

/// One column of a row that a commit has changed.
///
/// A text that is not valid UTF-8 is shown as the blob of its bytes.
public struct RecordedColumn: Hashable, Sendable {
  /// The column's name.
  public var name: String
  /// What it had before; nil in a row that is new.
  public var old: DatabaseValue?
  /// What it has afterwards; nil in a row that is gone.
  public var new: DatabaseValue?

  /// Makes a column.
  public init(name: String, old: DatabaseValue?, new: DatabaseValue?) {
    self.name = name
    self.old = old
    self.new = new
  }
}

/// What tells a recorded row from the others of its table.
public enum RecordedKey: Hashable, Sendable {
  /// The rowid.
  case rowID(Int64)
  /// The values of the primary key of a table WITHOUT ROWID, in the key's order.
  case values([DatabaseValue])
}

extension RecordedKey: CustomStringConvertible {
  /// The key as a list shows it: `17`, `'a'`, `('a', 2)`.
  public var description: String {
    switch self {
    case .rowID(let rowID): String(rowID)
    case .values(let values) where values.count == 1: values[0].sqlLiteral
    case .values(let values): "(\(values.map(\.sqlLiteral).joined(separator: ", ")))"
    }
  }
}
