internal import QuarryEngine

/// A foreign key by which an aggregate finds the rows that refer to each row.
///
/// Without an index on it, SQLite reads the whole table each time.
struct ChildKey: Hashable, Sendable, CustomStringConvertible {
  /// The referring table.
  var table: TableReference
  /// The referring columns.
  var columns: [Column]

  /// The table and its columns: `InvoiceLine(TrackId)`.
  var description: String { "\(table.name)(\(columns.map(\.name).joined(separator: ", ")))" }

  /// A referring column.
  struct Column: Hashable, Sendable {
    var name: String
    /// The collation of the comparison; nil for that of the column.
    var collation: String?
  }
}
