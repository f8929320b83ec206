public import QuarryCluster
internal import QuarryEngine
import Synchronization

/// An SQLite file served like dqlite: numbered parameters, no names in the protocol, texts truncated at a NUL, rows in batches, and
/// declared types that a server interprets.
///
/// It does not simulate a node. The client of nodes has tests with real nodes. Code above the `RemoteDatabase` protocol is tested against
/// this class, because the results can be compared with those of the file.
public final class ServedDatabase: RemoteDatabase {
  public let name: String
  public let capabilities = RemoteCapabilities(returning: false, parameterLimit: 255, interrupts: false)
  private let path: String
  private let log = Mutex<[String]>([])
  private let sessions = Mutex<[ServedSession]>([])
  private let failing = Mutex(0)
  private let failingText = Mutex<String?>(nil)
  private let losing = Mutex<Bool?>(nil)
  private let failingRows = Mutex<(count: Int, body: @Sendable () throws -> Void)?>(nil)
  private let numbers = Atomic(0)
  private let watching = Mutex<(@Sendable () -> Void)?>(nil)

  public init(path: String, name: String = "dqlite://127.0.0.1:9001/demo") {
    (self.path, self.name) = (path, name)
  }

  /// The requests sent to it, one line per round trip.
  public var requests: [String] { log.withLock(\.self) }

  /// Makes the next requests fail as if the leader was killed.
  public func loseConnections(_ count: Int) { failing.withLock { $0 = count } }

  /// Makes the next request that contains a text fail as if the leader was killed.
  public func loseConnection(at text: String) { failingText.withLock { $0 = text } }

  /// Makes the next connection that has sent a number of rows fail, as if the leader was killed in the middle of them.
  ///
  /// - Parameter body: Called at that moment.
  public func loseConnection(afterRows count: Int, _ body: @escaping @Sendable () throws -> Void = {}) {
    failingRows.withLock { $0 = (count, body) }
  }

  fileprivate func noteRows(_ count: Int) throws {
    let body = failingRows.withLock { failing -> (@Sendable () throws -> Void)? in
      guard let wanted = failing, count >= wanted.count else { return nil }
      failing = nil
      return wanted.body
    }
    guard let body else { return }
    try body()
    throw RemoteError(kind: .unavailable, message: "leader lost, looking for the new one", outcome: .unknown)
  }

  /// Drops the answer of the next transaction, as if the leader was killed before or after it has committed.
  public func loseAnswer(isCommitted: Bool) { losing.withLock { $0 = isCommitted } }

  /// Calls `body` when the statements of a transaction have run, before it is committed.
  public func onTransaction(_ body: @escaping @Sendable () -> Void) { watching.withLock { $0 = body } }

  fileprivate func tellTransaction() { watching.withLock(\.self)?() }

  /// Returns whether the next transaction is committed although its answer is lost, or nil if the answer is not lost.
  fileprivate func takeLoss() -> Bool? {
    losing.withLock { losing in
      defer { losing = nil }
      return losing
    }
  }

  /// Gives each session a new connection from its next statement on, as if it had silently reconnected.
  public func reconnect() throws {
    for session in sessions.withLock(\.self) { try session.reconnect() }
  }

  public func session(for purpose: String, isReadOnly: Bool) async throws -> any RemoteSession {
    let session = try ServedSession(path: path, isReadOnly: isReadOnly, of: self) { [self] sql in try note(sql) }
    sessions.withLock { $0.append(session) }
    return session
  }

  /// Returns a number that no other connection has.
  fileprivate func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

  private func note(_ sql: String) throws {
    log.withLock { $0.append(sql) }
    let isLost = failing.withLock { failing in
      defer { failing = max(0, failing - 1) }
      return failing > 0
    }
    let isLostAtText = failingText.withLock { text -> Bool in
      guard let wanted = text, sql.contains(wanted) else { return false }
      text = nil
      return true
    }
    if isLost || isLostAtText {
      throw RemoteError(kind: .outcomeUnknown, message: "leader lost, looking for the new one", outcome: .unknown)
    }
  }

  public func states() -> AsyncStream<RemoteState> {
    AsyncStream { continuation in
      continuation.yield(RemoteState(connection: .connected, leader: "127.0.0.1:9001", voters: 3))
      continuation.finish()
    }
  }

  public func close() {
    for session in sessions.withLock(\.self) { session.close() }
  }
}

/// A connection to a ``ServedDatabase``.
final class ServedSession: RemoteSession {
  private let path: String
  private let isReadOnly: Bool
  private let connection: Mutex<(queue: DatabaseQueue, number: Int)>
  private let note: @Sendable (String) throws -> Void
  private let isInside = Atomic(false)
  private let server: ServedDatabase

  init(path: String, isReadOnly: Bool, of server: ServedDatabase, note: @escaping @Sendable (String) throws -> Void) throws {
    (self.path, self.isReadOnly, self.server, self.note) = (path, isReadOnly, server, note)
    connection = Mutex((try Self.open(path, isReadOnly: isReadOnly), server.nextNumber()))
  }

  private static func open(_ path: String, isReadOnly: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.isReadonly = isReadOnly
    configuration.busyTimeout = .zero
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.withoutTransaction { db in try db.drop(function: "regexp", argumentCount: 2) }
    return queue
  }

  func reconnect() throws {
    let new = (queue: try Self.open(path, isReadOnly: isReadOnly), number: server.nextNumber())
    connection.withLock { $0 = new }
  }

  private var queue: DatabaseQueue { connection.withLock(\.queue) }

  var isInsideTransaction: Bool { isInside.load(ordering: .relaxed) }

  func close() { queue.interrupt() }

  func forEachBatch(_ request: RemoteStatement, _ body: @Sendable (RemoteRows) throws -> Void) async throws {
    try note(request.sql)
    try await withoutActuallyEscaping(body) { body in
      let (queue, number) = connection.withLock(\.self)
      try await queue.withoutTransaction { [server] db in
        let statement = try Self.statement(request.sql, request.values, in: db)
        try Self.checkColumns(of: statement)
        try body(RemoteRows(columns: statement.columnNames, values: [], connection: number))
        var (batch, count): ([RemoteValue], Int) = ([], 0)
        while try Self.asServer({ try statement.step() }) {
          for index in 0..<statement.columnCount { batch.append(try Self.value(of: statement, at: index)) }
          guard batch.count >= 3 * statement.columnCount else { continue }
          try body(RemoteRows(columns: statement.columnNames, values: batch, connection: number))
          (batch, count) = ([], count + 3)
          try server.noteRows(count)
        }
        if !batch.isEmpty { try body(RemoteRows(columns: statement.columnNames, values: batch, connection: number)) }
      }
    }
  }

  func execute(_ request: RemoteStatement) async throws -> RemoteChange {
    try note(request.sql)
    return try await queue.withoutTransaction { [self] db in
      defer { isInside.store(db.isInsideTransaction, ordering: .relaxed) }
      return try Self.execute(request, in: db)
    }
  }

  func transact(_ statements: [RemoteStatement]) async throws -> [RemoteChange] {
    try note(statements.map(\.sql).joined(separator: "; "))
    return try await queue.withoutTransaction { [server] db in
      try Self.asServer { try db.execute(sql: "BEGIN IMMEDIATE") }
      var changes: [RemoteChange] = []
      for (index, statement) in statements.enumerated() {
        do {
          let change = try Self.execute(statement, in: db)
          if let expected = statement.expectedRows, expected != change.rows {
            throw RemoteError(kind: .unexpectedRows, message: "\(change.rows) rows were changed, and not \(expected)", outcome: .didNotRun)
          }
          changes.append(change)
        } catch let error as RemoteError {
          try? db.execute(sql: "ROLLBACK")
          throw RemoteBatchError(index: index, error: error)
        }
      }
      server.tellTransaction()
      let loss = server.takeLoss()
      do {
        try Self.asServer { try db.execute(sql: loss == false ? "ROLLBACK" : "COMMIT") }
      } catch let error as RemoteError {
        try? db.execute(sql: "ROLLBACK")
        throw RemoteBatchError(index: nil, error: error)
      }
      if loss != nil {
        throw RemoteBatchError(index: nil, error: RemoteError(kind: .outcomeUnknown, message: "leader lost", outcome: .unknown))
      }
      return changes
    }
  }

  private static func execute(_ request: RemoteStatement, in db: Database) throws -> RemoteChange {
    let statement = try statement(request.sql, request.values, in: db)
    let before = db.totalChangesCount
    try asServer { while try statement.step() {} }
    // Changes by triggers are not counted.
    return RemoteChange(rows: db.totalChangesCount == before ? 0 : db.changesCount, lastRowID: db.lastInsertedRowID)
  }

  private static func statement(_ sql: String, _ values: [DatabaseValue], in db: Database) throws -> Statement {
    try asServer {
      let statement = try db.makeStatement(sql: sql)
      guard values.count <= 255, values.count == statement.parameterCount else {
        let message = "\(statement.parameterCount) values are wanted, and \(values.count) are given"
        throw RemoteError(kind: .protocolViolation, message: message, outcome: .didNotRun)
      }
      for (index, value) in values.enumerated() { try statement.bind(cut(value), at: index + 1) }
      return statement
    }
  }

  /// Rejects columns with a declared type that a server interprets, and names that are too long, because both can crash a server.
  private static func checkColumns(of statement: Statement) throws {
    let types = ["BOOLEAN", "DATE", "DATETIME", "TIMESTAMP"]
    if let type = statement.declaredColumnTypes.first(where: { types.contains($0.uppercased()) }) {
      throw RemoteError(kind: .protocolViolation, message: "a column is read as \(type)", outcome: .unknown)
    }
    let length = statement.columnNames.reduce(0) { $0 + ($1.utf8.count / 8 + 1) * 8 }
    if length > 4072 { throw RemoteError(kind: .protocolViolation, message: "column names too long", outcome: .unknown) }
  }

  private static func cut(_ value: DatabaseValue) -> DatabaseValue {
    guard case .text(let text) = value, let end = text.utf8.firstIndex(of: 0) else { return value }
    return .text(String(text[..<end]))
  }

  private static func value(of statement: Statement, at index: Int) throws -> RemoteValue {
    switch try statement.columnStorageClass(at: index) {
    case .null: .null
    case .integer: .integer(try statement.columnInteger(at: index))
    case .real: .real(try statement.columnReal(at: index))
    case .text: .text(try statement.withColumnBytes(at: index) { Array($0.prefix { $0 != 0 })[...] })
    case .blob: .blob(try statement.withColumnBytes(at: index) { Array($0)[...] })
    }
  }

  private static func asServer<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      let kind: RemoteError.Kind =
        switch error.resultCode {
        case DatabaseError.SQLITE_CONSTRAINT: .constraint
        case DatabaseError.SQLITE_BUSY: .busy
        case DatabaseError.SQLITE_READONLY: .readOnly
        default: .sql
        }
      throw RemoteError(kind: kind, code: error.extendedResultCode.rawValue, message: error.message, outcome: .ran)
    }
  }
}
