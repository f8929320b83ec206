internal import ArgumentParser
internal import Dispatch
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// The table of a verb, and the filter for its rows.
struct InsightOptions: ParsableArguments {
  @OptionGroup private var database: DatabaseArgument

  @Argument(help: "Table or view.", completion: .tables)
  private var table: String

  @OptionGroup private var narrowing: NarrowingOptions

  var files: [String] { database.paths }
  var parameters: ParameterOptions { narrowing.parameters }

  /// The subject of a verb: the rows, the schema of their table, and the connections for reading.
  struct Subject: Sendable {
    var rows: RowSet
    var schema: TableSchema
    /// The columns for values of the filter language.
    var columns: FilterColumns
    var connections: ReadConnections
    /// The paths of the databases, which the output must not overwrite.
    var databases: [String]
  }

  /// Opens the database, and compiles the filter.
  ///
  /// - Parameter values: Returns the expressions that are read of each row, which determine the tables to copy from a cluster.
  func open(reading values: (TableSchema, FilterColumns) throws -> [SQLText] = { _, _ in [] }) throws -> Subject {
    Interrupts.watch()
    let queue = try database.openForReading { schema in
      // Any error is reported later.
      let readsOthers = (try? schema.read { db in try readsOtherTables(values, in: db) }) ?? true
      return readsOthers ? .everything : .table(table)
    }
    let (schema, columns, filter) = try queue.read { db in
      let schema = try TableSchema(named: table, in: db)
      if let problem = schema.problem { throw Failure.refused("“\(schema.entry.reference.name)” cannot be read: \(problem)") }
      let columns = FilterColumns(of: schema, in: db)
      return (schema, columns, try narrowing.compile(columns).rowFilter)
    }
    let files = try database.files()
    return Subject(
      rows: RowSet(.table(schema.entry.reference), filter: filter), schema: schema, columns: columns,
      connections: ReadConnections(
        queue, secondReader: { try files.open(label: "second reader", busyTimeout: .zero) }),
      databases: database.paths)
  }

  /// Returns whether the filter or a value reads rows of other tables, such as those of a path.
  private func readsOtherTables(_ values: (TableSchema, FilterColumns) throws -> [SQLText], in db: Database) throws -> Bool {
    let schema = try TableSchema(named: table, in: db)
    let columns = FilterColumns(of: schema, in: db)
    let all = try [narrowing.condition(columns)].compactMap(\.self) + values(schema, columns)
    return all.contains { $0.sql.contains("(SELECT ") }
  }

  /// Runs an asynchronous operation, and waits for its end.
  ///
  /// An interrupt stops the running statement, or cancels a wait for a server, and thereby ends the operation.
  static func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = result(of: body)
    try Interrupts.check()
    return try result.get()
  }

  /// Runs an operation that writes a complete file or none, and waits for its end.
  ///
  /// - Throws: `Failure` if an interrupt stopped it. A finished file exists even if an interrupt arrived meanwhile.
  static func writing<Value: Sendable>(_ path: String, _ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = result(of: body)
    if case .failure = result, Interrupts.haveCome {
      throw Failure(status: .interrupted, message: "stopped: “\(PathText.shown(path))” was not written")
    }
    return try result.get()
  }

  /// Reports on standard error that the database was changed externally while its rows were read.
  static func tellChanges(in subject: Subject) {
    tellChanges(in: subject.databases.first ?? "the database")
  }

  /// Reports on standard error that a file was changed externally while it was read.
  static func tellChanges(in path: String) {
    StandardError.write(
      "quarry: another program wrote to “\(PathText.shown(path))” while it was read, so the result may be inconsistent: run it again\n")
  }

  /// Runs an asynchronous operation, and waits for its end.
  ///
  /// An interrupt cancels the task.
  static func result<Value: Sendable>(of body: @escaping @Sendable () async throws -> Value) -> Result<Value, any Error> {
    do { try SystemLimits.checkTasks() } catch { return .failure(error) }
    let end = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
    let task = Task.detached(executorPreference: TaskThreads.shared) {
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
