internal import Browser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarrySources
internal import Synchronization

/// Opens databases on servers.
enum RemoteOpening {
  /// Returns the data source of an address, or nil if the text is the path of a local or remote file.
  ///
  /// - Parameters:
  ///   - refusal: The reason why the database is read-only, or nil if the command line allows writes.
  ///   - changes: The folder in which commits are recorded, or nil if they are not recorded.
  static func source(_ text: String, refusal: String?, changes: ChangeLogFolder?) throws -> RemoteDataSource? {
    guard case .dqlite(let address) = try Address(text) else { return nil }
    let cluster = try DqliteCluster(DqliteAddress(address))
    return RemoteDataSource(cluster, refusal: refusal, changesFolder: changes?.path)
  }

  /// The reason why verbs do not write to a cluster by default.
  static let refusalOfVerbs = "a cluster is read-only by default: --write allows writes"
  static let refusalOnScreen = "a cluster is read-only by default: run :write, or start with --write"
}

extension RemoteDataSource {
  /// Reads the schema, which also checks that a server answers.
  ///
  /// If this takes long, reports the wait on the terminal.
  func waitForSchema() throws -> DatabaseQueue {
    let line = Mutex(ProgressLine())
    let telling = Task.detached(executorPreference: TaskThreads.shared) {
      while true {
        try await Task.pause(for: .milliseconds(500))
        line.withLock { if !Task.isCancelled { $0.show("waiting for the cluster to answer (^C stops that)") } }
      }
    }
    defer {
      telling.cancel()
      line.withLock { $0.end() }
    }
    return try InsightOptions.waiting { try await self.copied(.schema) }
  }

  /// Prints the rows of a generated SELECT as they arrive.
  ///
  /// If the leader is lost, reads the rows again and continues, unless they have changed.
  func print(_ sql: SQLText, _ format: OutputFormat, table: String, to output: VerbOutput) throws {
    try sql.checkForServer()
    try print(sql.sql, sql.values, isOwn: true, format, table: table, to: output)
  }

  /// Prints the rows of a statement that only reads, as they arrive.
  func print(
    _ sql: String, _ arguments: [DatabaseValue], isOwn: Bool = false, _ format: OutputFormat, table: String, to output: VerbOutput
  ) throws {
    try requireBrief(sql)
    let printing = RemotePrinting(format, table: table, to: output)
    do {
      try InsightOptions.waiting {
        try await self.forEachRow(of: sql, arguments, isOwn: isOwn) { columns, row in try printing.print(columns, row) }
      }
    } catch {
      try? printing.flush()
      throw error
    }
    try printing.finish()
  }

  /// Runs a statement that writes or returns information about the database.
  ///
  /// Commits it unless a BEGIN came before.
  ///
  /// - Returns: The number of rows that it has changed itself.
  func run(_ sql: String, _ values: [String: DatabaseValue], _ format: OutputFormat, to output: VerbOutput) throws -> Int {
    try requireBrief(sql)
    let (changes, rows) = try InsightOptions.waiting { () -> (Int, ([String], [[DatabaseValue]])?) in
      let wasInside = await self.transaction() != nil
      let result = try await self.run(sql, values, unkeptRows: nil)
      if !wasInside, !StatementKind(of: sql).runsAlone { try await self.endTransaction(isCommitted: true) }
      switch result {
      case .done(let changes, _): return (changes, nil)
      case .read: return (0, nil)
      case .rows(let source): return (0, try await self.wholeRows(of: source))
      }
    }
    guard let (columns, values) = rows else { return changes }
    let printer = format.makePrinter(columns: columns, table: "result", to: output)
    for row in values { try printer.write(row) }
    try printer.finish()
    return changes
  }
}

/// A printer that receives the rows of a server one after another on the receiving thread.
private final class RemotePrinting: @unchecked Sendable {
  // Sendable because rows arrive one at a time, and the thread that waits for the last one finishes.
  private let make: ([String]) -> any RowPrinter
  private var printer: (any RowPrinter)?

  init(_ format: OutputFormat, table: String, to output: VerbOutput) {
    make = { format.makePrinter(columns: $0, table: table, to: output) }
  }

  func print(_ columns: [String], _ row: RemoteRow?) throws {
    let printer = self.printer ?? make(columns)
    self.printer = printer
    if let row { try printer.write(row) }
  }

  func flush() throws { try printer?.flush() }

  func finish() throws { try printer?.finish() }
}
