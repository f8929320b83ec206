import QuarryEngine

/// The parts of a column that the form of a table sets one by one.
enum ColumnPart: Hashable, Sendable, CaseIterable {
  case key, notNull, unique, defaults, references, check, collation, generated

  init(of kind: ColumnConstraint.Kind) {
    self =
      switch kind {
      case .notNull: .notNull
      case .primaryKey: .key
      case .unique: .unique
      case .check: .check
      case .defaults: .defaults
      case .collation: .collation
      case .references: .references
      case .generated: .generated
      }
  }

  /// The name of the part in lists.
  var title: String {
    switch self {
    case .key: "primary key"
    case .notNull: "NOT NULL"
    case .unique: "unique"
    case .defaults: "default"
    case .references: "foreign key"
    case .check: "check"
    case .collation: "collation"
    case .generated: "generated"
    }
  }
}

extension ColumnDefinition {
  /// Returns the first constraint of a kind; nil if the column has none of it.
  func constraint(_ part: ColumnPart) -> ColumnConstraint.Kind? { constraints.map(\.kind).first { ColumnPart(of: $0) == part } }

  /// Sets the constraint of a kind, or removes it.
  mutating func set(_ part: ColumnPart, to kind: ColumnConstraint.Kind?) {
    if let index = constraints.firstIndex(where: { ColumnPart(of: $0.kind) == part }) {
      if let kind { constraints[index].kind = kind } else { constraints.remove(at: index) }
    } else if let kind {
      constraints.append(ColumnConstraint(kind))
    }
  }

  /// Returns the text of a part in the form; empty if it is not set.
  func text(_ part: ColumnPart) -> String {
    switch constraint(part) {
    case .check(let sql)?, .generated(let sql, _)?, .defaults(.expression(let sql))?, .defaults(.literal(let sql))?: sql
    case .collation(let collation)?: collation.rawValue
    case .references(let key)?: key.table
    case .notNull?, .unique?: "yes"
    case .primaryKey(let key)?: key.isAutoIncremented ? "yes, AUTOINCREMENT" : "yes"
    default: ""
    }
  }

  /// Whether a generated column is stored; nil for any other column.
  var generation: ColumnSchema.Generation? { if case .generated(_, let generation)? = constraint(.generated) { generation } else { nil } }

  /// Everything after the type, as SQL.
  var rest: String { constraints.map(\.sql).joined(separator: " ") }
}

/// Texts of the form, parsed as parts of a definition.
enum DesignText {
  /// Returns a default from a text: a number, a quoted text, a keyword, or an expression; any other text is taken as a text value.
  static func defaultValue(_ text: String) -> ColumnConstraint.DefaultValue {
    let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    let keywords = ["null", "true", "false", "current_timestamp", "current_date", "current_time"]
    if Double(trimmed) != nil || keywords.contains(trimmed.lowercased()) || trimmed.lowercased().hasPrefix("x'") {
      return .literal(sql: trimmed)
    }
    if trimmed.hasPrefix("'"), trimmed.hasSuffix("'"), trimmed.count > 1 { return .literal(sql: trimmed) }
    let call = trimmed.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let isCall = !call.isEmpty && trimmed.dropFirst(call.count).first == "(" && trimmed.last == ")"
    if trimmed.first == "(" || isCall { return .expression(sql: unwrapped(trimmed)) }
    return .literal(sql: "'" + trimmed.map { $0 == "'" ? "''" : String($0) }.joined() + "'")
  }

  /// Returns an expression without the parentheses around it.
  private static func unwrapped(_ sql: String) -> String {
    let tokens = StatementTokens(sql)
    guard tokens.isSymbol(0, "("), tokens.partner(of: 0) == tokens.count - 1, tokens.count > 2 else { return sql }
    return String(sql.dropFirst().dropLast())
  }

  /// Returns a constraint of a table from its SQL; nil if it is not exactly one.
  static func constraint(_ sql: String) -> TableConstraint? {
    guard let table = try? TableDefinition(sql: "CREATE TABLE t(x, \(sql)\n)"), table.columns.count == 1 else { return nil }
    return table.constraints.count == 1 ? table.constraints[0] : nil
  }

  /// Returns a column from its SQL; nil if it is not exactly one.
  static func column(_ sql: String) -> ColumnDefinition? {
    guard let table = try? TableDefinition(sql: "CREATE TABLE t(\(sql)\n)"), table.constraints.isEmpty else { return nil }
    return table.columns.count == 1 ? table.columns[0] : nil
  }

  /// Returns an index from a text: `UNIQUE by_name (name, score DESC) WHERE score > 0`; nil for any other text.
  static func index(_ text: String, on table: String) -> IndexDefinition? {
    let isUnique = text.lowercased().hasPrefix("unique ")
    let rest = isUnique ? text.dropFirst("unique ".count) : text[...]
    guard let opener = rest.firstIndex(of: "(") else { return nil }
    let (name, terms) = (rest[..<opener].drop { $0 == " " }, rest[opener...])
    let unique = isUnique ? "UNIQUE " : ""
    let index = try? IndexDefinition(sql: "CREATE \(unique)INDEX \(name) ON \(SQLIdentifier.quoted(table)) \(terms)")
    return index?.name.isEmpty == false ? index : nil
  }

  /// Returns the columns and expressions of an index: `name, score DESC`.
  static func terms(of index: IndexDefinition) -> String {
    index.terms.map { term in
      let direction = term.direction == .descending ? " DESC" : ""
      return switch term.subject {
      case .column(let name): name + direction
      case .expression(let sql): sql + direction
      }
    }.joined(separator: ", ")
  }

  /// Returns the text of an index in the same form.
  static func text(of index: IndexDefinition) -> String {
    let sql = index.sql
    guard let range = sql.firstRange(of: " ON \(SQLIdentifier.quoted(index.table)) ") else { return sql }
    let unique = index.options.contains(.unique) ? "UNIQUE " : ""
    return "\(unique)\(SQLIdentifier.quoted(index.name)) \(sql[range.upperBound...])"
  }
}
