internal import ArgumentParser
internal import QuarryEngine

struct RowsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "rows", abstract: "Print the rows of a table or view.")

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "The table or view.")
  var table: String

  @OptionGroup var view: ViewOptions

  @Option(
    help: ArgumentHelp(
      "The columns to print, in this order; also what is computed from them, as \"Data.price\" or \"length(Name)\".", valueName: "a,b"))
  var columns: ColumnList?

  @Option(parsing: .unconditional, help: ArgumentHelp("The greatest number of rows to print.", valueName: "n"), transform: rowCount)
  var limit: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("The number of rows to skip first.", valueName: "n"), transform: rowCount)
  var offset: Int?

  @Flag(help: "Print the statement and its arguments, and run nothing.")
  var showSQL = false

  @Flag(
    name: .customLong("schema"),
    help: "With --format sql: begin with the statement that makes the table, and end with those that make its indexes and triggers.")
  var hasSchema = false

  @OptionGroup var format: FormatOptions

  /// Reads a number of rows.
  static func rowCount(_ text: String) throws -> Int {
    guard let count = Int(text), count >= 0 else { throw ValidationError("give a whole number from 0") }
    return count
  }

  func run() throws {
    Interrupts.watch()
    if let remote = try database.remote() { return try run(on: remote) }
    let queue = try database.openForReading()
    let output = try format.output.open(databases: database.paths)
    try queue.read { db in
      let (schema, sql) = try compiled(db)
      if showSQL { return try output.write(sql.listing) }
      let statement = try db.makeStatement(sql: sql.sql)
      try statement.setArguments(sql.arguments)
      let definition = hasSchema ? try TableScript(of: schema, format.chosen, in: db) : nil
      try definition.map { try output.write($0.beginning) }
      try format.chosen.print(statement, table: schema.entry.reference.name, in: db, to: output)
      try definition.map { try output.write($0.ending) }
    }
    try output.finish()
  }

  /// Prints rows as a server sends them.
  private func run(on remote: RemoteDataSource) throws {
    if hasSchema { throw Failure.usage("--schema goes with files: `quarry dump` writes tables of a cluster with their rows") }
    let schema = try remote.waitForSchema()
    let (table, sql) = try schema.read { db in try compiled(db, isServed: true) }
    let output = try format.output.open(databases: [])
    if showSQL {
      try output.write(sql.listing)
    } else {
      try remote.print(sql, format.chosen, table: table.entry.reference.name, to: output)
    }
    try output.finish()
  }

  private func compiled(_ db: Database, isServed: Bool = false) throws -> (schema: TableSchema, sql: SQLText) {
    let schema = try TableSchema(named: table, in: db)
    if let problem = schema.problem { throw Failure.refused("“\(schema.entry.reference.name)” cannot be read: \(problem)") }
    var columns = FilterColumns(of: schema, in: db)
    columns.isServed = isServed
    return (schema, try select(schema, columns))
  }

  /// Returns the SELECT.
  ///
  /// ```sql
  /// SELECT TrackId, Name FROM main.Track WHERE (Milliseconds > 300000) ORDER BY Name, TrackId LIMIT 10 OFFSET 20
  /// ```
  private func select(_ schema: TableSchema, _ filterColumns: FilterColumns) throws -> SQLText {
    let compiled = try view.compile(filterColumns)
    // Rows of a view that the keys do not tell apart stand as they do in the view, as on the screen.
    let isByPosition = schema.entry.kind == .view && !compiled.sort.keys.isEmpty
    var sql = SQLText("SELECT ")
    var list = try expressions(schema, filterColumns)
    if list.isEmpty, isByPosition { list = schema.columns.map { "\(identifier: $0.name)" } }
    sql.append(list.isEmpty ? "*" : list.joined(by: ", "))
    sql.append(" FROM ")
    let reference = schema.entry.reference
    let table: SQLText = "\(identifier: reference.database).\(identifier: reference.name)"
    sql.append(isByPosition ? RowPosition.numbering(table) : table)
    // An index that holds the columns would give the rows in its own order.
    if compiled.isPlain, schema.entry.kind == .table { sql.append(" NOT INDEXED") }
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

  /// Returns what is asked for; nothing stands for all that `SELECT *` gives.
  private func expressions(_ schema: TableSchema, _ filterColumns: FilterColumns) throws -> [SQLText] {
    if let columns { return try columns.expressions(in: schema, filterColumns) }
    return try columnNames(schema).map { "\(identifier: $0)" }
  }

  /// Returns the columns to ask for where the command line names none; none of them stands for all that `SELECT *` gives.
  private func columnNames(_ schema: TableSchema) throws -> [String] {
    let unreadable = schema.columns.filter { $0.problem != nil }
    for column in unreadable {
      StandardError.write("quarry: the column “\(column.name)” is left out: \(column.problem ?? "")\n")
    }
    // An INSERT must leave out what the table computes.
    let stored = schema.columns.filter { $0.generation == nil && !$0.isHidden }
    if !unreadable.isEmpty, format.chosen != .sql { return schema.columns.filter { $0.problem == nil && !$0.isHidden }.map(\.name) }
    return format.chosen == .sql && schema.columns.contains { $0.generation != nil } ? stored.map(\.name) : []
  }
}

/// The SQL around the rows of a table that makes the whole table again.
private struct TableScript {
  /// Makes the table, in a transaction that the rows are written in.
  let beginning: String
  /// Makes the indexes and triggers: no trigger is to fire for the rows, and an index is made faster of all of them.
  let ending: String

  init(of schema: TableSchema, _ format: OutputFormat, in db: Database) throws {
    let name = schema.entry.reference.name
    guard format == .sql else { throw Failure.usage("--schema goes with --format sql: the other formats have no place for it") }
    guard schema.entry.kind != .view, let sql = schema.sql else {
      throw Failure.usage("--schema needs a table, and “\(name)” is a view, which takes no rows: `quarry dump` writes it with its tables")
    }
    try db.reportIgnoredSchemaSQL(of: [name], in: schema.entry.reference.database)
    let others = schema.indexes.compactMap(\.sql) + schema.triggers.map(\.sql)
    beginning = "BEGIN;\n\(Self.ended(sql))"
    ending = others.map(Self.ended).joined() + "COMMIT;\n"
  }

  private static func ended(_ sql: String) -> String { String(decoding: SchemaStatement(Array(sql.utf8)).script, as: UTF8.self) }
}
