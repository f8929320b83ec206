internal import QuarryChanges
internal import QuarryEngine

/// The statement that writes the rows of a file into an existing table.
struct ImportSQL {
  let schema: TableSchema
  /// The columns that receive values, in the order of the parameters.
  var columns: [String]
  let rule: ImportPlan.ConflictRule

  /// The INSERT.
  ///
  ///     INSERT OR ABORT INTO main.Track(TrackId, Name) VALUES (?, ?)
  ///     INSERT OR ABORT INTO main.Track(TrackId, Name) VALUES (?, ?)
  ///       ON CONFLICT(TrackId) DO UPDATE SET Name = excluded.Name WHERE quarry_updated(main.Track.rowid)
  ///
  /// `quarry_updated()` counts the updated rows and reports their rowids. `quarry_unchanged()` counts the existing rows if the columns are
  /// only those of the key, and prevents their update. ABORT is explicit because a constraint of the table may specify
  /// another action, which would skip rows silently. A row that violates a constraint other than a key is never skipped.
  var insertion: String {
    let names = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
    let verb = rule == .replace ? "INSERT OR REPLACE" : "INSERT OR ABORT"
    return "\(verb) INTO \(schema.entry.reference.sql)(\(names)) VALUES (\(SQLText.parameters(columns.count)))\(conflictClause)"
  }

  private var conflictClause: String {
    switch rule {
    case .abort, .replace: return ""
    case .ignore: return " ON CONFLICT DO NOTHING"
    case .update:
      let key = schema.primaryKey.map(SQLIdentifier.quoted).joined(separator: ", ")
      let others = columns.filter { !isOfKey($0) }.map(SQLIdentifier.quoted)
      let condition = others.isEmpty ? "quarry_unchanged()" : "quarry_updated(\(rowID))"
      let values = (others.isEmpty ? schema.primaryKey.map(SQLIdentifier.quoted) : others).map { "\($0) = excluded.\($0)" }
      return " ON CONFLICT(\(key)) DO UPDATE SET \(values.joined(separator: ", ")) WHERE \(condition)"
    }
  }

  /// Returns whether a column belongs to the primary key.
  func isOfKey(_ column: String) -> Bool { schema.primaryKey.contains { $0.isSameIdentifier(as: column) } }

  /// The rowid of the existing row, or NULL in a table without one.
  private var rowID: String {
    schema.rowIDName.map { "\(SQLIdentifier.quoted(schema.entry.reference.name)).\(SQLIdentifier.quoted($0))" } ?? "NULL"
  }
}
