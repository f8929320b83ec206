import QuarryEngine

/// A completer of the word at a caret.
struct SQLCompleter {
  /// The kinds of completions, in the order they are shown.
  fileprivate enum Rank: Int {
    case join, column, outerColumn, relation, table, minorTable, database, function, parameter, keyword, anyColumn
  }

  private let word: CaretWord
  private let schema: SQLCompletionSchema
  private let scopes: StatementScopes
  private let levels: [[Relation]]
  private var found: [(rank: Rank, name: String, completion: SQLCompletion)] = []

  init(_ word: CaretWord, schema: SQLCompletionSchema) {
    self.word = word
    self.schema = schema
    scopes = StatementScopes(StatementSyntax(word.tokens), schema: schema)
    levels = scopes.levels(at: word.index)
  }

  /// Returns the completions, sorted by kind and name.
  ///
  /// - Parameter start: The position of the statement in its script.
  mutating func completions(shiftedBy start: Int, limit: Int) -> [SQLCompletion] {
    word.kind == .parameter ? addParameters() : add(scopes.syntax.completionPlace(at: word.index))
    var seen: Set<String> = []
    let sorted = found.sorted { ($0.rank.rawValue, $0.name, $0.completion.label) < ($1.rank.rawValue, $1.name, $1.completion.label) }
    let unique = sorted.map(\.completion).filter { seen.insert($0.replacement).inserted }
    return unique.prefix(max(limit, 0)).map { completion in
      var completion = completion
      completion.range = completion.range.lowerBound + start..<completion.range.upperBound + start
      return completion
    }
  }

  private mutating func add(_ place: CompletionPlace) {
    switch place {
    case .start: addKeywords(Self.statementWords)
    case .member(let names, let isTable): addMembers(of: names, isTable: isTable)
    case .table(let words, let isChanged):
      addTables(isChanged: isChanged)
      if !isChanged, word.tokens.keyword(0) != .drop { addTableFunctions() }
      addKeywords(words)
    case .pragma: addNames(schema.pragmas, detail: "pragma")
    case .collation: addNames(schema.collations, detail: "collation")
    case .columnList(let table): addColumns(of: scopes.relation(at: table))
    case .joinColumns: addJoinColumns()
    case .assignment:
      addColumns(of: levels.first?.first)
      if levels.isEmpty { addKeywords(nil) }
    case .expression(let isClear):
      if word.tokens.keyword(word.index - 1) == .on { addJoinConditions() }
      if isClear || word.kind != .none { addValues() }
    case .keyword(let words): addKeywords(words)
    }
  }

  /// The words that can begin a statement.
  private static let statementWords = [
    "ALTER", "ANALYZE", "ATTACH", "BEGIN", "COMMIT", "CREATE", "DELETE", "DETACH", "DROP", "END", "EXPLAIN", "INSERT", "PRAGMA", "QUERY",
    "REINDEX", "RELEASE", "REPLACE", "ROLLBACK", "SAVEPOINT", "SELECT", "UPDATE", "VACUUM", "VALUES", "WITH",
  ]
}

extension SQLCompleter {
  private mutating func addMembers(of names: [String], isTable: Bool) {
    guard let owner = names.last else { return }
    if word.tokens.keyword(0) == .pragma { return addNames(schema.pragmas, detail: "pragma") }
    if names.count > 1 {
      return addColumns(of: schema.table(named: owner, database: names[names.count - 2]).map(Relation.init))
    }
    let seen = levels.joined() + scopes.rows + scopes.commonTables
    let relation = seen.first { $0.name.isSameIdentifier(as: owner) } ?? schema.table(named: owner).map(Relation.init)
    if let relation, !isTable { return addColumns(of: relation) }
    for table in schema.tables where table.reference.database.isSameIdentifier(as: owner) {
      let name = table.reference.name
      add(table.rank, name, detail: table.kind, replacement: SQLIdentifier.quoted(name))
    }
  }

  /// Adds the tables whose names begin with the word.
  ///
  /// - Parameter isChanged: Whether to add only tables whose rows can be changed.
  private mutating func addTables(isChanged: Bool = false) {
    for table in scopes.commonTables { add(.column, table.name, detail: table.kind, replacement: SQLIdentifier.quoted(table.name)) }
    let wanted = word.tokens.keyword(0) == .drop ? word.tokens.keyword(1) : nil
    let databases = schema.databases
    let firsts = databases.count > 1 ? schema.firstDatabases : [:]
    for table in schema.tables where matches(table.reference.name) && (wanted == nil || (wanted == .view) == (table.kind == "view")) {
      if isChanged, !table.takesRows { continue }
      let isFirst = databases.count == 1 || firsts[table.reference.name.lowercased()] == table.reference.database
      let name = isFirst ? table.reference.name : "\(table.reference.database).\(table.reference.name)"
      let sql = isFirst ? SQLIdentifier.quoted(name) : table.reference.sql
      add(table.rank, table.reference.name, label: name, detail: table.kind, replacement: sql)
    }
    guard databases.count > 1 else { return }
    for name in databases { add(.database, name, detail: "database", replacement: SQLIdentifier.quoted(name) + ".") }
  }

  private mutating func addTableFunctions() {
    for function in schema.tableFunctions {
      let name = function.reference.name
      add(.function, name, detail: function.kind, replacement: word.isCalled ? name : name + "(")
    }
  }

  private mutating func addNames(_ names: [String], detail: String) {
    for name in names { add(.keyword, name, detail: detail, replacement: SQLIdentifier.quoted(name)) }
  }

  /// Adds the columns in scope, then the tables, functions and keywords.
  private mutating func addValues() {
    for depth in levels.indices { addColumns(ofLevel: depth) }
    for relation in levels.joined() + scopes.rows where !relation.name.isEmpty {
      add(.relation, relation.name, detail: relation.detail, replacement: SQLIdentifier.quoted(relation.name))
    }
    if word.kind == .none, !levels.isEmpty { return }
    if levels.isEmpty, word.kind != .none { addTables() }
    if levels.isEmpty { addAllColumns() }
    if word.kind == .quoted { return }
    for name in schema.functions where Self.isCallable(name) {
      add(.function, name, detail: "function", replacement: word.isCalled ? name : name + "(")
    }
    addKeywords(nil)
  }

  /// Adds the columns of all tables, each with its table, if no table is named yet.
  private mutating func addAllColumns() {
    for table in schema.tables where table.rank == .table {
      for column in table.columns { add(column, of: Relation(table), as: .anyColumn, isQualified: true) }
    }
  }

  /// Adds the join conditions from the foreign keys between the table before ON and the preceding tables.
  private mutating func addJoinConditions() {
    guard word.kind != .quoted, let sources = levels.first, let last = scopes.joinedPlace(before: word.index, among: sources) else {
      return
    }
    for other in sources[..<last] {
      for (child, parent) in [(sources[last], other), (other, sources[last])] {
        for key in schema.table(named: child.table)?.foreignKeys ?? []
        where key.table.name.isSameIdentifier(as: parent.table) && !key.referencedColumns.isEmpty {
          let terms = zip(key.columns, key.referencedColumns).map { column, referenced in
            let path = [child.name, column].map(SQLIdentifier.quoted).joined(separator: ".")
            return "\(path) = \([parent.name, referenced].map(SQLIdentifier.quoted).joined(separator: "."))"
          }
          let condition = terms.joined(separator: " AND ")
          add(.join, condition, detail: "foreign key", replacement: condition)
        }
      }
    }
  }

  /// Returns whether a function is called by its name, rather than by an operator or a keyword.
  private static func isCallable(_ name: String) -> Bool {
    name.utf8.first.map { $0 > 0x40 } == true && !operators.contains(name.lowercased())
  }

  private static let operators: Set = ["current_date", "current_time", "current_timestamp", "glob", "like", "match", "regexp"]

  /// Adds the columns of a select.
  ///
  /// A column whose name is not unique in scope is written with its table.
  private mutating func addColumns(ofLevel depth: Int) {
    let seen = levels[...depth].joined().filter { !$0.isNamedOnly }
    let counts = Dictionary(seen.flatMap(\.columns).map { ($0.name.lowercased(), 1) }, uniquingKeysWith: +)
    for relation in levels[depth] where !relation.isNamedOnly {
      for column in relation.columns where matches(column.name) {
        let isShared = counts[column.name.lowercased(), default: 1] > 1 && !relation.name.isEmpty
        add(column, of: relation, as: depth == 0 ? .column : .outerColumn, isQualified: isShared)
      }
    }
  }

  private mutating func addColumns(of relation: Relation?) {
    guard let relation else { return }
    for column in relation.columns { add(column, of: relation, as: .column, isQualified: false) }
  }

  /// Adds the columns that USING can name: columns with a namesake in another table.
  private mutating func addJoinColumns() {
    let relations = levels.first ?? []
    for (index, relation) in relations.enumerated() {
      for column in relation.columns where relations[..<index].contains(where: { $0.column(named: column.name) != nil }) {
        add(column, of: relation, as: .column, isQualified: false)
      }
    }
  }

  private mutating func add(_ column: SQLCompletionSchema.Column, of relation: Relation, as rank: Rank, isQualified: Bool) {
    let path = (isQualified ? [relation.name] : []) + [column.name]
    let detail = [column.declaredType.lowercased(), relation.table].filter { !$0.isEmpty }.joined(separator: " · ")
    let replacement = path.map(SQLIdentifier.quoted).joined(separator: ".")
    add(rank, column.name, label: path.joined(separator: "."), detail: detail, replacement: replacement)
  }

  private mutating func addParameters() {
    for parameter in word.tokens.parameters where parameter.text != "?" {
      add(.parameter, parameter.text, detail: "parameter", replacement: parameter.text)
    }
  }

  /// Adds keywords in the case of the typed word; all of them if `words` is nil.
  private mutating func addKeywords(_ words: [String]?) {
    guard word.kind == .plain else { return }
    let isSmall = word.prefix.contains(where: \.isLowercase)
    for keyword in words ?? schema.keywords {
      let text = isSmall ? keyword.lowercased() : keyword
      add(.keyword, text, detail: "keyword", replacement: text)
    }
  }

  private mutating func add(_ rank: Rank, _ name: String, label: String? = nil, detail: String, replacement: String) {
    guard matches(name) else { return }
    let completion = SQLCompletion(label: label ?? name, detail: detail, range: word.range, replacement: replacement)
    found.append((rank, name.lowercased(), completion))
  }

  /// Returns whether a name begins with the typed word, ignoring case.
  private func matches(_ name: String) -> Bool {
    let typed = word.prefix.utf8
    return name.utf8.count >= typed.count && zip(name.utf8, typed).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension SQLCompletionSchema.Table {
  /// The rank of a table.
  ///
  /// SQLite's own tables come last.
  fileprivate var rank: SQLCompleter.Rank {
    kind == "shadow table" || kind == "system table" ? .minorTable : .table
  }
}

/// A completion at a caret in SQL.
///
/// ```swift
/// SQLCompletion(label: "Order Details", detail: "table", range: 14..<17, replacement: "\"Order Details\"")
/// ```
public struct SQLCompletion: Hashable, Sendable {
  /// The text shown in a list: a name without its quotes.
  public var label: String
  /// The kind of the completion: `integer · Track`, `table`, `view`, `function`, `keyword`.
  public var detail: String
  /// The range of the typed word to replace, in bytes of the script's UTF-8.
  public var range: Range<Int>
  /// The inserted text: a name quoted as SQL requires, a function with its `(`.
  public var replacement: String

  /// Creates a completion.
  public init(label: String, detail: String, range: Range<Int>, replacement: String) {
    self.label = label
    self.detail = detail
    self.range = range
    self.replacement = replacement
  }
}

extension SQLScript {
  /// Returns the completions at a caret, sorted by kind and name: columns, then tables and their aliases, functions, keywords.
  ///
  /// ```swift
  /// let script = SQLScript("SELECT t.Na FROM Track t")
  /// script.completions(at: 11, schema: schema).map(\.label)   // ["Name"]
  /// ```
  ///
  /// The position of the caret selects the completions:
  ///
  /// - After FROM and similar keywords: only tables. A statement that changes rows is offered only tables that can be changed.
  /// - After `t.`: only the columns of the table or alias `t`.
  /// - After `:`: only the parameters of the statement.
  /// - After PRAGMA and COLLATE: the names of pragmas and collations.
  /// - After ON: first the join conditions from foreign keys.
  /// - Where nothing has been typed: completions only if a table or column must follow.
  /// - Within texts and comments: none.
  ///
  /// A name with spaces is also found by its first words. A column name that two tables share is written with its table. If no table is
  /// named, the columns of all tables come last.
  ///
  /// - Parameters:
  ///   - offset: The position of the caret in bytes of UTF-8.
  ///   - schema: The existing tables, columns and functions.
  ///   - limit: The maximum number of completions.
  public func completions(at offset: Int, schema: SQLCompletionSchema, limit: Int = 100) -> [SQLCompletion] {
    let caret = min(max(offset, 0), text.utf8.count)
    guard let part = parts.first(where: { $0.range.upperBound > caret || !$0.isEnded }), part.range.lowerBound <= caret else { return [] }
    let start = part.range.lowerBound
    let end = part.isEnded ? part.range.upperBound : text.utf8.count
    guard let word = CaretWord(Array(bytes(start..<end)), caret: caret - start) else { return [] }
    var found: [SQLCompletion] = []
    // A name with spaces may have been started without quotes; the words before the caret are then part of it.
    for count in (1...CaretWord.mostWords).reversed() where found.isEmpty {
      guard let words = word.extended(by: count, where: schema.hasName) else { continue }
      var completer = SQLCompleter(words, schema: schema)
      found = completer.completions(shiftedBy: start, limit: limit)
    }
    var completer = SQLCompleter(word, schema: schema)
    // Keywords that happen to match a word of the name, or its continuation, are not meant.
    return found.isEmpty ? completer.completions(shiftedBy: start, limit: limit) : found
  }
}
