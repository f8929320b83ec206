import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Whether the Swift files of random views compile in one program and return the rows that a reader returns.
@Suite("Swift files of views return the rows of the views", .gated)
struct SwiftFileTruthTests {
  /// One file with what it must print.
  private struct File {
    /// The description of the view or the groups.
    var name: String
    var text: String
    var rows: [String]
  }

  @Test("random views and groups with paths, aggregates, and values of all storage classes")
  func views() async throws {
    try await withTemporaryFolder { folder in try await Self.compare(in: folder) }
  }

  private static func compare(in folder: URL) async throws {
    let database = try Self.makeViews(in: folder)
    let queue = try DatabaseQueue(path: database)
    var random = SplitMix(seed: 2026)
    var files: [File] = []
    for _ in 0..<testRounds(10) { files.append(try await Self.file(SwiftViews.choice(&random), queue)) }
    for number in 0..<testRounds(10) { files.append(try await Self.file(SwiftGroups(number, &random), queue)) }
    let made = files
    let output = try Self.run(made, database, in: folder)
    let sections = output.components(separatedBy: "== view\n").dropFirst()
    try #require(sections.count == files.count, "\(output.suffix(2000))")
    for (file, section) in zip(files, sections) {
      let rows = section.split(separator: "\n").map(String.init)
      #expect(rows == file.rows, "\(file.name)\n\(file.text)")
    }
    #expect(files.contains { !$0.rows.isEmpty })
  }

  @Test("made of parts that compile", arguments: SwiftViews.parts)
  func parts(_ part: SwiftViews.Part) async throws {
    let queue = try makeDatabase(SwiftViews.schema)
    let columns = try await queue.read { FilterColumns(of: try $0.tableSchema(TableReference(name: part.table)), in: $0) }
    for condition in part.conditions {
      #expect(throws: Never.self) { try Filter.compile(condition, columns: columns, parameters: SwiftViews.arguments) }
    }
    for key in part.keys { #expect(throws: Never.self) { try FilterSort.compile(key, columns: columns) } }
    for column in part.columns { #expect(throws: Never.self) { try ColumnExpression.compile(column, columns: columns) } }
  }

  private static func makeViews(in folder: URL) throws -> String {
    let path = folder.appending(path: "views.db").path
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try $0.execute(sql: SwiftViews.schema) }
    try queue.close()
    return path
  }

  /// Returns the file of a view, and the rows as a reader returns them.
  private static func file(_ choice: SwiftViews.Choice, _ queue: DatabaseQueue) async throws -> File {
    let table = TableReference(name: choice.table)
    let columns = try await queue.read { FilterColumns(of: try $0.tableSchema(table), in: $0) }
    let rowSet = RowSet(.table(table))
    let reader = RowReader(
      try choice.view.compiled(for: columns).applied(to: rowSet), on: ReadConnections(foreground: queue, background: queue))
    let all = try await reader.columns()
    var random = SplitMix(seed: choice.order)
    let shown = Array(all.indices.shuffled(using: &random).prefix(1 + random.below(all.count)))
    let page = try await reader.page(PageRequest(.first, limit: 1000))
    let sample = page.rows.map { row in shown.map { row.cells[$0] } }
    let file = try SwiftFile(
      rowSet, choice.view, columns: columns, shown: shown.map { all[$0] }, sample: sample, path: "views.db")
    return File(name: "\(choice.table) \(choice.view)", text: file.text, rows: sample.map { $0.map(text).joined(separator: "|") })
  }

  /// Returns the file of groups, and the groups as a reader returns them.
  private static func file(_ choice: SwiftGroups, _ queue: DatabaseQueue) async throws -> File {
    let table = TableReference(name: choice.table)
    let columns = try await queue.read { FilterColumns(of: try $0.tableSchema(table), in: $0) }
    let connections = ReadConnections(foreground: queue, background: queue)
    let source = RowView(filter: choice.filter, arguments: SwiftViews.arguments)
    let rows = try source.compiled(for: columns).applied(to: RowSet(.table(table)))
    let groups = try await connections.groups(choice.shape, of: rows, columns: columns)
    let view = choice.view
    let reader = RowReader(try view.compiled(for: groups.filterColumns).applied(to: groups.rowSet), on: connections)
    let all = try await reader.columns()
    var random = SplitMix(seed: choice.order)
    let shown = Array(all.indices.shuffled(using: &random).prefix(choice.isWhole ? all.count : 1 + random.below(all.count)))
    let page = try await reader.page(PageRequest(.first, limit: 1000))
    let sample = page.rows.map { row in shown.map { row.cells[$0] } }
    let file = try SwiftFile(groups, of: source, view, shown: shown.map { all[$0] }, sample: sample, path: "views.db")
    return File(
      name: "\(choice.table) \(choice.shape) where \(choice.filter) \(view)", text: file.text,
      rows: sample.map { $0.map(text).joined(separator: "|") })
  }

  private static func text(_ cell: CellValue) -> String {
    switch cell {
    case .null: "null"
    case .integer(let value): "i\(value)"
    case .real(let value): "r\(value)"
    case .text(let text, _, _): "t" + text.utf8.map { String($0, radix: 16) }.joined(separator: " ")
    case .blob(let bytes, _): "b" + bytes.map { String($0, radix: 16) }.joined(separator: " ")
    }
  }

  /// Compiles all files to one program and returns what it prints.
  private static func run(_ files: [File], _ database: String, in folder: URL) throws -> String {
    var (sources, calls) = ([String](), "")
    for (index, file) in files.enumerated() {
      // Each file declares the same tables, so that each is a type of its own here.
      let code = file.text.replacing("import QuarryEngine\n", with: "")
      let name = folder.appending(path: "View\(index).swift")
      try "import QuarryEngine\nstruct View\(index) {\n\(code)}\n".write(to: name, atomically: true, encoding: .utf8)
      sources.append(name.path)
      let function = try #require(file.text.firstMatch(of: #/\nfunc (\S+?)\(/#)?.output.1)
      calls += "print(\"== view\")\ntry queue.read { db in for row in try View\(index)().\(function)(db) { try line(row) } }\n"
    }
    let main = folder.appending(path: "main.swift")
    try (Self.program(database) + calls).write(to: main, atomically: true, encoding: .utf8)
    let modules = try BuiltModules()
    let program = folder.appending(path: "views").path
    let linked = try modules.link([main.path] + sources + ["-warnings-as-errors"], to: program, in: folder)
    try #require(linked.ending == .exit(0), "\(linked.output)")
    let (ending, output) = try modules.run([program])
    #expect(ending == .exit(0), "\(output.suffix(1000))")
    return output
  }

  private static func program(_ database: String) -> String {
    """
    import QuarryEngine
    let queue = try DatabaseQueue(path: "\(database)")
    func line<each Value: DatabaseValueConvertible>(_ row: (repeat each Value)) throws {
      var cells: [String] = []
      for value in repeat each row {
        switch try value.databaseValue {
        case .null: cells.append("null")
        case .integer(let value): cells.append("i\\(value)")
        case .real(let value): cells.append("r\\(value)")
        case .text(let text): cells.append("t" + text.utf8.map { String($0, radix: 16) }.joined(separator: " "))
        case .blob(let bytes): cells.append("b" + bytes.map { String($0, radix: 16) }.joined(separator: " "))
        }
      }
      print(cells.joined(separator: "|"))
    }

    """
  }
}
