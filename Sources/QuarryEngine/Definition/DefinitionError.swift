/// An error in a definition, with its place, that is detected without SQLite.
///
/// ```swift
/// do {
///   try TableDefinition("player") { t in t.column("id"); t.column("ID") }.validate()
/// } catch {
///   print(error)  // Prints table player has two columns ID
/// }
/// ```
public enum DefinitionError: Error, Hashable, Sendable {
  /// A table without columns.
  case noColumns(table: String)
  /// An index without terms.
  case noTerms(index: String, table: String)
  /// An index with explicit NULLS FIRST or NULLS LAST; SQLite's indexes have NULLs first, or last in descending order.
  case nullsPlace(index: String, table: String)
  /// Two columns with the same name, ignoring case.
  case duplicateColumn(String, table: String)
  /// More than one primary key, including column and table constraints.
  case severalPrimaryKeys(table: String)
  /// A table WITHOUT ROWID that has no primary key.
  case noPrimaryKey(table: String)
  /// A constraint or an index names a column that the table does not have.
  case unknownColumn(String, in: String, table: String)
  /// A foreign key without columns refers to a table that has no primary key.
  case noReferencedKey(table: String, referenced: String)
  /// A foreign key without columns refers to a table that does not exist.
  case noReferencedTable(table: String, referenced: String)
  /// A foreign key has another number of columns than it references.
  case wrongReferenceCount(columns: [String], referenced: [String], table: String)
  /// An empty name, or an empty list of names.
  case emptyName(of: String)
  /// A name contains NUL, where SQLite would end it.
  case nulInName(String, of: String)
  /// SQLite reserves names that begin with `sqlite_`.
  case reservedName(String)
  /// A default that SQLite cannot store, with the reason.
  case unstorableDefault(column: String, table: String, reason: String)
  /// An expression with a syntax error, at an offset in bytes of its UTF-8, from 0.
  case invalidExpression(String, of: String, offset: Int, reason: String)
  /// A table that does not exist.
  case noSuchTable(String)
  /// A table that has another definition than the one to be changed.
  case alteredSince(String)
  /// The SQL of an existing table or index could not be parsed as a definition.
  case unreadable(String, sql: String, offset: Int)
}

extension DefinitionError: CustomStringConvertible {
  /// The error as a sentence without a period.
  public var description: String {
    switch self {
    case .noColumns(let table): "table \(table) has no columns"
    case .noTerms(let index, let table): "index \(index) of table \(table) has no columns"
    case .nullsPlace(let index, let table):
      "index \(index) of table \(table) cannot use NULLS FIRST or NULLS LAST: NULLs are less than all other values"
    case .duplicateColumn(let column, let table): "table \(table) has two columns named \(column)"
    case .severalPrimaryKeys(let table): "table \(table) has more than one primary key"
    case .noPrimaryKey(let table): "table \(table) is WITHOUT ROWID and has no primary key"
    case .unknownColumn(let column, let place, let table): "\(place) of table \(table) names a column \(column), which does not exist"
    case .noReferencedKey(let table, let other):
      "a foreign key of table \(table) refers to the primary key of \(other), which has none: name its columns"
    case .noReferencedTable(let table, let other):
      "a foreign key of table \(table) refers to the primary key of \(other), which does not exist: create it first, or name its columns"
    case .wrongReferenceCount(let columns, let referenced, let table):
      "the foreign key (\(columns.joined(separator: ", "))) of table \(table) refers to (\(referenced.joined(separator: ", ")))"
    case .emptyName(let thing): "the name of \(thing) is empty"
    case .nulInName(let name, let thing): "the name \(Self.replacingNUL(in: name)) of \(thing) contains a NUL"
    case .reservedName(let name): "the name \(name) is reserved: names that begin with sqlite_ belong to SQLite"
    case .unstorableDefault(let column, let table, let reason): "the default of column \(column) of table \(table): \(reason)"
    case .invalidExpression(_, let place, _, let reason): "\(place): \(reason)"
    case .noSuchTable(let name): "there is no table \(name)"
    case .alteredSince(let name): "the table \(name) has been altered since: open its design again"
    case .unreadable(let reason, let sql, let offset): "\(reason), at byte \(offset) of `\(sql)`"
    }
  }
  private static func replacingNUL(in name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
  }
}
