internal import ArgumentParser
internal import Browser
internal import QuarryEngine

struct TablesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables", abstract: "List tables and views: name, kind, columns, and rows where they are quickly counted.")

  @OptionGroup var database: DatabaseArgument
  @OptionGroup var format: FormatOptions

  func run() throws {
    Interrupts.watch()
    let queue = try database.openForReading()
    let output = try format.output.open(databases: database.paths)
    try queue.read { db in
      let printer = format.chosen.makePrinter(columns: ["name", "kind", "columns", "rows"], table: "tables", to: output)
      for entry in try db.catalog().entries(of: "main") { try printer.write(row(entry, db)) }
      try printer.finish()
    }
    try output.finish()
  }

  private func row(_ entry: CatalogEntry, _ db: Database) -> [DatabaseValue] {
    [
      .text(entry.reference.name), .text(entry.kind.words), entry.columnCount.map { .integer(Int64($0)) } ?? .null,
      rowCount(entry, db).map { .integer(Int64($0)) } ?? .null,
    ]
  }

  /// Counting stops here, so that a large table costs no more than a small one.
  private static let countLimit = 100_000

  /// Returns the number of a table's rows; nil where it is large, or none can tell without running code: a view, a virtual table.
  private func rowCount(_ entry: CatalogEntry, _ db: Database) -> Int? {
    switch entry.kind {
    case .view, .virtual: return nil
    case .table, .shadow, .system: break
    }
    let table = "main.\(SQLIdentifier.quoted(entry.reference.name))"
    let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT \(Self.countLimit + 1))"
    // A table that cannot be counted is listed all the same.
    guard let count = try? Int.fetchOne(db, sql: sql) else { return nil }
    return count > Self.countLimit ? nil : count
  }
}

extension Catalog {
  /// Returns what lies in a database but for SQLite's own tables.
  func entries(of database: String) -> [CatalogEntry] {
    databases.first { $0.name == database }?.entries.filter { $0.kind != .system } ?? []
  }
}

extension CatalogEntry.Kind {
  /// The kind in a word or two.
  fileprivate var words: String {
    switch self {
    case .table: "table"
    case .view: "view"
    case .virtual(let module): "virtual (\(module))"
    case .shadow(let owner): "shadow of \(owner)"
    case .system: "system"
    }
  }
}
