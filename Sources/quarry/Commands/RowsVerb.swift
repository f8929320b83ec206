internal import ArgumentParser
internal import QuarryEngine

struct RowsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "rows", abstract: "Print the rows of a table or view.")

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "The table or view.")
  var table: String

  @Option(help: ArgumentHelp("The columns to print, in this order.", valueName: "a,b"))
  var columns: ColumnList?

  @Option(help: ArgumentHelp("Print so many rows at most.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("Leave out so many rows first.", valueName: "n"))
  var offset: Int?

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is \(limit): give a number from 0") }
    if let offset, offset < 0 { throw ValidationError("--offset is \(offset): give a number from 0") }
  }

  func run() throws {
    Interrupts.watch()
    let queue = try database.openForReading()
    try queue.read { db in
      let schema = try readSchema(db)
      let statement = try db.makeStatement(sql: try sql(schema))
      try format.chosen.print(statement, table: schema.entry.reference.name)
    }
  }

  private func readSchema(_ db: Database) throws -> TableSchema {
    let reference = TableReference(name: table)
    do {
      return try db.tableSchema(reference)
    } catch let error as DatabaseError where error.message.hasPrefix("no such table") {
      throw try NoSuchTable.failure(table, db)
    }
  }

  /// Returns the SELECT.
  ///
  /// ```sql
  /// SELECT TrackId, Name FROM main.Track NOT INDEXED LIMIT 10 OFFSET 20
  /// ```
  private func sql(_ schema: TableSchema) throws -> String {
    let names = try columnNames(schema).map(SQLIdentifier.quoted)
    let source = "main.\(SQLIdentifier.quoted(schema.entry.reference.name))"
    // An index that holds the columns would give the rows in its own order.
    let order = schema.entry.kind == .table ? " NOT INDEXED" : ""
    let range = limit != nil || offset != nil ? " LIMIT \(limit ?? -1) OFFSET \(offset ?? 0)" : ""
    return "SELECT \(names.isEmpty ? "*" : names.joined(separator: ", ")) FROM \(source)\(order)\(range)"
  }

  /// Returns the columns to ask for; none stands for all that `SELECT *` gives.
  private func columnNames(_ schema: TableSchema) throws -> [String] {
    if let columns { return try columns.names.map { try columnName($0, schema) } }
    // An INSERT must leave out what the table computes.
    let stored = schema.columns.filter { $0.generation == nil && !$0.isHidden }
    return format.chosen == .sql && schema.columns.contains { $0.generation != nil } ? stored.map(\.name) : []
  }

  private func columnName(_ name: String, _ schema: TableSchema) throws -> String {
    if let column = schema.column(named: name) { return column.name }
    let near = NearestNames.to(name, among: schema.columns.map(\.name))
    let all = schema.columns.map(\.name).joined(separator: ", ")
    let offer = near.isEmpty ? "it has \(all)" : "did you mean \(near.joined(separator: " or "))?"
    throw Failure.usage("\(schema.entry.reference.name) has no column \(name); \(offer)")
  }
}
