public import QuarryEngine

/// The row referenced by the values of a foreign key.
public enum ReferredRow: Hashable, Sendable {
  /// The row exists.
  ///
  /// Its label is nil if its table has no label columns.
  case row(label: String?)
  /// The row does not exist.
  case missing
  /// The table does not exist.
  case noTable
}

/// The values of a foreign key in some rows, whose referenced rows are looked up.
public struct ReferenceLookup: Hashable, Sendable {
  /// The foreign key.
  public var key: ForeignKeySchema
  /// The values of its columns, in the key's order, without NULL.
  public var values: [[DatabaseValue]]
  /// The columns of the referenced table that label its rows; empty for those of ``TableSchema/labelColumns(besides:)``.
  public var labels: [String]

  /// Creates a lookup.
  public init(_ key: ForeignKeySchema, _ values: [[DatabaseValue]], labels: [String] = []) {
    self.key = key
    self.values = values
    self.labels = labels
  }
}

extension Database {
  /// Looks up the rows referenced by foreign keys, with one statement for all values of a key.
  ///
  /// ```sql
  /// WITH wanted(place, value0) AS (VALUES (0, 5), (1, 7))
  /// SELECT wanted.place, substr(parent.Title, 1, 200)
  /// FROM wanted CROSS JOIN main.Album AS parent ON parent.AlbumId = wanted.value0
  /// ```
  ///
  /// - Returns: For each lookup, the rows referenced by its values, in order; empty if the referenced columns are unknown or have no
  ///   index, or if the referenced table cannot be read.
  /// - Throws: `SQLITE_INTERRUPT` if the access is interrupted.
  public func referredRows(_ lookups: [ReferenceLookup]) throws -> [[ReferredRow]] {
    try lookups.map { lookup in
      do {
        return try referredRows(lookup)
      } catch let error as DatabaseError where error.resultCode != DatabaseError.SQLITE_INTERRUPT {
        return []
      }
    }
  }

  private func referredRows(_ lookup: ReferenceLookup) throws -> [ReferredRow] {
    let key = lookup.key
    guard !lookup.values.isEmpty, !key.referencedColumns.isEmpty, key.referencedColumns.count == key.columns.count else { return [] }
    var rows = [ReferredRow](repeating: .missing, count: lookup.values.count)
    guard let schema = try? tableSchema(key.table) else { return rows.map { _ in .noTable } }
    if schema.problem != nil { return [] }
    let labels = lookup.labelColumns(in: schema)
    let sql = lookup.sql(labels)
    // Without an index on the referenced columns, each value would cost a scan of the table.
    if try QueryPlan(of: sql, in: self).scans("parent") { return [] }
    try scan(sql) { statement in
      let place = try Int(statement.columnInteger(at: 0))
      guard rows[place] == .missing else { return true }
      let texts = try labels.indices.compactMap { try statement.label(at: $0 + 1) }
      rows[place] = .row(label: texts.isEmpty ? nil : texts.joined(separator: " "))
      return true
    }
    return rows
  }
}

extension ReferenceLookup {
  /// The maximum number of characters of a label.
  private static let labelLength = 200

  /// Returns the columns of the referenced table that label its rows.
  package func labelColumns(in schema: TableSchema) -> [String] {
    let chosen = labels.compactMap { schema.column(named: $0)?.name }
    return chosen.isEmpty ? schema.labelColumns(besides: key.referencedColumns) : chosen
  }

  /// Returns the statement that returns the position of each value found, with the label of its row.
  package func sql(_ labels: [String]) -> SQLText {
    let columns = key.columns.indices.map { "value\(raw: String($0))" as SQLText }
    let wanted = values.enumerated().map { place, values -> SQLText in
      "(\(([Int64(place).databaseValue] + values).map { "\($0)" as SQLText }.joined(by: ", ")))"
    }
    let texts = labels.map { "substr(parent.\(identifier: $0), 1, \(Self.labelLength))" as SQLText }
    // The column is the left operand, so that its collation and affinity apply, as for the foreign key itself.
    let matches = zip(key.referencedColumns, columns).map { "parent.\(identifier: $0) = wanted.\($1)" as SQLText }
    return """
      WITH wanted(\((["place"] + columns).joined(by: ", "))) AS (VALUES \(wanted.joined(by: ", "))) \
      SELECT \((["wanted.place"] + texts).joined(by: ", ")) FROM wanted CROSS JOIN \(key.table.sqlText) AS parent \
      ON \(matches.joined(by: " AND "))
      """
  }
}

extension Statement {
  /// Reads a value as a part of a label; nil for NULL, an empty text or a blob.
  fileprivate func label(at index: Int) throws -> String? {
    switch try columnStorageClass(at: index) {
    case .null, .blob: return nil
    case .integer, .real: return try columnValue(at: index).sqlLiteral
    case .text:
      let text = try withColumnBytes(at: index) { String(decoding: $0, as: UTF8.self) }
      return text.isEmpty ? nil : text
    }
  }
}
