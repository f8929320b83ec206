extension TableDefinition {
  /// The definition of the table alone.
  var withoutIndexes: TableDefinition {
    var table = self
    table.indexes = []
    return table
  }

  /// Returns whether the table has a column with this name, ignoring case.
  func has(_ column: String) -> Bool { columns.contains { $0.name.isSameIdentifier(as: column) } }

  /// Returns a column by its name, ignoring case.
  func column(_ name: String) -> ColumnDefinition? { columns.first { $0.name.isSameIdentifier(as: name) } }

  /// Whether the primary key is declared AUTOINCREMENT.
  var isAutoIncremented: Bool {
    columns.flatMap(\.constraints).contains { if case .primaryKey(let key) = $0.kind { key.isAutoIncremented } else { false } }
      || constraints.contains { if case .primaryKey(_, _, let isAutoIncremented) = $0.kind { isAutoIncremented } else { false } }
  }

  /// The column that is an alias of the rowid; see <https://www.sqlite.org/lang_createtable.html#rowid>.
  var rowIDColumn: ColumnDefinition? {
    guard !options.contains(.withoutRowID), primaryKey.count == 1, let column = column(primaryKey[0]),
      column.type?.rawValue.isSameIdentifier(as: "INTEGER") == true
    else { return nil }
    // INTEGER PRIMARY KEY DESC as a column constraint is no alias, for compatibility with an early version of SQLite.
    let isDescending = column.constraints.contains {
      if case .primaryKey(let key) = $0.kind { key.direction == .descending } else { false }
    }
    return isDescending ? nil : column
  }

  /// A name of the hidden rowid that no column has; nil for a table without rowids, or if columns have all its names.
  var rowIDName: String? {
    options.contains(.withoutRowID) ? nil : ["rowid", "_rowid_", "oid"].first { !has($0) }
  }

  /// The statement that creates the table under another name.
  ///
  /// References of expressions to the table's own name (`CHECK (player.score > 0)`) lose it, because the table does not have it yet.
  func createTable(named name: String) -> String {
    var table = withoutIndexes
    let former = self.name
    table.replaceExpressions { SQLIdentifier.removing(former, from: $0) }
    table.name = name
    return table.statements[0]
  }

  /// Returns whether the text of the table has comments, which a new text does not have.
  func hasComments(in objects: [TrialSchema.Object]) -> Bool {
    guard let sql = objects.first(where: { $0.type == "table" })?.sql else { return false }
    var tokenizer = SQLTokenizer(Array(sql.utf8), yieldsComments: true)
    while let token = tokenizer.next() {
      if token.kind == .comment { return true }
    }
    return false
  }

  /// Replaces every expression of the table and its indexes, except defaults, which refer to no column.
  mutating func replaceExpressions(_ change: (String) -> String) {
    for column in columns.indices {
      for index in columns[column].constraints.indices {
        switch columns[column].constraints[index].kind {
        case .check(let sql): columns[column].constraints[index].kind = .check(sql: change(sql))
        case .generated(let sql, let generation): columns[column].constraints[index].kind = .generated(sql: change(sql), generation)
        default: break
        }
      }
    }
    for index in constraints.indices {
      if case .check(let sql) = constraints[index].kind { constraints[index].kind = .check(sql: change(sql)) }
    }
    for index in indexes.indices {
      indexes[index].condition = indexes[index].condition.map(change)
      for term in indexes[index].terms.indices {
        guard case .expression(let sql) = indexes[index].terms[term].subject else { continue }
        indexes[index].terms[term].subject = .expression(sql: change(sql))
      }
    }
  }

  /// The expressions in the order of ``replaceExpressions(_:)``.
  var expressions: [String] {
    var expressions: [String] = []
    var table = self
    table.replaceExpressions { sql in
      expressions.append(sql)
      return sql
    }
    return expressions
  }
}

extension SQLIdentifier {
  /// Returns whether a statement has a token with this name.
  static func isNamed(_ name: String, in sql: String) -> Bool {
    let tokens = StatementTokens(sql)
    return (0..<tokens.count).contains { tokens.name($0)?.isSameIdentifier(as: name) == true }
  }

  /// Removes a table's name before the names of its columns: `a > 0` for `player.a > 0`.
  fileprivate static func removing(_ table: String, from sql: String) -> String {
    let tokens = StatementTokens(sql)
    var (text, end) = ("", 0)
    for index in 0..<tokens.count {
      guard tokens.isSymbol(index + 1, "."), !tokens.isSymbol(index - 1, "."), let name = tokens.plainName(index),
        name.isSameIdentifier(as: table), let token = tokens[index], let next = tokens[index + 2]
      else { continue }
      text += String(decoding: tokens.bytes[end..<token.range.lowerBound], as: UTF8.self)
      end = next.range.lowerBound
    }
    return text + String(decoding: tokens.bytes[end...], as: UTF8.self)
  }
}

extension ColumnDefinition {
  /// Whether the column is generated.
  var isGenerated: Bool { constraints.contains { if case .generated = $0.kind { true } else { false } } }

  /// Whether the column is declared NOT NULL.
  var isNotNull: Bool { constraints.contains { if case .notNull = $0.kind { true } else { false } } }

  /// The declared collation; BINARY if none is declared.
  var declaredCollation: String {
    let declared = constraints.compactMap { if case .collation(let collation) = $0.kind { collation.rawValue } else { nil } }
    return declared.last ?? "BINARY"
  }

  /// The default as SQL; NULL if none is declared.
  var defaultValueSQL: String {
    for constraint in constraints {
      if case .defaults(let value) = constraint.kind { return value.sql }
    }
    return "NULL"
  }

  /// Returns the affinity of the column.
  func affinity(isStrict: Bool) -> ColumnSchema.Affinity {
    ColumnSchema.Affinity(declaredType: type?.rawValue ?? "", isStrict: isStrict)
  }
}
