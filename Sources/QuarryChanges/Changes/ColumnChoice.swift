public import QuarryEngine
package import QuarryRows

/// A suggested value for a column, with a label.
public struct ColumnChoice: Hashable, Sendable {
  /// The value.
  public var value: DatabaseValue
  /// A label from the referenced row, if the column refers to another table.
  public var label: String?

  /// Creates a choice.
  public init(value: DatabaseValue, label: String? = nil) {
    self.value = value
    self.label = label
  }
}

extension Database {
  /// Returns suggested values for a column: the keys of the referenced table, the values listed by a CHECK, or else the column's existing
  /// values.
  ///
  /// Returns none for a primary key, because each of its values is already used.
  ///
  /// ```swift
  /// try db.choices(for: "AlbumId", of: track, prefix: "let", limit: 10)  // [4: Let There Be Rock]
  /// ```
  ///
  /// - Parameter prefix: The beginning of the values or their labels, ignoring case.
  /// - Throws: ``DatabaseError``.
  public func choices(for column: String, of schema: TableSchema, prefix: String, limit: Int) throws -> [ColumnChoice] {
    switch try choiceOrigin(of: column, of: schema, prefix: prefix, limit: limit) {
    case .listed(let choices): return choices
    case .column(let column): return try values(of: column, prefix: prefix, limit: limit).map { ColumnChoice(value: $0) }
    case .referred(let sql, let width):
      let statement = try makeStatement(literal: sql)
      defer { try? statement.reset() }
      var choices: [ColumnChoice] = []
      while try statement.step() {
        if let choice = ColumnChoice(try (0..<width).map { try statement.storedValue(at: $0) }) { choices.append(choice) }
      }
      return choices
    }
  }

  /// Returns the origin of the suggested values for a column, according to the schema.
  ///
  /// - Parameter rows: The number of rows of a referenced table to search, in the order of their keys. Nil for all.
  package func choiceOrigin(
    of column: String, of schema: TableSchema, prefix: String, limit: Int, among rows: Int? = nil
  ) throws -> ChoiceOrigin {
    if let key = schema.foreignKeys.first(where: { $0.columns.count == 1 && $0.columns[0].isSameIdentifier(as: column) }),
      let referenced = key.referencedColumns.first
    {
      return try .referred(to: referenced, in: tableSchema(key.table), prefix: prefix, limit: limit, among: rows)
    }
    if let listed = try listedValues(of: column, in: schema) {
      return .listed(listed.filter { $0.isWritten(with: prefix) }.prefix(limit).map { ColumnChoice(value: $0) })
    }
    // Each value of a key is already used by a row.
    let key = schema.columns.filter { $0.primaryKeyPosition != nil }
    if key.count == 1, key[0].name.isSameIdentifier(as: column) { return .listed([]) }
    return .column(.column(schema.entry.reference, column))
  }

  /// Returns the values that a CHECK lists for a column, or nil if there is no such CHECK.
  ///
  ///     CHECK (state IN ('open', 'closed'))
  private func listedValues(of column: String, in schema: TableSchema) throws -> [DatabaseValue]? {
    guard let definition = schema.sql.flatMap({ try? TableDefinition(sql: $0) }) else { return nil }
    for check in definition.checks {
      guard let list = ListedValues(check, of: column) else { continue }
      return try list.expressions.compactMap { try firstRow("SELECT \(raw: $0)", count: 1)?.first?.value }
    }
    return nil
  }
}

/// The origin of the suggested values for a column.
package enum ChoiceOrigin: Sendable {
  /// These values.
  case listed([ColumnChoice])
  /// The existing values of a column.
  case column(ParameterChoices)
  /// The rows of a SELECT, each with the parts of its label.
  ///
  /// The width is the number of columns.
  case referred(SQLText, width: Int)

  /// Returns the origin for the keys of a table with their labels.
  ///
  /// ```sql
  /// SELECT AlbumId, Title FROM main.Album WHERE ((Title LIKE 'let%') OR (AlbumId LIKE 'let%')) ORDER BY AlbumId LIMIT 10
  /// ```
  fileprivate static func referred(to key: String, in schema: TableSchema, prefix: String, limit: Int, among rows: Int?) -> Self {
    let label = schema.labelColumns(besides: [key])
    let names = ([key] + label).map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
    let matches = (label + [key]).map { PatternMatch(Column<String>($0), has: prefix, at: .start) }
    let condition: SQLText = prefix.isEmpty ? "" : " WHERE \(Logic(.or, matches).sqlText)"
    let table = schema.entry.reference.sqlText
    let source: SQLText =
      rows.map { "(SELECT \(names) FROM \(table) ORDER BY \(identifier: key) LIMIT \(raw: String($0)))" } ?? table
    return .referred(
      "SELECT \(names) FROM \(source)\(condition) ORDER BY \(identifier: key) LIMIT \(limit)", width: label.count + 1)
  }
}

extension ColumnChoice {
  /// Creates a choice from a key and the parts of its label.
  ///
  /// Returns nil if the key is NULL or not valid text.
  package init?(_ values: [StoredValue]) {
    guard let value = values.first?.value, !value.isNull else { return nil }
    let texts = values.dropFirst().compactMap(\.value).filter { !$0.isNull }.map(\.plainText)
    self.init(value: value, label: texts.isEmpty ? nil : texts.joined(separator: " "))
  }
}

extension DatabaseValue {
  /// The value for display.
  ///
  /// A text has no quotes.
  fileprivate var plainText: String {
    if case .text(let text) = self { text } else { sqlLiteral }
  }
}

extension TableDefinition {
  /// The conditions of all CHECK constraints as written.
  fileprivate var checks: [String] {
    let ofColumns = columns.flatMap(\.constraints).compactMap { if case .check(let sql) = $0.kind { sql } else { nil } }
    return ofColumns + constraints.compactMap { if case .check(let sql) = $0.kind { sql } else { nil } }
  }
}

/// The literals in `column IN (literal, …)` if this is the whole condition.
private struct ListedValues {
  var expressions: [String]

  init?(_ condition: String, of column: String) {
    let tokens = StatementTokens(condition)
    guard tokens.name(0)?.isSameIdentifier(as: column) == true, tokens.keyword(1) == .in, tokens.isSymbol(2, "("),
      tokens.partner(of: 2) == tokens.count - 1
    else { return nil }
    let items = tokens.items(in: 3..<tokens.count - 1)
    guard !items.isEmpty, items.allSatisfy(tokens.isLiteral) else { return nil }
    expressions = items.map { tokens.text($0) }
  }
}

extension StatementTokens {
  /// Returns whether the tokens at some indices are a number with or without a sign, a text or a blob.
  func isLiteral(_ range: Range<Int>) -> Bool {
    let isSigned = range.count == 2 && (isSymbol(range.lowerBound, "-") || isSymbol(range.lowerBound, "+"))
    guard range.count == 1 || isSigned else { return false }
    switch self[range.upperBound - 1]?.kind {
    case .number: return true
    case .text, .blob: return !isSigned
    default: return false
    }
  }
}
