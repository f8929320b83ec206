internal import Synchronization

/// The sessions of a remote database and the schema that is known of it.
final class RemoteLink: Sendable {
  let database: any RemoteDatabase
  private let state: Mutex<State>

  /// What a session is for: one that is busy keeps none of the others waiting.
  enum Purpose: String, Hashable, Sendable {
    case rows, background, statements
  }

  private struct State {
    /// Whether the server itself refuses that statements write.
    var isReadOnly: Bool
    var sessions: [Purpose: OpenedSession] = [:]
    var generations: Int64 = 0
    /// How often something was written on a session, which it does not tell of itself.
    var writes: Int64 = 0
    var schema: RemoteSchema?
  }

  /// A session, and the number that tells it from those before.
  struct OpenedSession: Sendable {
    let session: any RemoteSession
    let generation: Int64
  }

  init(_ database: any RemoteDatabase, isReadOnly: Bool) {
    self.database = database
    state = Mutex(State(isReadOnly: isReadOnly))
  }

  /// Returns the session for a purpose, opened when it is first asked for.
  func session(_ purpose: Purpose) async throws -> OpenedSession {
    if let known = state.withLock({ $0.sessions[purpose] }) { return known }
    let isReadOnly = purpose != .statements || state.withLock(\.isReadOnly)
    let opened = try await database.session(for: purpose.rawValue, isReadOnly: isReadOnly)
    let (kept, isNew) = state.withLock { state -> (OpenedSession, Bool) in
      // Another request may have opened one meanwhile.
      if let known = state.sessions[purpose] { return (known, false) }
      state.generations += 1
      let made = OpenedSession(session: opened, generation: state.generations)
      state.sessions[purpose] = made
      return (made, true)
    }
    if !isNew { opened.close() }
    return kept
  }

  /// Forgets a session that is lost: the next request opens another one.
  func forget(_ lost: OpenedSession, _ purpose: Purpose) {
    state.withLock { state in
      if state.sessions[purpose]?.generation == lost.generation { state.sessions[purpose] = nil }
    }
    lost.session.close()
  }

  /// Lets statements write from now on.
  func allowWriting() {
    let session = state.withLock { state in
      state.isReadOnly = false
      return state.sessions.removeValue(forKey: .statements)
    }
    session?.session.close()
  }

  /// Gives a session another number, since its connection is another one from now on.
  private func renumber(_ purpose: Purpose) {
    state.withLock { state in
      guard let known = state.sessions[purpose] else { return }
      state.generations += 1
      state.sessions[purpose] = OpenedSession(session: known.session, generation: state.generations)
    }
  }

  /// Whether a transaction that a statement has begun is open.
  var isTransactionOpen: Bool { state.withLock { $0.sessions[.statements]?.session.isInsideTransaction ?? false } }

  /// Returns what reads for the screen: while a transaction is open, the session that sees its changes.
  func reading(_ purpose: Purpose) -> Purpose { isTransactionOpen ? .statements : purpose }

  /// Takes note of a write, which the session that made it does not count in its `data_version`.
  func noteWrite() {
    state.withLock { $0.writes += 1 }
  }

  /// Returns a number that differs between states of a session which `data_version` does not tell apart: those before and after a write of
  /// its own, and those of the sessions before it.
  func changes(_ generation: Int64) -> Int64 {
    state.withLock { $0.writes << 32 | generation }
  }

  func close() {
    database.close()
  }
}

// MARK: - Reading

extension RemoteLink {
  /// Runs a statement that reads and hands over its rows as they come; where the way to the server is lost before the first of them, it is
  /// found anew, once.
  ///
  /// - Parameter body: Is called with one batch after the other, and the session's number; what it throws ends the reading.
  func forEachBatch(
    _ statement: RemoteStatement, on purpose: Purpose, _ body: @escaping @Sendable (RemoteRows, Int64) throws -> Void
  ) async throws {
    let began = Mutex(false)
    var isRepeated = false
    while true {
      let opened = try await translating(statement.sql) { try await self.session(purpose) }
      do {
        return try await opened.session.forEachBatch(statement.sql, statement.values) { rows in
          if rows.count > 0 { began.withLock { $0 = true } }
          try body(rows, opened.generation)
        }
      } catch let error as RemoteError {
        let wasInside = opened.session.isInsideTransaction
        if error.isOfConnection { forget(opened, purpose) }
        // What surely did not run has been tried again by the session itself.
        guard error.isOfConnection, error.outcome != .didNotRun, !isRepeated, !wasInside, !began.withLock(\.self) else {
          throw error.translated(sql: statement.sql)
        }
        isRepeated = true
      } catch {
        // A reading that is ended takes its connection with it, and the next one has other versions for the same data.
        renumber(purpose)
        throw error
      }
    }
  }

  /// Runs a statement that reads and returns all of its rows.
  func rows(_ statement: RemoteStatement, on purpose: Purpose) async throws -> (rows: [[RemoteValue]], generation: Int64) {
    let collected = Mutex((rows: [[RemoteValue]](), generation: Int64(0)))
    try await forEachBatch(statement, on: purpose) { batch, generation in
      collected.withLock { collected in
        collected.generation = generation
        batch.forEachRow { collected.rows.append(Array($0)) }
      }
    }
    return collected.withLock(\.self)
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
    let read = try await RemoteSchema.read(from: self)
    state.withLock { $0.schema = read }
    return read
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
    guard !isOfConnection, kind != .refused, let code else { return DataSourceError(message) }
    return DatabaseError(ResultCode(rawValue: code), message, sql: sql)
  }
}
