internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// The sessions of a remote database, with its cached schema.
final class RemoteLink: Sendable {
  let database: any RemoteDatabase
  /// The check of statements that may run for a long time.
  let longReads: RemoteLongReads
  private let state: Mutex<State>

  /// The purpose of a session.
  ///
  /// A busy session does not delay the sessions for other purposes.
  enum Purpose: String, Hashable, Sendable {
    case rows, background, statements
  }

  private struct State {
    /// Whether the server itself prevents statements from writing.
    var isReadOnly: Bool
    var sessions: [Purpose: any RemoteSession] = [:]
    /// The number of writes, which a session does not report for its own connection.
    var writes: Int64 = 0
    var schema: RemoteSchema?
    var onLostTransaction: (@Sendable () -> Void)?
  }

  /// The turns of callers that open the same session or read the schema, so that each is done only once.
  private let (openingRows, openingBackground, openingStatements) = (TaskTurn(), TaskTurn(), TaskTurn())
  private let readingSchema = TaskTurn()

  init(_ database: any RemoteDatabase, isReadOnly: Bool, longReadLimit: Int) {
    self.database = database
    longReads = RemoteLongReads(limit: longReadLimit)
    state = Mutex(State(isReadOnly: isReadOnly))
  }

  /// Returns the session for a purpose.
  ///
  /// Opens it on first use.
  func session(_ purpose: Purpose) async throws -> any RemoteSession {
    if let known = state.withLock({ $0.sessions[purpose] }) { return known }
    let turn =
      switch purpose {
      case .rows: openingRows
      case .background: openingBackground
      case .statements: openingStatements
      }
    return try await turn.run {
      let (known, isReadOnly) = state.withLock { ($0.sessions[purpose], purpose != .statements || $0.isReadOnly) }
      if let known { return known }
      let opened: any RemoteSession
      do {
        opened = try await database.session(for: purpose.rawValue, isReadOnly: isReadOnly)
      } catch let error as RemoteError where error.isOfConnection || error.kind == .refused {
        guard state.withLock(\.sessions.isEmpty) else { throw error }
        throw DataSourceError(error.message, isOfOpening: true)
      }
      state.withLock { $0.sessions[purpose] = opened }
      opened.onLostTransaction { [weak self] in self?.state.withLock(\.onLostTransaction)?() }
      return opened
    }
  }

  /// Allows statements to write from now on.
  func allowWriting() {
    let session = state.withLock { state in
      state.isReadOnly = false
      return state.sessions.removeValue(forKey: .statements)
    }
    session?.close()
  }

  /// Whether a statement has begun a transaction that is still open.
  var isTransactionOpen: Bool { state.withLock { $0.sessions[.statements]?.isInsideTransaction ?? false } }

  /// Calls `body`, on any thread, when the open transaction is lost with its connection.
  ///
  /// Replaces the previous `body`.
  func onLostTransaction(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onLostTransaction = body } }

  /// Returns the purpose of the session for reads: while a transaction is open, the session that sees its changes.
  func reading(_ purpose: Purpose) -> Purpose { isTransactionOpen ? .statements : purpose }

  /// Counts a write, because the `data_version` of the writing session does not change.
  func noteWrite() {
    state.withLock { $0.writes += 1 }
  }

  /// Returns a number that distinguishes states with the same `data_version`: before and after a write of the same connection, and of
  /// different connections.
  func changes(_ connection: Int) -> Int64 {
    state.withLock { $0.writes << 32 | Int64(connection) }
  }

  /// Returns the number of the connection on which a state was read.
  func connection(of state: DataState) -> Int { Int(state.changes & 0xFFFF_FFFF) }

  func close() {
    database.close()
  }
}

// MARK: - Reading

extension RemoteLink {
  /// Runs a statement that reads, and passes on its rows as they arrive.
  ///
  /// If the connection is lost before the first row, a statement that is safe to repeat is sent once more.
  ///
  /// - Parameter body: Called with each batch. An error that it throws ends the read.
  func forEachBatch(
    _ statement: RemoteStatement, on purpose: Purpose, _ body: @escaping @Sendable (RemoteRows) throws -> Void
  ) async throws {
    let began = Mutex(false)
    var isRepeated = false
    while true {
      let session = try await translating(statement.sql) { try await self.session(purpose) }
      do {
        return try await session.forEachBatch(statement) { rows in
          if rows.count > 0 { began.withLock { $0 = true } }
          try body(rows)
        }
      } catch let error as RemoteError {
        // The session itself has already retried statements that certainly did not run.
        let mayRepeat = statement.isRepeatable && !isRepeated && !session.isInsideTransaction && !began.withLock(\.self)
        guard error.isOfConnection, error.outcome != .didNotRun, mayRepeat else {
          guard error.isOfConnection, began.withLock(\.self) else { throw error.translated(sql: statement.sql) }
          var failure = DataSourceError("\(error.message) The rows received so far are incomplete: read them again.")
          failure.isOfLostAnswer = true
          throw failure
        }
        isRepeated = true
      }
    }
  }

  /// Runs a statement that reads, and returns all of its rows and the number of their connection.
  func rows(_ statement: RemoteStatement, on purpose: Purpose) async throws -> (rows: [[RemoteValue]], connection: Int) {
    let collected = Mutex((rows: [[RemoteValue]](), connection: 0))
    try await forEachBatch(statement, on: purpose) { batch in
      collected.withLock { collected in
        collected.connection = batch.connection
        batch.forEachRow { collected.rows.append(Array($0)) }
      }
    }
    return collected.withLock(\.self)
  }

  /// The maximum number of attempts to read the rows of a table when leaders are lost repeatedly.
  private static let attempts = 3

  /// Reads the rows of a table in key order.
  ///
  /// Restarts if the leader is lost, so that all rows belong to one state.
  ///
  /// The rows are read in small parts that do not block the server, like many pages.
  func beginningAnew<Value>(_ body: () async throws -> Value) async throws -> Value {
    for _ in 1..<Self.attempts {
      do { return try await body() } catch let error as DataSourceError where error.isOfLostAnswer && !isTransactionOpen {}
    }
    return try await body()
  }

  /// The maximum number of concurrent reads.
  private static let window = 16

  /// Runs several reads concurrently, in the time of one round trip, and returns their results in order.
  func together<Item: Sendable, Answer: Sendable>(
    _ items: [Item], _ read: @escaping @Sendable (Item) async throws -> Answer
  ) async throws -> [Answer] {
    try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
      var answers: [Answer?] = Array(repeating: nil, count: items.count)
      for (index, item) in items.enumerated() {
        if index >= Self.window, let (place, answer) = try await group.next() { answers[place] = answer }
        group.addTask { (index, try await read(item)) }
      }
      for try await (place, answer) in group { answers[place] = answer }
      return answers.compactMap(\.self)
    }
  }

  /// Returns the state of the data as seen by a session.
  ///
  ///     SELECT data_version, schema_version FROM pragma_data_version, pragma_schema_version
  func dataState(on purpose: Purpose) async throws -> DataState {
    let question: RemoteStatement = .init(
      catalog: "SELECT data_version AS a, schema_version AS b FROM pragma_data_version, pragma_schema_version")
    let answer = try await rows(question, on: purpose)
    guard let row = answer.rows.first, let version = row[0].integer, let schema = row[1].integer else {
      throw DataSourceError("the server does not report its state")
    }
    return DataState(version: version, changes: changes(answer.connection), schema: schema)
  }

  /// Runs a read and translates its errors for the screens.
  func translating<Value>(_ sql: String?, _ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as RemoteError {
      throw error.translated(sql: sql)
    }
  }
}

extension RemoteRows {
  /// Calls `body` with the values of each row.
  func forEachRow(_ body: (ArraySlice<RemoteValue>) throws -> Void) rethrows {
    guard !columns.isEmpty else { return }
    for start in stride(from: 0, to: values.count, by: columns.count) { try body(values[start..<start + columns.count]) }
  }
}

// MARK: - The schema

extension RemoteLink {
  /// Returns the schema.
  ///
  /// Reads it on first use and after ``forgetSchema()``.
  func schema() async throws -> RemoteSchema {
    if let known = state.withLock(\.schema) { return known }
    return try await readingSchema.run {
      if let known = state.withLock(\.schema) { return known }
      let read = try await RemoteSchema.read(from: self)
      state.withLock { $0.schema = read }
      return read
    }
  }

  /// Returns the schema of a version.
  ///
  /// Reads it again if another version is cached.
  func schema(ofVersion version: Int64) async throws -> RemoteSchema {
    let known = try await schema()
    guard known.version != version else { return known }
    forgetSchema()
    return try await schema()
  }

  /// Discards the cached schema after a change.
  func forgetSchema() {
    state.withLock { $0.schema = nil }
  }
}

// MARK: - Errors

extension RemoteError {
  /// Whether the connection to the server is lost, so that the session cannot be used any more.
  var isOfConnection: Bool {
    switch kind {
    case .notLeader, .outcomeUnknown, .unavailable, .protocolViolation: true
    case .sql, .constraint, .busy, .readOnly, .refused, .unexpectedRows: false
    }
  }

  /// Returns the error for the screens: SQLite's own error, or a sentence.
  func translated(sql: String?) -> any Error {
    guard !isOfConnection, kind != .refused, let code else {
      var failure = DataSourceError(message)
      failure.isOfLostAnswer = isOfConnection && outcome != .didNotRun
      return failure
    }
    return DatabaseError(ResultCode(rawValue: code), message, sql: sql)
  }
}
