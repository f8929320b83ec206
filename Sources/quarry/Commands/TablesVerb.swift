internal import ArgumentParser
internal import Browser
internal import QuarryCluster
internal import QuarryEngine

struct TablesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables", abstract: "List tables and views: name, kind, columns, and rows if they can be counted quickly.")

  @OptionGroup var database: DatabaseArgument
  @OptionGroup var format: FormatOptions

  func run() throws {
    Interrupts.watch()
    let remote = try database.remote()
    let listing = try remote.map { try list($0) } ?? list(database.openForReading())
    if listing.entries.isEmpty, remote != nil {
      StandardError.write("quarry: there are no tables: a mistyped name opens an empty database\n")
    }
    let output = try format.output.open(databases: database.paths)
    let printer = format.chosen.makePrinter(columns: ["name", "kind", "columns", "rows"], table: "tables", to: output)
    for (entry, count) in zip(listing.entries, listing.counts) { try printer.write(row(entry, count)) }
    try printer.finish()
    try output.finish()
    if let failure = listing.failure { throw failure }
  }

  /// The tables, with their numbers of rows.
  private struct Listing {
    var entries: [CatalogEntry]
    var counts: [Int?] = []
    /// The first table whose rows cannot be read.
    var failure: Failure?
  }

  private func list(_ queue: DatabaseQueue) throws -> Listing {
    try queue.read { db in
      var listing = Listing(entries: try db.catalog().entries(of: "main"))
      for entry in listing.entries {
        var count: Int?
        do { count = try rowCount(entry, db) } catch let error as DatabaseError where error.resultCode != DatabaseError.SQLITE_INTERRUPT {
          // A table that cannot be counted is still listed. Its definition may need code that is missing here.
          let isOfFile = error.resultCode != DatabaseError.SQLITE_ERROR
          if isOfFile, listing.failure == nil { listing.failure = Self.failure(of: entry, error) }
        }
        listing.counts.append(count)
      }
      return listing
    }
  }

  private static func failure(of entry: CatalogEntry, _ error: DatabaseError) -> Failure {
    .refused("the rows of “\(entry.reference.name)” cannot be counted: \(error.sentence)")
  }

  private func list(_ remote: RemoteDataSource) throws -> Listing {
    try InsightOptions.waiting {
      let entries = try await remote.catalog().entries(of: "main")
      let counted = entries.filter(\.hasRows)
      let counts = try await remote.counts(of: counted.map(\.reference), upTo: Self.countLimit)
      let known = Dictionary(zip(counted.map(\.reference), counts), uniquingKeysWith: { first, _ in first })
      return Listing(entries: entries, counts: entries.map { known[$0.reference] ?? nil })
    }
  }

  private func row(_ entry: CatalogEntry, _ count: Int?) -> [DatabaseValue] {
    [
      .text(entry.reference.name), .text(entry.kind.words), entry.columnCount.map { .integer(Int64($0)) } ?? .null,
      count.map { .integer(Int64($0)) } ?? .null,
    ]
  }

  /// The maximum number of rows to count, so that a large table takes no longer than a small one.
  private static let countLimit = 100_000

  /// Returns the number of a table's rows.
  ///
  /// Returns nil for a large table, and for a view or a virtual table, which cannot be counted without running code.
  private func rowCount(_ entry: CatalogEntry, _ db: Database) throws -> Int? {
    guard entry.hasRows else { return nil }
    let table = "main.\(SQLIdentifier.quoted(entry.reference.name))"
    let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT \(Self.countLimit + 1))"
    guard let count = try Int.fetchOne(db, sql: sql) else { return nil }
    return count > Self.countLimit ? nil : count
  }
}

extension Catalog {
  /// Returns the entries of a database except SQLite's own tables.
  func entries(of database: String) -> [CatalogEntry] {
    databases.first { $0.name == database }?.entries.filter { $0.kind != .system } ?? []
  }
}

extension CatalogEntry {
  /// Whether its rows can be counted without running code.
  fileprivate var hasRows: Bool {
    switch kind {
    case .view, .virtual: false
    case .table, .shadow, .system: true
    }
  }
}

extension CatalogEntry.Kind {
  /// The kind in words.
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
