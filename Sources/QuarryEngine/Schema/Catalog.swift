/// The databases of a connection and what lies in them, by name only: cheap to read however large the file.
public struct Catalog: Hashable, Sendable {
  /// The databases, in SQLite's order: `main`, `temp` where there is one, and those that are attached.
  public var databases: [CatalogDatabase]

  /// Makes a catalog.
  package init(databases: [CatalogDatabase]) {
    self.databases = databases
  }
}

/// One database of a connection.
public struct CatalogDatabase: Hashable, Sendable {
  /// `main`, `temp`, or the name it is attached under.
  public var name: String
  /// The path of its file; nil for a database in memory or a temporary one.
  public var path: String?
  /// Its tables, virtual tables and views, by name without regard to case.
  public var entries: [CatalogEntry]

  /// Makes a database's list.
  package init(name: String, path: String?, entries: [CatalogEntry]) {
    self.name = name
    self.path = path
    self.entries = entries
  }
}

/// A table, virtual table or view as the catalog lists it.
public struct CatalogEntry: Hashable, Sendable {
  /// What an entry is.
  public enum Kind: Hashable, Sendable {
    /// A table of its own.
    case table
    /// A view.
    case view
    /// A virtual table, with the name of its module.
    case virtual(module: String)
    /// A table in which a virtual table keeps its data, with that table's name.
    case shadow(of: String)
    /// One of SQLite's own: `sqlite_schema`, `sqlite_sequence` and the like.
    case system
  }

  /// Its database and its name.
  public var reference: TableReference
  /// What it is.
  public var kind: Kind
  /// Whether it is a WITHOUT ROWID table.
  public var isWithoutRowID: Bool
  /// Whether it is a STRICT table.
  public var isStrict: Bool
  /// The number of columns, hidden ones too; nil where SQLite could not tell (a module is missing, a view does not compile).
  public var columnCount: Int?

  /// Makes an entry.
  package init(reference: TableReference, kind: Kind, isWithoutRowID: Bool, isStrict: Bool, columnCount: Int?) {
    self.reference = reference
    self.kind = kind
    self.isWithoutRowID = isWithoutRowID
    self.isStrict = isStrict
    self.columnCount = columnCount
  }

  /// Whether its rows are its own: what a view shows and what a module keeps for itself are those of other tables.
  package var hasRowsOfItsOwn: Bool {
    switch kind {
    case .table, .virtual: true
    case .view, .shadow, .system: false
    }
  }
}

/// A virtual table as the text tells that made it.
///
///     CREATE VIRTUAL TABLE "my notes" USING fts5(title, body, content='docs')   -- fts5, content: docs
package struct VirtualTableSyntax {
  /// The name of its module, which stands between USING and the arguments.
  package let module: String
  /// The arguments that are options, without the quotes of their values: `content='docs'`.
  let options: [(name: String, value: String)]

  /// Reads a CREATE VIRTUAL TABLE; nil where the text is something else.
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
