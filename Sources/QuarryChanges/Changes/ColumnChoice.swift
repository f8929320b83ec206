public import QuarryEngine
package import QuarryRows

/// A value that a column may be given, with what a person knows it by.
public struct ColumnChoice: Hashable, Sendable {
  /// The value.
  public var value: DatabaseValue
  /// A text of the row that has the value, where the column refers to another table.
  public var label: String?

  /// Makes a choice.
  public init(value: DatabaseValue, label: String? = nil) {
    self.value = value
    self.label = label
  }
}

extension Database {
  /// Looks for values that a column may be given: the keys of the rows that it refers to, those that a CHECK lists, or else those that it
  /// has already; of a primary key none, since each value of it has its row.
  ///
  /// ```swift
  /// try db.choices(for: "AlbumId", of: track, prefix: "let", limit: 10)  // [4: Let There Be Rock]
  /// ```
  ///
  /// - Parameter prefix: What the values or their labels begin with, without regard to case.
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

  /// Returns where the values come from that a column may be given, as the schema tells.
  ///
  /// - Parameter rows: How many rows of a table that is referred to are looked at, the first by their keys; nil for all.
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
    // Each value of a key has its row already.
    let key = schema.columns.filter { $0.primaryKeyPosition != nil }
    if key.count == 1, key[0].name.isSameIdentifier(as: column) { return .listed([]) }
    return .column(.column(schema.entry.reference, column))
  }

  /// Returns the values that a CHECK lists for a column; nil where none does.
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

/// Where the values come from that a column may be given.
package enum ChoiceOrigin: Sendable {
  /// They are these.
  case listed([ColumnChoice])
  /// They are those that a column has.
  case column(ParameterChoices)
  /// A SELECT gives them, each with the parts of its label; so many columns.
  case referred(SQLText, width: Int)

  /// Makes the origin of keys of a table with a label for each.
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
  /// Makes a choice of a key and the parts of its label; nil where the key is none.
  package init?(_ values: [StoredValue]) {
    guard let value = values.first?.value, !value.isNull else { return nil }
    let texts = values.dropFirst().compactMap(\.value).filter { !$0.isNull }.map(\.plainText)
    self.init(value: value, label: texts.isEmpty ? nil : texts.joined(separator: " "))
  }
}

extension DatabaseValue {
  /// The value as a person reads it, a text without quotes.
  fileprivate var plainText: String {
    if case .text(let text) = self { text } else { sqlLiteral }
  }
}

extension TableDefinition {
  /// The conditions of all CHECKs, as they are written.
  fileprivate var checks: [String] {
    let ofColumns = columns.flatMap(\.constraints).compactMap { if case .check(let sql) = $0.kind { sql } else { nil } }
    return ofColumns + constraints.compactMap { if case .check(let sql) = $0.kind { sql } else { nil } }
  }
}

/// The literals in `column IN (literal, …)`, the whole of a condition.
private struct ListedValues {
  var expressions: [String]

  init?(_ condition: String, of column: String) {
    let tokens = StatementTokens(condition)
    guard tokens.name(0)?.isSameIdentifier(as: column) == true, tokens.keyword(1) == .in, tokens.isSymbol(2, "("),
      tokens.partner(of: 2) == tokens.count - 1
    else { return nil }
    let items = tokens.items(in: 3..<tokens.count - 1)
    guard !items.isEmpty, items.allSatisfy({ Self.isLiteral($0, tokens) }) else { return nil }
    expressions = items.map { tokens.text($0) }
  }

  private static func isLiteral(_ range: Range<Int>, _ tokens: StatementTokens) -> Bool {
    let isSigned = range.count == 2 && (tokens.isSymbol(range.lowerBound, "-") || tokens.isSymbol(range.lowerBound, "+"))
    guard range.count == 1 || isSigned else { return false }
    switch tokens[range.upperBound - 1]?.kind {
    case .number: return true
    case .text, .blob: return !isSigned
    default: return false
    }
  }
}
