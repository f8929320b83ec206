package import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// A connection to a ``DiffService`` on another host.
package protocol DiffLink: AnyObject, Sendable {
  /// Sends a question.
  ///
  /// Answers arrive in the order of the questions.
  ///
  /// - Parameter receive: Called once with the answer, or with the error that ended the connection, on any thread.
  func send(_ question: DiffMessage, _ receive: @escaping @Sendable (Result<DiffMessage, any Error>) -> Void)
}

/// A file on another host, which Quarry reads there.
package final class HostDiffSide: DiffSide {
  package let name: String
  private let link: any DiffLink
  private let number: Int
  private let copy = Mutex<(state: DiffState, schema: SchemaCopy)?>(nil)

  /// Opens the file, and blocks the calling thread until it is open.
  ///
  /// - Parameter isWatched: Whether only the state is read, again each time.
  package init(_ link: any DiffLink, name: String, isWatched: Bool = false) throws {
    (self.link, self.name) = (link, name)
    let answer = Monitor<Result<DiffMessage, any Error>?>(nil)
    link.send(try DiffMessage(DiffQuestion(side: 0, kind: .open(isWatched: isWatched)))) { result in answer.change { $0 = result } }
    guard case .opened(let number) = try Self.decoded(try answer.wait { $0 }.get()) else { throw DiffMessageError() }
    self.number = number
  }

  deinit {
    if let question = try? DiffMessage(DiffQuestion(side: number, kind: .close)) { link.send(question) { _ in } }
  }

  // MARK: Questions

  private static func decoded(_ message: DiffMessage) throws -> DiffAnswer {
    let answer = try message.decoded(as: DiffAnswer.self)
    if case .failed(let error) = answer { throw error.error }
    return answer
  }

  /// Asks a question; a cancelled task does not wait for its answer.
  private func ask(_ kind: DiffQuestion.Kind, values: DiffBlock? = nil) async throws -> (answer: DiffAnswer, message: DiffMessage) {
    try Task.checkCancellation()
    let pending = PendingAnswer()
    link.send(try DiffMessage(DiffQuestion(side: number, kind: kind), values)) { pending.end($0) }
    let message = try await withTaskCancellationHandler {
      try await pending.message()
    } onCancel: {
      pending.end(.failure(CancellationError()))
    }
    return (try Self.decoded(message), message)
  }

  // MARK: The side

  package func schema<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    let known = copy.withLock(\.self)
    let (answer, message) = try await ask(.schema(unless: known?.state))
    let schema: SchemaCopy
    switch (answer, known) {
    case (.sameSchema, let known?): schema = known.schema
    case (.schema(let state, let count), _):
      let block = try message.block(width: SchemaCopy.width, count: count)
      schema = try SchemaCopy((0..<count).map { block.values(at: $0) })
      copy.withLock { $0 = (state, schema) }
    default: throw DiffMessageError()
    }
    return try await schema.queue.read(body)
  }

  package func rows(_ sql: SQLText, width: Int) async throws -> [[StoredValue]] {
    let (answer, message) = try await ask(.rows(try SentSQL(sql), width: width), values: try SentSQL.values(of: sql))
    guard case .rows(let width, let count) = answer else { throw DiffMessageError() }
    let block = try message.block(width: width, count: count)
    return (0..<count).map { block.values(at: $0) }
  }

  package func block(_ query: DiffQuery) async throws -> DiffBlock {
    guard let range = query.ranges.first else { return DiffBlock(width: query.width) }
    let sql = query.sql(range)
    let question = DiffQuestion.Kind.block(try SentSQL(sql), width: query.width, limit: query.limit)
    let (answer, message) = try await ask(question, values: try SentSQL.values(of: sql))
    guard case .block(let count, let isEnd) = answer, isEnd || count > 0 else { throw DiffMessageError() }
    var block = try message.block(width: query.width, count: count)
    block.rest = isEnd ? query.ranges.dropFirst() : query.rest(after: block, query.ranges.startIndex)
    return block
  }

  package func state() async throws -> DiffState {
    guard case .state(let state) = try await ask(.state).answer else { throw DiffMessageError() }
    return state
  }

  package func checkReached(_ count: Int, of table: TableReference, since state: DiffState) async throws {
    _ = try await ask(.checkReached(count: count, table: table.name, state: state))
  }

  package func isUTF8() async throws -> Bool {
    guard case .isUTF8(let isUTF8) = try await ask(.isUTF8).answer else { throw DiffMessageError() }
    return isUTF8
  }

  package func copy(_ sql: SQLText, of table: String) async throws -> TableReference {
    let (answer, _) = try await ask(.copy(try SentSQL(sql), table: table), values: try SentSQL.values(of: sql))
    guard case .copied(let database, let name) = answer else { throw DiffMessageError() }
    return TableReference(database: database, name: name)
  }

  package func drop(_ copy: TableReference) async throws {
    _ = try await ask(.drop(database: copy.database, name: copy.name))
  }
}

/// An answer that a task waits for.
private final class PendingAnswer: Sendable {
  private enum State {
    case pending(CheckedContinuation<DiffMessage, any Error>?)
    case ended(Result<DiffMessage, any Error>)
  }

  private let state = Mutex(State.pending(nil))

  /// Ends the wait, unless it has ended already.
  func end(_ result: Result<DiffMessage, any Error>) {
    let waiting: CheckedContinuation<DiffMessage, any Error>? = state.withLock { state in
      guard case .pending(let continuation) = state else { return nil }
      state = .ended(result)
      return continuation
    }
    waiting?.resume(with: result)
  }

  func message() async throws -> DiffMessage {
    try await withCheckedThrowingContinuation { continuation in
      let result: Result<DiffMessage, any Error>? = state.withLock { state in
        if case .ended(let result) = state { return result }
        state = .pending(continuation)
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
