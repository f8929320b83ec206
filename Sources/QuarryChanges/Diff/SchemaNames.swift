internal import QuarryEngine

/// The names of the tables and columns of two schemas.
///
/// They distinguish a quoted name from a text in double quotes.
///
/// ```swift
/// SchemaNames(["b c"]).meaning(of: "CREATE TABLE t([b c] TEXT DEFAULT \"Yes\")")  // … b c, text, default, "Yes"
/// ```
struct SchemaNames {
  private let names: Set<String>

  init(_ names: some Sequence<String>) {
    self.names = Set(names.map(\.asciiLowercased))
  }

  /// Returns the words of an SQL text of the schema without layout, comments and quotes of names, in lowercase except for values.
  func meaning(of sql: String) -> [String] {
    let tokens = StatementTokens(sql)
    return words(tokens, 0..<tokens.count)
  }

  /// Whether the SQL texts of two objects have the same meaning, or neither exists.
  func isSame(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return first == second }
    return first == second || meaning(of: first) == meaning(of: second)
  }

  private func words(_ tokens: StatementTokens, _ range: Range<Int>) -> [String] {
    range.map { index in
      switch tokens[index]?.kind {
      case .text, .blob: tokens.text(index)
      case .quotedName: name(at: index, of: tokens) ?? tokens.text(index)
      default: tokens.text(index).asciiLowercased
      }
    }
  }

  /// Returns the quoted name at an index, or nil for a text in double quotes, which SQLite accepts if no name matches.
  private func name(at index: Int, of tokens: StatementTokens) -> String? {
    guard let token = tokens[index] else { return nil }
    let name = SQLToken.name(tokens.bytes[token.range]).asciiLowercased
    let mayBeText = tokens.text(index).hasPrefix("\"") && (tokens.keyword(index - 1) == .default || !names.contains(name))
    return mayBeText ? nil : name
  }

  /// The constraints and options of a table that are not part of the comparison of its columns.
  struct Rules: Hashable {
    /// The constraints of columns and of the table as words, sorted.
    var constraints: [[String]]
    var options: TableDefinition.Options
    /// The order of the common columns.
    var columns: [String]
  }

  /// Returns the rules of a table: keys, UNIQUE, CHECK, foreign keys, generated columns, conflict clauses, options.
  ///
  /// Returns nil if the SQL is not a CREATE TABLE with columns.
  ///
  /// - Parameter columns: The columns that both tables have, in lowercase.
  func rules(of sql: String, _ columns: Set<String>) -> Rules? {
    guard let table = try? TableDefinition(sql: sql) else { return nil }
    let common = table.columns.filter { columns.contains($0.name.asciiLowercased) }
    let own = common.flatMap { column in column.constraints.filter(\.isRule).map { [column.name.asciiLowercased] + meaning(of: $0.sql) } }
    let constraints = own + table.constraints.map { meaning(of: $0.sql) }
    return Rules(
      constraints: constraints.sorted { $0.lexicographicallyPrecedes($1) },
      options: table.options.subtracting([.ifNotExists, .temporary]), columns: common.map(\.name.asciiLowercased))
  }
}

extension ColumnConstraint {
  /// Whether the constraint is not part of the summary of a column, which contains its type, NOT NULL, DEFAULT and COLLATE.
  fileprivate var isRule: Bool {
    switch kind {
    case .notNull(let onConflict): onConflict != nil
    case .defaults, .collation: false
    case .primaryKey, .unique, .check, .references, .generated: true
    }
  }
}
