internal import QuarryEngine
internal import Synchronization

/// A private connection to the leader of a cluster, which reconnects when the connection is lost.
///
/// Statements run one after another, in the order of the calls. Reads outside a transaction are sent without waiting for earlier answers,
/// so that concurrent reads of a screen take one round trip. A statement is sent again only if the node certainly did not run it. Other
/// errors are thrown.
final class DqliteSession: RemoteSession {
  let isReadOnly: Bool
  let cluster: DqliteCluster
  private let turn = TaskTurn()
  private let connecting = TaskTurn()
  private let state = Mutex(State())

  private struct State {
    var connection: DqliteConnection?
    var transaction = Transaction.none
    var isClosed = false
    var onLostTransaction: (@Sendable () -> Void)?
  }

  private enum Transaction {
    case none, open
    /// The transaction was lost with its connection, and this has not been reported yet.
    case lost
  }

  init(cluster: DqliteCluster, isReadOnly: Bool) {
    (self.cluster, self.isReadOnly) = (cluster, isReadOnly)
  }

  deinit {
    state.withLock { $0.connection }?.channel.close()
  }

  var isInsideTransaction: Bool { state.withLock { $0.transaction == .open } }

  var hasLostTransaction: Bool { state.withLock { $0.transaction == .lost } }

  func onLostTransaction(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onLostTransaction = body } }

  func close() {
    let connection = state.withLock { state in
      state.isClosed = true
      defer { state.connection = nil }
      return state.connection
    }
    connection?.channel.close()
  }

  /// Connects if there is no connection.
  ///
  /// - Throws: ``RemoteError``, `CancellationError`
  func connect() async throws {
    _ = try await connection()
  }

  func forEachBatch(_ statement: RemoteStatement, _ body: @Sendable (RemoteRows) throws -> Void) async throws {
    let statement = try DqliteStatement(statement)
    // A node before 1.18 does not run these statements in a request for rows.
    if statement.kind.controlsTransaction {
      _ = try await change(statement)
      return try body(noRows)
    }
    let delivery = DqliteDelivery()
    let isDone = try await inTurn(statement) {
      try await run(statement, mayRepeat: { !delivery.hasBegun }) { connection in
        do {
          let drain = isInsideTransaction ? DrainLimit.ofTransaction : cluster.drain
          try await connection.rows(statement, patience: patience, drain: drain) { rows in
            delivery.begin()
            try body(rows)
          }
          return true
        } catch let failure as DqliteFailure where failure.isOfNoRows && !delivery.hasBegun {
          return false
        }
      }
    }
    if !isDone {
      _ = try await change(statement)
      try body(noRows)
    }
  }

  func execute(_ statement: RemoteStatement) async throws -> RemoteChange {
    let statement = try DqliteStatement(statement)
    guard !statement.returnsRows else {
      throw DqliteFaults.refused("A statement with RETURNING returns rows: a node crashes if they are not requested.")
    }
    return try await change(statement)
  }

  private func change(_ statement: DqliteStatement) async throws -> RemoteChange {
    try await turn.run {
      try await run(statement) { connection in try await connection.execute(statement, patience: patience) }
    }
  }

  /// Runs reads outside a transaction concurrently, and all other statements exclusively.
  private func inTurn<Result>(_ statement: DqliteStatement, _ body: () async throws -> Result) async throws -> Result {
    if statement.isRead {
      // No statement begins a transaction in a shared turn.
      let result = try await turn.run(shared: true) { () -> Result? in
        if isInsideTransaction { return nil }
        return try await body()
      }
      if let result { return result }
    }
    return try await turn.run { try await body() }
  }

  private var noRows: RemoteRows {
    RemoteRows(columns: [], values: [], connection: state.withLock { $0.connection?.number ?? 0 })
  }

  private var patience: StallPolicy {
    StallPolicy { [cluster] node, silence in try await cluster.checkLeader(node, silentFor: silence) }
  }
}

// MARK: Transactions

extension DqliteSession {
  func transact(_ statements: [RemoteStatement]) async throws -> [RemoteChange] {
    let prepared = try statements.enumerated().map { index, statement in
      do {
        let prepared = try DqliteStatement(statement)
        guard !prepared.kind.controlsTransaction, !prepared.returnsRows else {
          throw DqliteFaults.refused("Statements of one transaction cannot begin or end one, or return rows.")
        }
        return prepared
      } catch let error as RemoteError {
        throw RemoteBatchError(index: index, error: error)
      }
    }
    return try await turn.run {
      guard !isInsideTransaction else {
        throw RemoteBatchError(index: nil, error: DqliteFaults.refused("A transaction is open. Commit it or roll it back first."))
      }
      try await begin()
      var changes: [RemoteChange] = []
      for (index, statement) in prepared.enumerated() {
        do {
          let change = try await run(statement) { try await $0.execute(statement, patience: patience) }
          if let expected = statements[index].expectedRows, change.rows != expected {
            throw DqliteFaults.unexpectedRows(change.rows, expected)
          }
          changes.append(change)
        } catch {
          throw await rolledBack(error, at: index)
        }
      }
      do {
        try await control("COMMIT")
      } catch {
        throw await rolledBack(error, at: nil)
      }
      return changes
    }
  }

  private func begin() async throws {
    do {
      try await control("BEGIN IMMEDIATE")
    } catch var error as RemoteError {
      // If BEGIN took effect, the transaction ended with its connection.
      error.outcome = .didNotRun
      throw RemoteBatchError(index: nil, error: error)
    }
  }

  private func control(_ sql: String) async throws {
    let statement = try DqliteStatement(RemoteStatement(sql))
    _ = try await run(statement) { try await $0.execute(statement, patience: patience) }
  }

  /// Rolls back the transaction of a failed statement, and returns the resulting error.
  private func rolledBack(_ error: any Error, at index: Int?) async -> any Error {
    state.withLock { if $0.transaction == .lost { $0.transaction = .none } }
    if isInsideTransaction {
      do {
        try await control("ROLLBACK")
      } catch {
        // Closing the connection also ends the transaction.
        if let connection = state.withLock({ $0.connection }) { drop(connection) }
      }
      state.withLock { $0.transaction = .none }
    }
    guard var failure = error as? RemoteError else { return error }
    if failure.outcome != .unknown { failure.outcome = .didNotRun }
    return RemoteBatchError(index: index, error: failure)
  }
}

// MARK: Running

extension DqliteSession {
  /// Runs a statement on the connection, retries it if it certainly did not run, and tracks the transaction.
  private func run<Result>(
    _ statement: DqliteStatement, mayRepeat: () -> Bool = { true }, _ body: (DqliteConnection) async throws -> Result
  ) async throws -> Result {
    var pause = DqlitePause(atMost: .milliseconds(250))
    let busyLimit = ContinuousClock.now + cluster.limits.busy
    var isMoved = false
    while true {
      let connection = try await connection()
      try check(statement, on: connection)
      // A statement that cannot be sent twice waits for pending answers, because they may end the connection.
      if !statement.isRead, await !connection.channel.settle() {
        end(connection)
        continue
      }
      let wasInside = isInsideTransaction
      do {
        let result = try await body(connection)
        try await note(statement, on: connection)
        return result
      } catch let failure as DqliteFailure {
        let mayRepeat = !wasInside && mayRepeat()
        if failure.isOfFollower {
          drop(connection)
          cluster.lose(connection.node)
          if mayRepeat, !isMoved {
            isMoved = true
            continue
          }
        } else if failure.isBusy, mayRepeat, .now < busyLimit {
          try await pause.wait()
          continue
        } else if wasInside {
          try await findTransaction(on: connection)
        }
        if wasInside, failure.isOfFollower { throw DqliteFaults.transactionLost }
        throw told(failure.error(at: connection.node), of: statement, wasInside: wasInside)
      } catch let ending as DqliteReadingEnded {
        throw ending.reason
      } catch is DqliteAbandoned {
        end(connection)
      } catch {
        drop(connection)
        throw told(error, of: statement, wasInside: wasInside)
      }
    }
  }

  /// Returns the connection.
  ///
  /// Connects if no connection exists.
  private func connection() async throws -> DqliteConnection {
    if let connection = try known() { return connection }
    return try await connecting.run {
      if let connection = try known() { return connection }
      let new = try await cluster.connect(isReadOnly: isReadOnly)
      let isClosed = state.withLock { state in
        if !state.isClosed { state.connection = new }
        return state.isClosed
      }
      if isClosed {
        new.channel.close()
        throw DqliteFaults.closed
      }
      new.channel.onEnd { [weak self, weak new] wasAbandoned in
        guard let self, let new, self.end(new), !wasAbandoned else { return }
        self.cluster.lose(new.node)
      }
      return new
    }
  }

  private func known() throws -> DqliteConnection? {
    try state.withLock { state in
      if state.isClosed { throw DqliteFaults.closed }
      if state.transaction == .lost {
        state.transaction = .none
        throw DqliteFaults.transactionLost
      }
      return state.connection
    }
  }

  /// Notes that a connection has ended, and returns whether it was still in use.
  @discardableResult
  private func end(_ connection: DqliteConnection) -> Bool {
    let (wasInUse, report) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard state.connection === connection else { return (false, nil) }
      state.connection = nil
      guard state.transaction == .open else { return (!state.isClosed, nil) }
      state.transaction = .lost
      return (!state.isClosed, state.onLostTransaction)
    }
    report?()
    return wasInUse
  }

  /// Closes a connection and thereby ends its transaction.
  private func drop(_ connection: DqliteConnection) {
    state.withLock { state in
      guard state.connection === connection else { return }
      (state.connection, state.transaction) = (nil, .none)
    }
    connection.channel.close()
  }

  private func check(_ statement: DqliteStatement, on connection: DqliteConnection) throws {
    let capabilities = connection.version.capabilities
    if statement.returnsRows, !capabilities.returning {
      throw DqliteFaults.refused("This version of dqlite crashes on RETURNING and loses the changes. Version 1.18.3 and later support it.")
    }
    if statement.values.count > capabilities.parameterLimit {
      throw DqliteFaults.refused(
        "The cluster accepts \(capabilities.parameterLimit) values for a statement; this one has \(statement.values.count).")
    }
  }

  /// Tracks the transaction after a statement that has run.
  private func note(_ statement: DqliteStatement, on connection: DqliteConnection) async throws {
    switch statement.kind.transactionEffect {
    case .opens: state.withLock { $0.transaction = .open }
    case .ends: state.withLock { $0.transaction = .none }
    case .mayEnd: try await findTransaction(on: connection)
    case .nothing: break
    }
  }

  /// Determines whether a transaction is open by trying to begin one, because no answer reports it.
  private func findTransaction(on connection: DqliteConnection) async throws {
    let (begin, rollback) = (try DqliteStatement(RemoteStatement("BEGIN")), try DqliteStatement(RemoteStatement("ROLLBACK")))
    do {
      _ = try await connection.execute(begin, patience: patience)
      _ = try await connection.execute(rollback, patience: patience)
      state.withLock { $0.transaction = .none }
    } catch is DqliteFailure {
      state.withLock { $0.transaction = .open }
    } catch {
      drop(connection)
    }
  }

  /// Returns an error with the known outcome of its statement.
  private func told(_ error: any Error, of statement: DqliteStatement, wasInside: Bool) -> any Error {
    let isCancelled = error is CancellationError
    guard isCancelled || (error as? RemoteError)?.outcome == .unknown else { return error }
    let reason =
      (error as? RemoteError)?.message ?? "The statement was cancelled, which a cluster supports only by disconnecting."
    if wasInside, !statement.kind.endsTransaction {
      return DqliteFaults.unavailable(reason + " The transaction was rolled back with the connection. Begin it again.")
    }
    if statement.isRead || isReadOnly || statement.kind.transactionEffect == .opens { return error }
    return RemoteError(
      kind: .outcomeUnknown, code: (error as? RemoteError)?.code,
      message: reason + " It may have been stored: check before you repeat it.", outcome: .unknown)
  }
}

/// Whether rows have been passed on.
///
/// A statement is not repeated after that.
private final class DqliteDelivery: Sendable {
  private let begun = Atomic(false)

  var hasBegun: Bool { begun.load(ordering: .acquiring) }

  func begin() {
    begun.store(true, ordering: .releasing)
  }
}

extension StatementKind {
  enum TransactionEffect { case nothing, opens, ends, mayEnd }

  /// The effect of the statement on the transaction, if it succeeds.
  var transactionEffect: TransactionEffect {
    guard controlsTransaction else { return .nothing }
    return switch verb {
    case .begin, .savepoint: .opens
    case .commit, .end: .ends
    default: .mayEnd
    }
  }
}
