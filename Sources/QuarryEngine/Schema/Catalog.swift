/// The databases of a connection and what lies in them, by name only: cheap to read however large the file.
public struct Catalog: Hashable, Sendable {
  /// The databases, in SQLite's order: `main`, `temp` where there is one, and those that are attached.
  public var databases: [CatalogDatabase]

  /// Makes a catalog.
  public init(databases: [CatalogDatabase]) {
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
  public init(name: String, path: String?, entries: [CatalogEntry]) {
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
  public init(reference: TableReference, kind: Kind, isWithoutRowID: Bool, isStrict: Bool, columnCount: Int?) {
    self.reference = reference
    self.kind = kind
    self.isWithoutRowID = isWithoutRowID
    self.isStrict = isStrict
    self.columnCount = columnCount
  }
}

/// A table, view or virtual table by the name of its database (`main`, `temp` or an attached one) and its own.
public struct TableReference: Hashable, Sendable {
  /// The database's name.
  public var database: String
  /// The table's own name.
  public var name: String

  /// Names a table, of `main` where no database is told.
  ///
  /// ```swift
  /// TableReference(name: "player")                       // main.player
  /// TableReference(database: "archive", name: "player")  // archive.player
  /// ```
  public init(database: String = "main", name: String) {
    self.database = database
    self.name = name
  }
}

/// Reads the module's name out of the text that made a virtual table.
///
///     CREATE VIRTUAL TABLE "my notes" USING fts5(title, body)   -- fts5
enum VirtualTableModule {
  /// Returns the name between USING and the arguments; nil where the text is something else.
  static func name(in sql: String) -> String? {
    let bytes = Array(sql.utf8)
    var tokenizer = SQLTokenizer(bytes)
    while let token = tokenizer.next() {
      if token.keyword(in: bytes) == .using { return tokenizer.next().map { SQLToken.name(bytes[$0.range]) } }
    }
    return nil
  }
}
