/// The databases of a connection with the names of their tables and views; fast to read even for a large file.
public struct Catalog: Hashable, Sendable {
  /// The databases, in SQLite's order: `main`, `temp` if it exists, and the attached databases.
  public var databases: [CatalogDatabase]

  /// Creates a catalog.
  package init(databases: [CatalogDatabase]) {
    self.databases = databases
  }
}

/// One database of a connection.
public struct CatalogDatabase: Hashable, Sendable {
  /// `main`, `temp`, or the name under which it is attached.
  public var name: String
  /// The path of its file; nil for a database in memory or a temporary one.
  public var path: String?
  /// Its tables, virtual tables and views, sorted by name, ignoring case.
  public var entries: [CatalogEntry]

  /// Creates the list of a database.
  package init(name: String, path: String?, entries: [CatalogEntry]) {
    self.name = name
    self.path = path
    self.entries = entries
  }
}

/// A table, virtual table or view in the catalog.
public struct CatalogEntry: Hashable, Sendable {
  /// The kinds of entries.
  public enum Kind: Hashable, Sendable {
    /// An ordinary table.
    case table
    /// A view.
    case view
    /// A virtual table, with the name of its module.
    case virtual(module: String)
    /// A shadow table of the virtual table with this name.
    case shadow(of: String)
    /// One of SQLite's own tables, such as `sqlite_schema` and `sqlite_sequence`.
    case system
  }

  /// Its database and its name.
  public var reference: TableReference
  /// The kind of the entry.
  public var kind: Kind
  /// Whether it is a WITHOUT ROWID table.
  public var isWithoutRowID: Bool
  /// Whether it is a STRICT table.
  public var isStrict: Bool
  /// The number of columns, including hidden ones; nil if SQLite cannot list them (a module is missing, a view does not compile).
  public var columnCount: Int?

  /// Creates an entry.
  package init(reference: TableReference, kind: Kind, isWithoutRowID: Bool, isStrict: Bool, columnCount: Int?) {
    self.reference = reference
    self.kind = kind
    self.isWithoutRowID = isWithoutRowID
    self.isStrict = isStrict
    self.columnCount = columnCount
  }

  /// Whether it has rows of its own: the rows of views come from other tables, and shadow tables contain the data of their module.
  package var hasRowsOfItsOwn: Bool {
    switch kind {
    case .table, .virtual: true
    case .view, .shadow, .system: false
    }
  }
}

/// The syntax of the statement that created a virtual table.
///
///     CREATE VIRTUAL TABLE "my notes" USING fts5(title, body, content='docs')   -- fts5, content: docs
package struct VirtualTableSyntax {
  /// The name of its module, between USING and the arguments.
  package let module: String
  /// The arguments that are options, with unquoted values: `content='docs'`.
  let options: [(name: String, value: String)]

  /// Parses a CREATE VIRTUAL TABLE statement; nil for any other text.
  package init?(_ sql: String) {
    let tokens = StatementTokens(sql)
    let using = (0..<tokens.count).first { tokens.keyword($0) == .using }
    guard let using, let module = tokens.name(using + 1) else { return nil }
    self.module = module
    let opener = using + 2
    guard tokens.isSymbol(opener, "(") else {
      options = []
      return
    }
    options = tokens.items(in: opener + 1..<tokens.partner(of: opener)).compactMap { item in
      guard tokens.isSymbol(item.lowerBound + 1, "="), let name = tokens.name(item.lowerBound) else { return nil }
      return (name, tokens.name(item.lowerBound + 2) ?? tokens.text(item.dropFirst(2)))
    }
  }
}
