public import QuarryEngine

/// What is known of the row that the values of a foreign key refer to.
public enum ReferredRow: Hashable, Sendable {
  /// It is there, with the text that a person knows it by; nil where its table has none.
  case row(label: String?)
  /// There is no such row.
  case missing
  /// There is not even such a table.
  case noTable
}

/// The values of a foreign key in some rows, whose referred rows are looked up.
public struct ReferenceLookup: Hashable, Sendable {
  /// The foreign key.
  public var key: ForeignKeySchema
  /// The values of its columns, in the key's order, none of them NULL.
  public var values: [[DatabaseValue]]
  /// The columns of the referred table that a person knows its rows by; empty for those that ``TableSchema/labelColumns(besides:)`` finds.
  public var labels: [String]

  /// Makes a lookup.
  public init(_ key: ForeignKeySchema, _ values: [[DatabaseValue]], labels: [String] = []) {
    self.key = key
    self.values = values
    self.labels = labels
  }
}

extension Database {
  /// Looks up the rows that foreign keys refer to, each of them once for all values of a key.
  ///
  /// ```sql
  /// WITH wanted(place, value0) AS (VALUES (0, 5), (1, 7))
  /// SELECT wanted.place, substr(parent.Title, 1, 200)
  /// FROM wanted CROSS JOIN main.Album AS parent ON parent.AlbumId = wanted.value0
  /// ```
  ///
  /// - Returns: For each lookup what its values refer to, in their order; nothing where the key's columns in the referred table are not known,
  ///   or that table cannot be read.
  /// - Throws: `SQLITE_INTERRUPT` where the access is stopped.
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
    try scan(lookup.sql(labels)) { statement in
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
  /// The number of characters of a label that are read.
  private static let labelLength = 200

  /// Returns the columns of the referred table that a person knows its rows by.
  package func labelColumns(in schema: TableSchema) -> [String] {
    let chosen = labels.compactMap { schema.column(named: $0)?.name }
    return chosen.isEmpty ? schema.labelColumns(besides: key.referencedColumns) : chosen
  }

  /// Returns the statement that gives the place of each value that is found, and the texts of its row.
  package func sql(_ labels: [String]) -> SQLText {
    let columns = key.columns.indices.map { "value\(raw: String($0))" as SQLText }
    let wanted = values.enumerated().map { place, values -> SQLText in
      "(\(([Int64(place).databaseValue] + values).map { "\($0)" as SQLText }.joined(by: ", ")))"
    }
    let texts = labels.map { "substr(parent.\(identifier: $0), 1, \(Self.labelLength))" as SQLText }
    // The column stands on the left, so that its collation and its affinity decide, as they do for the foreign key itself.
    let matches = zip(key.referencedColumns, columns).map { "parent.\(identifier: $0) = wanted.\($1)" as SQLText }
    return """
      WITH wanted(\((["place"] + columns).joined(by: ", "))) AS (VALUES \(wanted.joined(by: ", "))) \
      SELECT \((["wanted.place"] + texts).joined(by: ", ")) FROM wanted CROSS JOIN \(key.table.sqlText) AS parent \
      ON \(matches.joined(by: " AND "))
      """
  }
}

extension Statement {
  /// Reads a value as a part of a label; nil for NULL, an empty text and a blob.
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
