public import QuarryEngine

/// A row that a commit has changed.
public struct RecordedRow: Hashable, Sendable {
  /// The name of the row's table.
  public var table: String
  /// The key of the row: its rowid, or the primary key in a table WITHOUT ROWID.
  public var key: RecordedKey
  /// The kind of change.
  public var operation: RowChangeKind
  /// The changed columns, or all columns of an inserted or deleted row.
  public var columns: [RecordedColumn]

  /// Creates a row.
  public init(table: String, key: RecordedKey, operation: RowChangeKind, columns: [RecordedColumn]) {
    self.table = table
    self.key = key
    self.operation = operation
    self.columns = columns
  }
}

/// One column of a row that a commit has changed.
///
/// A text that is not valid UTF-8 is returned as a blob of its bytes.
public struct RecordedColumn: Hashable, Sendable {
  /// The column's name.
  public var name: String
  /// The old value, or nil in an inserted row.
  public var old: DatabaseValue?
  /// The new value, or nil in a deleted row.
  public var new: DatabaseValue?

  /// Creates a column.
  public init(name: String, old: DatabaseValue?, new: DatabaseValue?) {
    self.name = name
    self.old = old
    self.new = new
  }
}

/// The key of a recorded row in its table.
public enum RecordedKey: Hashable, Sendable {
  /// The rowid.
  case rowID(Int64)
  /// The values of the primary key of a table WITHOUT ROWID, in the key's order.
  case values([DatabaseValue])
}

extension RecordedKey: CustomStringConvertible {
  /// The key as shown in a list: `17`, `'a'`, `('a', 2)`.
  public var description: String {
    switch self {
    case .rowID(let rowID): String(rowID)
    case .values(let values) where values.count == 1: values[0].sqlLiteral
    case .values(let values): "(\(values.map(\.sqlLiteral).joined(separator: ", ")))"
    }
  }
}
