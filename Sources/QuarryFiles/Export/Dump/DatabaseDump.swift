internal import QuarryEngine
public import QuarryRows
internal import Synchronization

extension ReadConnections {
  /// Writes a database as SQL that recreates it, from one state, on the background connection and the second reader.
  ///
  /// ```swift
  /// try await connections.dump { try file.write($0) }
  /// ```
  ///
  /// The sqlite3 shell can read the SQL. It creates tables with their rows first, then indexes, triggers and views in the order of their
  /// creation, so that no trigger fires for the rows. Virtual tables are added by `PRAGMA writable_schema`, with the rows of their shadow
  /// tables unchanged. Rowids are preserved if no column is the rowid, except in a table with 2,000 columns, where a result has no room for
  /// them. Reals, texts with NUL or carriage returns, and texts with invalid bytes are preserved exactly.
  ///
  /// ```sql
  /// PRAGMA foreign_keys=OFF;
  /// BEGIN TRANSACTION;
  /// CREATE TABLE tags(id INTEGER PRIMARY KEY, title);
  /// INSERT INTO tags VALUES(1,'it''s');
  /// CREATE INDEX tags_title ON tags(title);
  /// COMMIT;
  /// ```
  ///
  /// - Parameters:
  ///   - tables: The tables and views to write, with their indexes and triggers, or nil for the whole database.
  ///   - progress: Called with the number of written rows, on any thread.
  ///   - sink: Receives the bytes. Called by one thread at a time. The bytes are valid only during the call.
  /// - Throws: ``DatabaseError``, with `SQLITE_TOOBIG` for a row that does not fit into an SQL statement. Any error thrown by the sink, and
  ///   `CancellationError`.
  public func dump(
    tables: [String]? = nil, progress: @escaping @Sendable (RowProgress) -> Void = { _ in },
    to sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws {
    let output = OrderedOutput(sink)
    let begun = Mutex<DumpScan?>(nil)
    do {
      let state = Mutex(DataState.unknown)
      let scan = try await readInParallel("main", .none) { database in
        let current = try DataState(of: "main", in: database)
        state.withLock { $0 = current }
        let plan = try DumpPlan(tables: tables, in: database)
        let scan = DumpScan(plan.sections, plan.encoding, to: output, progress: progress)
        begun.withLock { $0 = scan }
        return scan
      }
      try await background.read { database in
        if try DataState(of: "main", in: database) == state.withLock(\.self) { try scan?.checkReached(in: database) }
      }
    } catch {
      throw begun.withLock(\.self)?.failure ?? error
    }
  }
}

/// The sections of a dump.
struct DumpPlan {
  private(set) var sections: [DumpScan.Section] = []
  let encoding: DatabaseEncoding
  private let schema: DumpSchema
  private let objects: [DumpSchema.Object]
  /// Whether the whole database is dumped.
  private let isWhole: Bool

  /// Reads the schema.
  ///
  /// - Throws: `DatabaseError` if a table cannot be read.
  init(tables: [String]?, in database: Database) throws {
    let schema = try DumpSchema(database)
    self.schema = schema
    encoding = schema.encoding
    isWhole = tables == nil
    objects = try tables.map { try schema.restricted(to: $0, shadows: Self.shadows(in: database)) } ?? schema.objects
    add(beginning)
    let statistics = objects.filter(\.isOfStatistics)
    for object in objects where object.type == "table" {
      if object.name == statistics.first?.name {
        if isWhole { try add(statistics: statistics, in: database) }
      } else if !object.isReserved {
        try add(table: object, in: database)
      }
    }
    try addSequence(in: database)
    for object in objects where object.type != "table" { sections.append(.text(object.statement)) }
    add(ending)
  }

  /// Returns the shadow tables with their virtual tables.
  private static func shadows(in database: Database) throws -> [String: String] {
    let entries = try database.catalog().databases.first { $0.name == "main" }?.entries ?? []
    return entries.reduce(into: [:]) { shadows, entry in
      if case .shadow(let owner) = entry.kind { shadows[entry.reference.name] = owner }
    }
  }

  private mutating func add(_ text: String) {
    sections.append(.text(Array(text.utf8)))
  }

  private var hasVirtualTables: Bool { objects.contains(where: \.isVirtual) }

  private var beginning: String {
    var text = ""
    if isWhole, encoding != .utf8 { text += "PRAGMA encoding='\(encoding.rawValue)';\n" }
    text += "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n"
    if hasVirtualTables { text += "PRAGMA writable_schema=ON;\n" }
    return text
  }

  private var ending: String {
    var text = ""
    if isWhole, schema.userVersion != 0 { text += "PRAGMA user_version=\(schema.userVersion);\n" }
    if isWhole, schema.applicationID != 0 { text += "PRAGMA application_id=\(schema.applicationID);\n" }
    if hasVirtualTables { text += "PRAGMA writable_schema=OFF;\n" }
    return text + "COMMIT;\n"
  }

  private mutating func add(table object: DumpSchema.Object, in database: Database) throws {
    if object.isVirtual { return sections.append(.text(object.schemaInsertion)) }
    sections.append(.text(object.statement))
    sections.append(.rows(try DumpTable(object.name, in: database)))
  }

  /// Adds the AUTOINCREMENT counters.
  private mutating func addSequence(in database: Database) throws {
    guard let sequence = schema.objects.first(where: { $0.name.isSameIdentifier(as: "sqlite_sequence") }) else { return }
    let counting = objects.filter { $0.type == "table" && $0.isCounting }.map(\.name)
    let columns = ["name", "seq"]
    guard isWhole else {
      for name in counting {
        let condition: SQLText = "name = \(name)"
        add("DELETE FROM sqlite_sequence WHERE \(condition.queryString);\n")
        sections.append(.rows(DumpTable(system: sequence.name, columns: columns, where: condition)))
      }
      return
    }
    // SQLite creates the table with the first AUTOINCREMENT table, and keeps it when that is dropped.
    if counting.isEmpty {
      let name = SQLIdentifier.quoted(freeName("sequence"))
      add("CREATE TABLE \(name)(id INTEGER PRIMARY KEY AUTOINCREMENT);\nDROP TABLE \(name);\n")
    }
    add("DELETE FROM sqlite_sequence;\n")
    sections.append(.rows(DumpTable(system: sequence.name, columns: columns)))
  }

  /// Returns a name that is not used by any object.
  private func freeName(_ name: String) -> String {
    ([name] + (2...schema.objects.count + 2).map { "\(name)\($0)" }).first { candidate in
      !schema.objects.contains { $0.name.isSameIdentifier(as: candidate) }
    } ?? name
  }

  /// Adds the results of ANALYZE at the position of their tables.
  private mutating func add(statistics tables: [DumpSchema.Object], in database: Database) throws {
    // Creates the statistics tables without analyzing any other table.
    add("ANALYZE sqlite_schema;\n")
    for table in tables {
      let columns = try database.tableSchema(TableReference(name: table.name)).columns.map(\.name)
      sections.append(.rows(DumpTable(system: table.name, columns: columns)))
    }
  }
}

extension DumpSchema.Object {
  /// Whether the object is a table with the results of ANALYZE.
  fileprivate var isOfStatistics: Bool { ["sqlite_stat1", "sqlite_stat4"].contains(name.asciiLowercased) }

  /// Whether the object uses AUTOINCREMENT.
  fileprivate var isCounting: Bool {
    let tokens = StatementTokens(String(decoding: sql, as: UTF8.self))
    return (0..<tokens.count).contains { tokens.keyword($0) == .autoincrement }
  }
}
