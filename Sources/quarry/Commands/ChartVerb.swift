internal import ArgumentParser
internal import Browser
internal import Essentials
internal import QuarryEngine
internal import QuarryRows
internal import Terminal

struct ChartVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chart", abstract: "Draw the rows of a query as bars, lines, points or a histogram.",
    discussion: """
      By default Quarry chooses the kind and the columns by the values: bars for text and numbers, a line for dates and numbers. \
      A bar is the sum of its category; without a column of numbers it is the number of rows.

      Rows whose values cannot be drawn, such as NULL among numbers, are skipped and counted below the chart.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "SQL: one statement that returns rows and writes nothing. Use - to read it from standard input.")
  var sql: String

  @Option(help: ArgumentHelp("Kind of chart: \(ChartQuery.Kind.names).", valueName: "kind"))
  var kind: ChartQuery.Kind?

  @Option(
    name: .short, help: ArgumentHelp("Column for the horizontal axis, or for the categories.", valueName: "column"),
    completion: .resultColumns)
  var x: String?

  @Option(name: .short, help: ArgumentHelp("Columns of numbers to draw.", valueName: "a,b"), completion: .resultColumnList)
  var y: ColumnList?

  @Option(
    help: ArgumentHelp("Column whose values get marks and colors of their own.", valueName: "column"),
    completion: .resultColumns)
  var series: String?

  @Option(help: ArgumentHelp("Combine several rows into one number: \(ChartAggregate.names).", valueName: "how"))
  var gather: ChartAggregate?

  @Option(help: ArgumentHelp("Group rows with dates by: \(ChartTimeUnit.names).", valueName: "unit"))
  var unit: ChartTimeUnit?

  @Option(help: ArgumentHelp("Sort bars by: \(BarOrder.names).", valueName: "order"))
  var order = BarOrder.value

  @Flag(help: "Make the vertical axis logarithmic.")
  var log = false

  @Option(
    help: ArgumentHelp("Size in columns and lines. The default is the size of the terminal, or 80x24.", valueName: "80x24"),
    transform: { try ChartSize(text: $0) })
  var size: ChartSize?

  @Flag(help: "Draw in plain ASCII. This is the default if the locale is not UTF-8.")
  var ascii = false

  @OptionGroup var parameters: ParameterOptions

  @OptionGroup var output: OutputOptions

  func run() throws {
    Interrupts.watch()
    let script = Script(sql == "-" ? try TextFile.sqlOnStandardInput("give the SQL, or pipe it in") : sql)
    let queue = try database.openForReading()
    let output = try output.open(databases: database.paths)
    try queue.read { db in
      try script.check(parameters, db)
      if try script.writes(db) { throw Failure.usage("a chart shows the rows of a query, and this SQL writes: run it with `quarry query`") }
      var drawing: ChartDrawing?
      try script.forEach(db) { statement in
        guard drawing == nil else { throw Failure.usage("the SQL has several statements, and a chart shows one: remove the others") }
        try Script.remark(db.quotedTexts(in: statement.sql).map(\.sentence))
        var arguments = Array(repeating: DatabaseValue.null, count: statement.parameterCount)
        for (parameter, value) in try script.values(parameters, of: statement) {
          try statement.bind(value, at: parameter.index)
          arguments[parameter.index - 1] = value
        }
        drawing = try draw(statement, arguments, db)
      }
      guard let drawing else { throw Failure.usage("the SQL contains no statement") }
      try print(drawing, to: output)
    }
    try output.finish()
  }

  /// Reads the rows of a statement into a chart.
  private func draw(_ statement: Statement, _ arguments: [DatabaseValue], _ db: Database) throws -> ChartDrawing {
    guard statement.columnCount > 0 else { throw Failure.usage("this statement returns no rows, so there is nothing to draw") }
    let names = statement.columnNames
    var choice = ChartDrawing.Choice()
    (choice.kind, choice.aggregate, choice.unit) = (kind, gather, unit)
    (choice.isByValue, choice.isLogarithmic) = (order == .value, log)
    choice.x = try x.map { try index(of: $0, in: names) }
    choice.ys = try y?.names.map { try index(of: $0, in: names) }
    choice.series = try series.map { try index(of: $0, in: names) }
    var drawing = ChartDrawing(columns: names, declaredTypes: statement.declaredColumnTypes, choice: choice)
    var rows = 0
    do {
      while try statement.step() {
        try drawing.add(statement.cells(names.count, limit: CellValue.prefixLimit))
        rows += 1
        try Interrupts.check()
      }
    } catch let error as DatabaseError where error.resultCode != DatabaseError.SQLITE_INTERRUPT {
      // The position among the rows is more informative than the beginning of the SQL.
      throw Failure.refused(error.located(inQuery: statement.sql, arguments, after: rows, db).sentence)
    }
    do {
      try drawing.finish()
    } catch {
      throw Failure.usage("\(error.text); choose columns with -x and -y: \(names.joined(separator: ", "))")
    }
    return drawing
  }

  private func index(of name: String, in names: [String]) throws -> Int {
    if let index = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) { return index }
    let near = NearestNames.to(name, among: names).first
    let help = near.map { ": did you mean “\($0)”?" } ?? "; the columns are: \(names.joined(separator: ", "))"
    throw Failure.usage("the rows have no column “\(name)”\(help)")
  }

  private func print(_ drawing: ChartDrawing, to output: VerbOutput) throws {
    let environment = ProcessInfo.processInfo.environment
    let isASCII = ascii || !Locale.isUTF8(environment)
    let size = size?.size ?? (output.isTerminal ? StandardOutput.terminalSize : nil) ?? Size(columns: 80, rows: 24)
    let hasColors = output.isTerminal && environment["NO_COLOR", default: ""].isEmpty
    try output.writePicture(StandardOutput.text(of: drawing.surface(size: size, isASCII: isASCII), hasColors: hasColors))
  }
}

extension ChartQuery.Kind: ExpressibleByArgument {}
extension ChartAggregate: ExpressibleByArgument {}

extension ChartTimeUnit: ExpressibleByArgument {
  static var names: String { allCases.map(\.name).joined(separator: ", ") }

  public static var allValueStrings: [String] { allCases.map(\.name) }

  public init?(argument: String) {
    guard let unit = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = unit
  }
}

/// The order of bars.
enum BarOrder: String, CaseIterable, ExpressibleByArgument {
  case value, rows
}

/// The size of a chart: `80x24`.
struct ChartSize {
  let size: Size

  /// The allowed number of columns, so that the chart is neither empty nor too large.
  private static let columns = 20...1000
  private static let rows = 4...500

  init(text: String) throws {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], Self.columns.contains(columns), Self.rows.contains(rows) else {
      throw ValidationError(
        "give columns and lines, for example 80x24, from \(Self.columns.lowerBound)x\(Self.rows.lowerBound) "
          + "to \(Self.columns.upperBound)x\(Self.rows.upperBound)")
    }
    size = Size(columns: columns, rows: rows)
  }
}

/// The encoding of the locale.
enum Locale {
  /// Returns whether the environment selects UTF-8, which is the default.
  static func isUTF8(_ environment: [String: String]) -> Bool {
    guard let name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else { return true }
    let encoding = name.lowercased().filter { $0 != "-" }
    return encoding.contains("utf8")
  }
}
