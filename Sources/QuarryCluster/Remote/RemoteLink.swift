internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// The sessions of a remote database and the schema that is known of it.
final class RemoteLink: Sendable {
  let database: any RemoteDatabase
  /// What is asked before a server is given a statement that may take long.
  let longReads: RemoteLongReads
  private let state: Mutex<State>

  /// What a session is for: one that is busy keeps none of the others waiting.
  enum Purpose: String, Hashable, Sendable {
    case rows, background, statements
  }

  private struct State {
    /// Whether the server itself refuses that statements write.
    var isReadOnly: Bool
    var sessions: [Purpose: any RemoteSession] = [:]
    /// How often something was written on a session, which it does not tell of itself.
    var writes: Int64 = 0
    var schema: RemoteSchema?
    var onLostTransaction: (@Sendable () -> Void)?
  }

  /// Those who want a session that is just being opened wait for it, and those who want the schema for the one who reads it.
  private let (openingRows, openingBackground, openingStatements) = (TaskTurn(), TaskTurn(), TaskTurn())
  private let readingSchema = TaskTurn()

  init(_ database: any RemoteDatabase, isReadOnly: Bool, longReadLimit: Int) {
    self.database = database
    longReads = RemoteLongReads(limit: longReadLimit)
    state = Mutex(State(isReadOnly: isReadOnly))
  }

  /// Returns the session for a purpose, opened when it is first asked for.
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

  /// Lets statements write from now on.
  func allowWriting() {
    let session = state.withLock { state in
      state.isReadOnly = false
      return state.sessions.removeValue(forKey: .statements)
    }
    session?.close()
  }

  /// Whether a transaction that a statement has begun is open.
  var isTransactionOpen: Bool { state.withLock { $0.sessions[.statements]?.isInsideTransaction ?? false } }

  /// Calls `body` when the open transaction has gone with its connection, on any thread; in place of what was called before.
  func onLostTransaction(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onLostTransaction = body } }

  /// Returns what reads for the screen: while a transaction is open, the session that sees its changes.
  func reading(_ purpose: Purpose) -> Purpose { isTransactionOpen ? .statements : purpose }

  /// Takes note of a write, which the session that made it does not count in its `data_version`.
  func noteWrite() {
    state.withLock { $0.writes += 1 }
  }

  /// Returns a number that differs between states which `data_version` does not tell apart: those before and after a write of its own
  /// connection, and those of different connections.
  func changes(_ connection: Int) -> Int64 {
    state.withLock { $0.writes << 32 | Int64(connection) }
  }

  /// Returns the number of the connection that a state was read on.
  func connection(of state: DataState) -> Int { Int(state.changes & 0xFFFF_FFFF) }

  func close() {
    database.close()
  }
}

// MARK: - Reading

extension RemoteLink {
  /// Runs a statement that reads and hands over its rows as they come; where the way to the server is lost before the first of them, one that
  /// is known to be harmless is sent again, once.
  ///
  /// - Parameter body: Is called with one batch after the other; what it throws ends the reading.
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
        // What surely did not run has been tried again by the session itself.
        let mayRepeat = statement.isRepeatable && !isRepeated && !session.isInsideTransaction && !began.withLock(\.self)
        guard error.isOfConnection, error.outcome != .didNotRun, mayRepeat else {
          guard error.isOfConnection, began.withLock(\.self) else { throw error.translated(sql: statement.sql) }
          var failure = DataSourceError("\(error.message) The rows that had come are not all: ask for them again.")
          failure.isOfLostAnswer = true
          throw failure
        }
        isRepeated = true
      }
    }
  }

  /// Runs a statement that reads and returns all of its rows, and the number of their connection.
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

  /// How often the rows of a table are asked for where one leader after the other is lost.
  private static let attempts = 3

  /// Reads the rows of a table in the order of its key, and begins anew where the leader is lost in their midst, so that all are of one
  /// moment.
  ///
  /// They come in small parts, none of which keeps a server from anything else: they are no more than many pages.
  func beginningAnew<Value>(_ body: () async throws -> Value) async throws -> Value {
    for _ in 1..<Self.attempts {
      do { return try await body() } catch let error as DataSourceError where error.isOfLostAnswer && !isTransactionOpen {}
    }
    return try await body()
  }

  /// How many reads are under way at once.
  private static let window = 16

  /// Reads several things at once, so that they take the time of one round trip, and returns what was read in their order.
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

  /// Returns the state of the data as a session sees it.
  ///
  ///     SELECT data_version, schema_version FROM pragma_data_version, pragma_schema_version
  func dataState(on purpose: Purpose) async throws -> DataState {
    let question: RemoteStatement = .init(
      catalog: "SELECT data_version AS a, schema_version AS b FROM pragma_data_version, pragma_schema_version")
    let answer = try await rows(question, on: purpose)
    guard let row = answer.rows.first, let version = row[0].integer, let schema = row[1].integer else {
      throw DataSourceError("the server does not tell its state")
    }
    return DataState(version: version, changes: changes(answer.connection), schema: schema)
  }

  /// Returns what a read throws as the errors that screens know.
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
  /// Returns the schema, read when it is first asked for and after it was forgotten.
  func schema() async throws -> RemoteSchema {
    if let known = state.withLock(\.schema) { return known }
    return try await readingSchema.run {
      if let known = state.withLock(\.schema) { return known }
      let read = try await RemoteSchema.read(from: self)
      state.withLock { $0.schema = read }
      return read
    }
  }

  /// Returns the schema of a version, read anew where another one is known.
  func schema(ofVersion version: Int64) async throws -> RemoteSchema {
    let known = try await schema()
    guard known.version != version else { return known }
    forgetSchema()
    return try await schema()
  }

  /// Forgets the schema, which has changed.
  func forgetSchema() {
    state.withLock { $0.schema = nil }
  }
}

// MARK: - Errors

extension RemoteError {
  /// Whether the way to the server is lost, so that the session is of no more use.
  var isOfConnection: Bool {
    switch kind {
    case .notLeader, .outcomeUnknown, .unavailable, .protocolViolation: true
    case .sql, .constraint, .busy, .readOnly, .refused, .unexpectedRows: false
    }
  }

  /// The error as the screens know it: SQLite's own, or a sentence.
  func translated(sql: String?) -> any Error {
    guard !isOfConnection, kind != .refused, let code else {
      var failure = DataSourceError(message)
      failure.isOfLostAnswer = isOfConnection && outcome != .didNotRun
      return failure
    }
    return DatabaseError(ResultCode(rawValue: code), message, sql: sql)
  }
}
