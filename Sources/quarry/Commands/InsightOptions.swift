internal import ArgumentParser
internal import Dispatch
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// The table that a verb looks at, and which of its rows.
struct InsightOptions: ParsableArguments {
  @OptionGroup private var database: DatabaseArgument

  @Argument(help: "Table or view.")
  private var table: String

  @OptionGroup private var narrowing: NarrowingOptions

  var files: [String] { database.paths }
  var parameters: ParameterOptions { narrowing.parameters }

  /// What a verb looks at: the rows, what is known of their table, and the connections to read them on.
  struct Subject: Sendable {
    var rows: RowSet
    var schema: TableSchema
    var connections: ReadConnections
    /// The paths of the databases, which no output may be written over.
    var databases: [String]
  }

  /// Opens the database, and compiles the filter.
  func open() throws -> Subject {
    Interrupts.watch()
    let queue = try database.openForReading(.table(table))
    let (schema, filter) = try queue.read { db in
      let schema = try TableSchema(named: table, in: db)
      if let problem = schema.problem { throw Failure.refused("“\(schema.entry.reference.name)” cannot be read: \(problem)") }
      return (schema, try narrowing.compile(FilterColumns(of: schema, in: db)).rowFilter)
    }
    let files = try database.files()
    return Subject(
      rows: RowSet(.table(schema.entry.reference), filter: filter), schema: schema,
      connections: ReadConnections(
        queue, secondReader: { try files.open(label: "second reader", busyTimeout: .zero) }),
      databases: database.paths)
  }

  /// Runs what is asynchronous, and waits for its end.
  ///
  /// An interrupt stops the statement that runs, or cancels what waits for a server, and so ends it.
  static func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = result(of: body)
    try Interrupts.check()
    return try result.get()
  }

  /// Says on standard error that others have written to the database while its rows were read.
  static func tellChanges(in subject: Subject) {
    tellChanges(in: subject.databases.first ?? "the database")
  }

  /// Says on standard error that others have written to a file while it was read.
  static func tellChanges(in path: String) {
    StandardError.write(
      "quarry: another program wrote to “\(PathText.shown(path))” while it was read: not all rows are of one moment; run it again\n")
  }

  /// Runs what is asynchronous, and waits for its end, which an interrupt hastens: the task is cancelled.
  static func result<Value: Sendable>(of body: @escaping @Sendable () async throws -> Value) -> Result<Value, any Error> {
    do { try SystemLimits.checkTasks() } catch { return .failure(error) }
    let end = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
    let task = Task.detached {
      let ended: Result<Value, any Error>
      do { ended = .success(try await body()) } catch { ended = .failure(error) }
      result.withLock { $0 = ended }
      end.signal()
    }
    Interrupts.end { task.cancel() }
    end.wait()
    return result.withLock(\.self)
  }
}
