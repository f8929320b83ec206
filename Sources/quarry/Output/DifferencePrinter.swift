internal import QuarryChanges
internal import QuarryEngine
internal import QuarryFiles

/// A printer of the differences of two databases.
protocol DifferencePrinter {
  func print(_ difference: SchemaDifference) throws
  func print(_ difference: RowDifference) throws
  /// Ends the rows of a table.
  func end(_ table: TableDifference) throws
  /// Prints the end of the format.
  func finish(_ result: DatabaseDiff.Result) throws
}

/// The differences as rows of a result: a row for each different value.
struct DifferenceRows: DifferencePrinter {
  static let columns = ["object", "key", "change", "column", "from", "to"]

  let printer: any RowPrinter

  func print(_ difference: SchemaDifference) throws {
    try printer.write([
      .text("\(difference.kind) \(difference.name)"), .null, .text(difference.change.rawValue), .null,
      difference.from.map { .text($0) } ?? .null, difference.to.map { .text($0) } ?? .null,
    ])
  }

  /// Prints a line for each different value.
  ///
  /// For a row that only one database has, prints a line for each value, or one line for the key alone.
  func print(_ difference: RowDifference) throws {
    let values = difference.key.map(\.value.databaseValue)
    let key: DatabaseValue =
      switch values.count {
      case 0: .null
      case 1: values[0]
      default: .text(values.map(\.sqlLiteral).joined(separator: ", "))
      }
    let start: [DatabaseValue] = [.text(difference.table), key, .text(difference.change.rawValue)]
    for cell in difference.cells {
      try printer.write(start + [.text(cell.column), cell.from?.databaseValue ?? .null, cell.to?.databaseValue ?? .null])
    }
    if difference.cells.isEmpty { try printer.write(start + [.null, .null, .null]) }
  }

  func end(_ table: TableDifference) throws {}

  func finish(_ result: DatabaseDiff.Result) throws { try printer.finish() }
}

/// The numbers of differences as rows of a result: a row for each object of the schema, and for each table whose rows differ.
struct DifferenceCounts: DifferencePrinter {
  static let columns = ["object", "change", "added", "removed", "changed"]

  let printer: any RowPrinter

  func print(_ difference: SchemaDifference) throws {
    let values: [DatabaseValue] = [.text("\(difference.kind) \(difference.name)"), .text(difference.change.rawValue), .null, .null, .null]
    try printer.write(values)
  }

  func print(_ difference: RowDifference) throws {}

  func end(_ table: TableDifference) throws {
    if table.isSame { return }
    let counts = [table.added, table.removed, table.changed].map { DatabaseValue.integer(Int64($0)) }
    try printer.write([.text(table.table), .text("rows")] + counts)
  }

  func finish(_ result: DatabaseDiff.Result) throws { try printer.finish() }
}

/// The differences as one JSON object.
///
///     {"schema":[…],"tables":[{"table":"t","rows":[…],"added":1,"removed":0,"changed":0}],"notCompared":[]}
final class DifferenceObject: DifferencePrinter {
  private let output: VerbOutput
  private let isSummary: Bool
  private var schema: [JSONTree] = []
  /// Whether the list of tables has begun.
  private var isInTables = false
  private var tableCount = 0
  /// The table whose object has begun, with the number of its printed rows.
  private var current: (table: String, rows: Int)?

  /// Creates a printer.
  ///
  /// - Parameter isSummary: Whether rows are only counted.
  init(to output: VerbOutput, isSummary: Bool) {
    (self.output, self.isSummary) = (output, isSummary)
  }

  func print(_ difference: SchemaDifference) { schema.append(difference.json) }

  func print(_ difference: RowDifference) throws {
    if isSummary { return }
    if current?.table != difference.table { try begin(difference.table) }
    try write((current?.rows == 0 ? "\n" : ",\n").utf8 + difference.json(withTable: false).bytes)
    current?.rows += 1
  }

  /// Begins the object of a table.
  private func begin(_ table: String) throws {
    try abandon()
    try beginTables()
    try write((tableCount == 0 ? "\n" : ",\n").utf8)
    let start = JSONTree.object([("table", .text(table)), ("rows", .list([]))]).bytes
    try write(isSummary ? JSONTree.object([("table", .text(table))]).bytes.dropLast() : start.dropLast(2))
    tableCount += 1
    current = (table, 0)
  }

  /// Ends the object of a table whose rows could not be compared to the end.
  private func abandon() throws {
    if current != nil { try write((isSummary ? "}" : "]}").utf8) }
    current = nil
  }

  private func beginTables() throws {
    if isInTables { return }
    isInTables = true
    try write("{\"schema\":".utf8 + JSONTree.list(schema).bytes + ",\n\"tables\":[".utf8)
  }

  func end(_ table: TableDifference) throws {
    if table.isSame { return }
    if isSummary { try begin(table.table) }
    let counts = JSONTree.object([
      ("added", .number(table.added)), ("removed", .number(table.removed)), ("changed", .number(table.changed)),
    ])
    try write((isSummary ? "," : "],").utf8 + counts.bytes.dropFirst())
    current = nil
  }

  func finish(_ result: DatabaseDiff.Result) throws {
    try abandon()
    try beginTables()
    let rest = result.notCompared.map { JSONTree.object([("table", .text($0.table)), ("reason", .text($0.reason))]) }
    try write("],\n\"notCompared\":".utf8 + JSONTree.list(rest).bytes + "}\n".utf8)
  }

  private func write(_ bytes: some Sequence<UInt8>) throws {
    try Array(bytes).withUnsafeBytes { try output.write($0) }
  }
}

/// The differences as one JSON object a line.
struct DifferenceObjects: DifferencePrinter {
  let output: VerbOutput

  func print(_ difference: SchemaDifference) throws { try write(difference.json) }
  func print(_ difference: RowDifference) throws { try write(difference.json(withTable: true)) }
  func end(_ table: TableDifference) throws {}

  func finish(_ result: DatabaseDiff.Result) throws {
    for table in result.notCompared { try write(.object([("table", .text(table.table)), ("notCompared", .text(table.reason))])) }
  }

  private func write(_ tree: JSONTree) throws {
    try (tree.bytes + "\n".utf8).withUnsafeBytes { try output.write($0) }
  }
}

extension SchemaDifference {
  fileprivate var json: JSONTree {
    .object([
      ("kind", .text(kind)), ("name", .text(name)), ("change", .text(change.rawValue)), ("from", .text(from)), ("to", .text(to)),
    ])
  }
}

extension RowDifference {
  /// The row as an object.
  ///
  ///     {"key":{"id":1},"change":"changed","columns":{"name":{"from":"a","to":"b"}}}
  fileprivate func json(withTable: Bool) -> JSONTree {
    let columns = cells.map { cell -> (String, JSONTree) in
      (cell.column, .object([("from", .value(cell.from ?? .null)), ("to", .value(cell.to ?? .null))]))
    }
    let members: [(String, JSONTree)] = [
      ("key", .object(key.map { ($0.column, .value($0.value)) })), ("change", .text(change.rawValue)), ("columns", .object(columns)),
    ]
    return .object(withTable ? [("table", .text(table))] + members : members)
  }
}
