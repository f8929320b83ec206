/// The databases of a connection and what lies in them, by name only: cheap to read however large the file.
public struct Catalog: Hashable, Sendable {
  public var databases: [CatalogDatabase]

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

  public init(name: String, path: String?, entries: [CatalogEntry]) {
    self.name = name
    self.path = path
    self.entries = entries
  }
}

/// A table, virtual table or view as the catalog lists it.
public struct CatalogEntry: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case table
    case view
    /// A virtual table, with the name of its module.
    case virtual(module: String)
    /// A table in which a virtual table keeps its data, with that table's name.
    case shadow(of: String)
    /// One of SQLite's own: `sqlite_schema`, `sqlite_sequence` and the like.
    case system
  }

  public var reference: TableReference
  public var kind: Kind
  public var isWithoutRowID: Bool
  public var isStrict: Bool
  /// The number of columns, hidden ones too; nil where SQLite could not tell (a module is missing, a view does not compile).
  public var columnCount: Int?

  public init(reference: TableReference, kind: Kind, isWithoutRowID: Bool, isStrict: Bool, columnCount: Int?) {
    self.reference = reference
    self.kind = kind
    self.isWithoutRowID = isWithoutRowID
    self.isStrict = isStrict
    self.columnCount = columnCount
  }
}
