internal import ArgumentParser
internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

struct SearchVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search all tables for a text and print each match: table, key, column, value.",
    discussion: """
      The text matches as in a filter of words: as a part of a value in text columns, ignoring the case of ASCII letters. A number or a \
      date also matches by value in number columns. FTS5 tables are searched first, by MATCH. Views are searched only if --tables names \
      them; their key is the row number. Long texts are shortened around the match and marked with ….
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "Text to find. Put -- before a text that begins with a minus sign.")
  var text: String

  @Option(help: ArgumentHelp("Search only these tables and views.", valueName: "a,b"), completion: .tableList)
  var tables: ColumnList?

  @Option(parsing: .unconditional, help: ArgumentHelp("Print at most this many matches.", valueName: "n"), transform: RowsVerb.rowCount)
  var limit: Int?

  @OptionGroup var format: FormatOptions

  func run() throws {
    Interrupts.watch()
    let queue = try database.openForReading()
    let output = try format.output.open(databases: database.paths)
    let printer = format.chosen.makePrinter(columns: ["table", "key", "column", "value"], table: "search", to: output)
    let hits = HitOutput(printer, limit: limit ?? .max)
    let tables = try queue.read { db in try search(db, hits) }
    try hits.finish()
    if hits.isEmpty { StandardError.write("quarry: “\(text)” was not found\n") }
    if tables.contains(where: \.sawChanges) { InsightOptions.tellChanges(in: database.paths.first ?? "the database") }
    let failures = tables.compactMap { table in table.failure.map { "“\(table.table.name)” was \($0)" } }
    if !failures.isEmpty { throw Failure.refused(failures.joined(separator: "\nquarry: ")) }
    try output.finish()
  }

  /// Searches until the requested number of hits has been printed.
  private func search(_ db: Database, _ output: HitOutput) throws -> [SearchedTable] {
    let references = try tables?.names.map { name in try TableSchema(named: name, in: db).entry.reference }
    let search = EverywhereSearch(text, tables: references, limit: limit ?? .max)
    guard !search.isEmpty else { throw Failure.usage("there is no text to search for") }
    let found = FoundHits()
    do {
      // Printing waits for the reader of the output, and must not block the search.
      let tables = try db.withProgress(every: Self.stepsBetweenLooks, { output.print(found.take()) }) {
        try db.search(search) { found.add($0) }
      }
      _ = output.print(found.take())
      return tables
    } catch DatabaseError.SQLITE_INTERRUPT where output.isOver {
      return []
    }
  }

  private static let stepsBetweenLooks = 10_000
}

/// The hits that have been found but not printed.
private final class FoundHits: Sendable {
  private let hits = Mutex<[SearchHit]>([])

  func add(_ report: SearchReport) {
    if case .progress(let progress) = report { hits.withLock { $0 += progress.hits } }
  }

  func take() -> [SearchHit] {
    hits.withLock { hits in
      defer { hits = [] }
      return hits
    }
  }
}

/// Prints hits until the limit is reached or the reader is gone.
private final class HitOutput {
  private let printer: any RowPrinter
  private let limit: Int
  private var count = 0
  private var failure: (any Error)?

  init(_ printer: any RowPrinter, limit: Int) {
    self.printer = printer
    self.limit = limit
  }

  var isEmpty: Bool { count == 0 && limit > 0 }
  var isOver: Bool { failure != nil || count >= limit }

  /// Prints hits, and returns whether the output has ended.
  func print(_ hits: [SearchHit]) -> Bool {
    do {
      for hit in hits.prefix(limit - count) where failure == nil {
        let column = hit.column.map { DatabaseValue.text($0) } ?? .null
        try printer.write([.text(hit.table.name), hit.key.printedValue, column, hit.value])
        count += 1
      }
    } catch {
      failure = error
    }
    return isOver
  }

  /// Prints remaining output.
  ///
  /// - Throws: The error that has prevented the hits from being printed.
  func finish() throws {
    if let failure { throw failure }
    try printer.finish()
  }
}

extension RowKey {
  /// The key as a value: a single value unchanged, several as a list.
  ///
  /// For a view, the number of the row, from 1.
  fileprivate var printedValue: DatabaseValue {
    switch self {
    case .rowID(let id): .integer(id)
    case .values(let values) where values.count == 1: values[0]
    case .values(let values): .text(values.map(\.sqlLiteral).joined(separator: ", "))
    case .position(let position): .integer(Int64(position) + 1)
    }
  }
}
