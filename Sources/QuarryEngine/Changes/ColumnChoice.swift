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
  /// has already.
  ///
  /// ```swift
  /// try db.choices(for: "AlbumId", of: track, prefix: "let", limit: 10)  // [4: Let There Be Rock]
  /// ```
  ///
  /// - Parameter prefix: What the values or their labels begin with, without regard to case.
  /// - Throws: ``DatabaseError``.
  public func choices(for column: String, of schema: TableSchema, prefix: String, limit: Int) throws -> [ColumnChoice] {
    if let key = schema.foreignKeys.first(where: { $0.columns.count == 1 && $0.columns[0].isSameIdentifier(as: column) }),
      let referenced = key.referencedColumns.first
    {
      return try choices(of: referenced, in: tableSchema(key.table), prefix: prefix, limit: limit)
    }
    if let listed = try listedValues(of: column, in: schema) {
      return listed.filter { $0.isWritten(with: prefix) }.prefix(limit).map { ColumnChoice(value: $0) }
    }
    return try values(of: .column(schema.entry.reference, column), prefix: prefix, limit: limit).map { ColumnChoice(value: $0) }
  }

  /// Reads keys of a table with a label for each.
  ///
  /// ```sql
  /// SELECT AlbumId, Title FROM main.Album WHERE ((Title LIKE 'let%') OR (AlbumId LIKE 'let%')) ORDER BY AlbumId LIMIT 10
  /// ```
  private func choices(of key: String, in schema: TableSchema, prefix: String, limit: Int) throws -> [ColumnChoice] {
    let label = schema.labelColumn(besides: key)
    let names = ([key] + (label.map { [$0] } ?? [])).map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
    let matches = [label, key].compactMap(\.self).map { PatternMatch(Column<String>($0), has: prefix, at: .start) }
    let condition: SQLText = prefix.isEmpty ? "" : " WHERE \(Logic(.or, matches).sqlText)"
    let table = schema.entry.reference.sqlText
    let statement = try makeStatement(
      literal: "SELECT \(names) FROM \(table)\(condition) ORDER BY \(identifier: key) LIMIT \(limit)")
    defer { try? statement.reset() }
    var choices: [ColumnChoice] = []
    while try statement.step() {
      guard let value = try statement.storedValue(at: 0).value, !value.isNull else { continue }
      let text = try label.map { _ in try statement.storedValue(at: 1).value } ?? nil
      choices.append(ColumnChoice(value: value, label: text.flatMap { $0.isNull ? nil : $0.plainText }))
    }
    return choices
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

extension TableSchema {
  /// Returns the column that a person knows the rows by: one that is called so, or else the first text.
  fileprivate func labelColumn(besides key: String) -> String? {
    let texts = columns.filter { column in
      column.affinity == .text && !column.isHidden && column.problem == nil && !column.name.isSameIdentifier(as: key)
    }
    let known = ["name", "title", "label", "caption"]
    return (texts.first { column in known.contains { $0.isSameIdentifier(as: column.name) } } ?? texts.first)?.name
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
