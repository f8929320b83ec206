internal import ArgumentParser
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryRows

struct RowsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rows", abstract: "Print the rows of a table or view.",
    discussion: """
      If the file has a rollback journal, Quarry reads a table in parts, so that other programs can write in between; standard error \
      reports if one has. It cannot do this for a view, for a sort order by a collation that is not built into SQLite, or for one by an \
      expression in a WITHOUT ROWID table.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "Table or view.", completion: .tables)
  var table: String

  @OptionGroup var view: ViewOptions

  @Option(
    help: ArgumentHelp(
      "Columns to print, in this order. They can be values, such as \"length(Name)\" or \"Artist = AlbumId.ArtistId.Name\".",
      valueName: "a,b"),
    completion: .columnList)
  var columns: ColumnList?

  @Option(parsing: .unconditional, help: ArgumentHelp("Print at most this many rows.", valueName: "n"), transform: rowCount)
  var limit: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Skip this many rows first.", valueName: "n"), transform: rowCount)
  var offset: Int?

  @Flag(help: "Print the SQL statement and its arguments, and run nothing.")
  var showSQL = false

  @Flag(
    name: .customLong("schema"),
    help: "With --format sql: print the CREATE statements of the table, its indexes and triggers too.")
  var hasSchema = false

  @OptionGroup var format: FormatOptions

  /// Parses a number of rows.
  static func rowCount(_ text: String) throws -> Int {
    guard let count = Int(text), count >= 0 else { throw ValidationError("give a whole number from 0") }
    return count
  }

  func run() throws {
    Interrupts.watch()
    if let remote = try database.remote() { return try run(on: remote) }
    let queue = try database.openForReading()
    let output = try format.output.open(databases: database.paths)
    // Held output is written after the last transaction has ended, so that a slow reader of the output does not block writers.
    do {
      if let sorted = try queue.read({ try print(in: $0, to: output) }) { try print(sorted, on: queue, to: output) }
    } catch let error where !VerbOutput.isFault(error) {
      // These rows were read before the row that failed.
      try? output.release()
      throw error
    }
    try output.release()
    try output.finish()
  }

  /// Prints rows.
  ///
  /// Returns rows that must be sorted first instead of printing them.
  private func print(in db: Database, to output: VerbOutput) throws -> SortedRows? {
    let query = try compiled(db)
    if showSQL {
      try output.write(query.sql.listing)
      return nil
    }
    let definition = hasSchema ? try TableScript(of: query.schema, format.chosen, in: db) : nil
    try definition.map { try output.write($0.beginning) }
    let statement = try db.makeStatement(sql: query.sql.sql)
    let rows = try slicedRows(query, db)
    if let rows, rows.isSorted { return SortedRows(query: query, rows: rows, columns: statement.columnNames, definition: definition) }
    if let rows {
      try print(query, columns: statement.columnNames, in: db, to: output) { pause, body in
        try rows.forEach(in: db, skipping: offset ?? 0, limit: limit ?? .max, pause: pause, body)
      }
    } else {
      try statement.setArguments(query.sql.arguments)
      try format.chosen.print(statement, table: query.name, in: db, to: output)
    }
    try definition.map { try output.write($0.ending) }
    return nil
  }

  /// Returns rows that can be read in slices.
  ///
  /// Returns nil for the rows of a view and for rows that only SQLite can sort.
  private func slicedRows(_ query: Query, _ db: Database) throws -> SlicedRows? {
    guard query.schema.entry.kind == .table else { return nil }
    var set = RowSet(.table(query.schema.entry.reference), filter: query.view.rowFilter)
    // The key of a WITHOUT ROWID table may be descending, while ORDER BY is ascending.
    let isByKey = query.view.sort.keys.isEmpty || !query.schema.entry.isWithoutRowID
    set.order = isByKey ? query.view.order : RowOrder(query.view.sort.totalOrderings)
    return try SlicedRows(of: set, values: query.list, in: db)
  }

  /// Rows whose keys must be sorted before the first row is printed.
  private struct SortedRows {
    var query: Query
    var rows: SlicedRows
    var columns: [String]
    var definition: TableScript?
  }

  private func print(_ sorted: SortedRows, on queue: DatabaseQueue, to output: VerbOutput) throws {
    let files = try database.files()
    let connections = ReadConnections(queue, secondReader: { try files.open(label: "second reader", busyTimeout: .zero) })
    let end = limit.map { $0.addingReportingOverflow(offset ?? 0) }
    let count = end.map { $0.overflow ? .max : $0.partialValue } ?? .max
    let keys = try InsightOptions.waiting { try await sorted.rows.keys(first: count, on: connections) }
    try queue.read { db in
      try print(sorted.query, columns: sorted.columns, in: db, to: output) { pause, body in
        try sorted.rows.forEach(of: keys, in: db, skipping: offset ?? 0, limit: limit ?? .max, pause: pause, body)
      }
      try sorted.definition.map { try output.write($0.ending) }
    }
  }

  /// Prints rows, and writes output between the slices in which they are read.
  ///
  /// The caller writes the output that is held at the end.
  ///
  /// - Parameter forEach: Calls its argument with a statement positioned at each row, and returns whether the rows have changed externally
  ///   meanwhile.
  private func print(
    _ query: Query, columns: [String], in db: Database, to output: VerbOutput,
    _ forEach: (_ pause: @escaping () throws -> Void, _ body: (Statement) throws -> Bool) throws -> Bool
  ) throws {
    let printer = format.chosen.makePrinter(columns: columns, table: query.name, to: output)
    var left = limit ?? .max
    if try db.readsKeepWritersOut(of: query.schema.entry.reference.database) { output.hold() }
    do {
      let sawChanges =
        try left > 0
        && forEach(output.writeHeld) { statement in
          left -= 1
          try printer.write(statement)
          return left > 0
        }
      try printer.finish()
      if sawChanges { InsightOptions.tellChanges(in: database.file) }
    } catch let error where !VerbOutput.isFault(error) {
      try? printer.flush()
      throw error
    }
  }

  /// Prints rows as they arrive from a server.
  private func run(on remote: RemoteDataSource) throws {
    if hasSchema { throw Failure.usage("--schema is for files: `quarry dump` prints tables of a cluster with their rows") }
    let schema = try remote.waitForSchema()
    let query = try schema.read { db in try compiled(db, isServed: true) }
    let output = try format.output.open(databases: [])
    if showSQL {
      try output.write(query.sql.listing)
    } else {
      try remote.print(query.sql, format.chosen, table: query.schema.entry.reference.name, to: output)
    }
    try output.finish()
  }

  /// The query of the command line.
  private struct Query {
    var schema: TableSchema
    var view: CompiledRowView
    /// The expressions to read from each row.
    ///
    /// Empty for `SELECT *`.
    var list: [SQLText]
    var sql = SQLText()

    /// The name of the table.
    var name: String { schema.entry.reference.name }
  }

  private func compiled(_ db: Database, isServed: Bool = false) throws -> Query {
    let schema = try TableSchema(named: table, in: db)
    if let problem = schema.problem { throw Failure.refused("“\(schema.entry.reference.name)” cannot be read: \(problem)") }
    var columns = FilterColumns(of: schema, in: db)
    columns.isServed = isServed
    var query = Query(
      schema: schema, view: try view.compile(columns, computed: self.columns?.computed(in: schema) ?? []),
      list: try expressions(schema, columns))
    query.sql = select(query)
    return query
  }

  /// Returns the SELECT.
  ///
  /// ```sql
  /// SELECT TrackId, Name FROM main.Track WHERE (Milliseconds > 300000) ORDER BY Name, TrackId LIMIT 10 OFFSET 20
  /// ```
  private func select(_ query: Query) -> SQLText {
    let (schema, compiled) = (query.schema, query.view)
    // Rows of a view with equal sort keys keep the order of the view, as on the screen.
    let isByPosition = schema.entry.kind == .view && !compiled.sort.keys.isEmpty
    var sql = SQLText("SELECT ")
    var list = query.list
    if list.isEmpty, isByPosition { list = schema.columns.map { "\(identifier: $0.name)" } }
    sql.append(list.isEmpty ? "*" : list.joined(by: ", "))
    sql.append(" FROM ")
    let reference = schema.entry.reference
    let table: SQLText = "\(identifier: reference.database).\(identifier: reference.name)"
    sql.append(isByPosition ? RowPosition.numbering(table) : table)
    // A covering index would return the rows in its own order.
    if compiled.rowFilter == nil, compiled.order.isNatural, schema.entry.kind == .table { sql.append(" NOT INDEXED") }
    compiled.append(to: &sql, tieBreaker: isByPosition ? RowPosition.column : nil)
    if let limit = limit ?? (offset == nil ? nil : -1) {
      sql.append(" LIMIT ")
      sql.append(argument: .integer(Int64(limit)))
    }
    if let offset {
      sql.append(" OFFSET ")
      sql.append(argument: .integer(Int64(offset)))
    }
    return sql
  }

  /// Returns the expressions to read.
  ///
  /// Empty for `SELECT *`.
  private func expressions(_ schema: TableSchema, _ filterColumns: FilterColumns) throws -> [SQLText] {
    if let columns { return try columns.expressions(in: schema, filterColumns) }
    return try columnNames(schema).map { "\(identifier: $0)" }
  }

  /// Returns the default columns to read if the command line names none.
  ///
  /// Empty for `SELECT *`.
  private func columnNames(_ schema: TableSchema) throws -> [String] {
    let unreadable = schema.columns.filter { $0.problem != nil }
    for column in unreadable {
      StandardError.write("quarry: the column “\(column.name)” is skipped: \(column.problem ?? "")\n")
    }
    // An INSERT must omit generated columns.
    let stored = schema.columns.filter { $0.generation == nil && !$0.isHidden }
    if !unreadable.isEmpty, format.chosen != .sql { return schema.columns.filter { $0.problem == nil && !$0.isHidden }.map(\.name) }
    return format.chosen == .sql && schema.columns.contains { $0.generation != nil } ? stored.map(\.name) : []
  }
}

/// The SQL before and after the rows of a table that recreates the whole table.
private struct TableScript {
  /// Creates the table, in the transaction that inserts the rows.
  let beginning: String
  /// Creates the indexes and triggers.
  ///
  /// Triggers must not fire for the rows, and indexes are faster to create from all rows.
  let ending: String

  init(of schema: TableSchema, _ format: OutputFormat, in db: Database) throws {
    let name = schema.entry.reference.name
    guard format == .sql else { throw Failure.usage("--schema needs --format sql: the other formats cannot contain a schema") }
    guard schema.entry.kind != .view, let sql = schema.sql else {
      throw Failure.usage("--schema needs a table, and “\(name)” is a view, which stores no rows: `quarry dump` prints it with its tables")
    }
    try db.reportIgnoredSchemaSQL(of: [name], in: schema.entry.reference.database)
    let others = schema.indexes.compactMap(\.sql) + schema.triggers.map(\.sql)
    beginning = "BEGIN;\n\(Self.ended(sql))"
    ending = others.map(Self.ended).joined() + "COMMIT;\n"
  }

  private static func ended(_ sql: String) -> String { String(decoding: SchemaStatement(Array(sql.utf8)).script, as: UTF8.self) }
}
