internal import QuarryEngine
public import QuarryRows
internal import Synchronization

extension ReadConnections {
  /// Writes a database as SQL that makes it again, of one state of it, on the background connection and the second reader.
  ///
  /// ```swift
  /// try await connections.dump { try file.write($0) }
  /// ```
  ///
  /// The SQL is what the sqlite3 shell reads. It makes tables with their rows first, then indexes, triggers and views in the order in which
  /// they were made, so that no trigger fires for the rows. Virtual tables get their tables as they are, by `PRAGMA writable_schema`. Rowids
  /// are kept where no column is the rowid, but in a table that has 2,000 columns, beside which no row of a result has room for them. Reals,
  /// texts with NUL or carriage returns, and bytes that are no text read back as they are.
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
  ///   - tables: The tables and views that are written, with their indexes and triggers; nil for the whole database.
  ///   - progress: Is called with how many rows have been written, on any thread.
  ///   - sink: What takes the bytes, called by one thread at a time; they are its own for the length of the call.
  /// - Throws: ``DatabaseError``: `SQLITE_TOOBIG` for a row that no statement of SQL can hold; what the sink throws; `CancellationError`.
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

/// What a dump consists of.
struct DumpPlan {
  private(set) var sections: [DumpScan.Section] = []
  let encoding: DatabaseEncoding
  private let schema: DumpSchema
  private let objects: [DumpSchema.Object]
  /// Whether all of the database is wanted.
  private let isWhole: Bool

  /// Reads what there is.
  ///
  /// - Throws: `DatabaseError` where a table cannot be read.
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

  /// Returns the tables in which virtual tables keep their rows, with those they belong to.
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

  /// Adds what AUTOINCREMENT goes on from.
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
    // SQLite makes the table with the first that counts, and keeps it when that is dropped.
    if counting.isEmpty {
      let name = SQLIdentifier.quoted(freeName("sequence"))
      add("CREATE TABLE \(name)(id INTEGER PRIMARY KEY AUTOINCREMENT);\nDROP TABLE \(name);\n")
    }
    add("DELETE FROM sqlite_sequence;\n")
    sections.append(.rows(DumpTable(system: sequence.name, columns: columns)))
  }

  /// Returns a name that no object has.
  private func freeName(_ name: String) -> String {
    ([name] + (2...schema.objects.count + 2).map { "\(name)\($0)" }).first { candidate in
      !schema.objects.contains { $0.name.isSameIdentifier(as: candidate) }
    } ?? name
  }

  /// Adds what ANALYZE has found, in the place of its tables among the others.
  private mutating func add(statistics tables: [DumpSchema.Object], in database: Database) throws {
    // Makes the tables, and looks at no other.
    add("ANALYZE sqlite_schema;\n")
    for table in tables {
      let columns = try database.tableSchema(TableReference(name: table.name)).columns.map(\.name)
      sections.append(.rows(DumpTable(system: table.name, columns: columns)))
    }
  }
}

extension DumpSchema.Object {
  /// Whether it is a table of what ANALYZE has found.
  fileprivate var isOfStatistics: Bool { ["sqlite_stat1", "sqlite_stat4"].contains(name.asciiLowercased) }

  /// Whether its rowids are counted up for ever.
  fileprivate var isCounting: Bool {
    let tokens = StatementTokens(String(decoding: sql, as: UTF8.self))
    return (0..<tokens.count).contains { tokens.keyword($0) == .autoincrement }
  }
}
