internal import Synchronization

/// A connection to the leader with an open database, on which statements run one after another.
final class DqliteConnection: Sendable {
  let channel: DqliteChannel
  let version: DqliteVersion
  /// The nodes listed by the leader when the connection was opened.
  let servers: [DqliteServer]
  /// The unique number of the connection.
  ///
  /// Each connection has its own `data_version` counter.
  let number = DqliteConnection.numbers.add(1, ordering: .relaxed).newValue

  private static let numbers = Atomic(0)

  var node: DqliteNode { channel.node }

  /// Connects to a node, opens a database there and makes the connection safe to use, in one round trip.
  ///
  /// ```sql
  /// SELECT zeroblob(16384)
  /// PRAGMA query_only = 1
  /// ```
  ///
  /// Nodes up to 1.18 write the types of a wide row beyond the end of a buffer that has not grown yet. The blob makes it grow once per
  /// connection. The query fails on a node that does not lead, so that every connection is to the leader.
  ///
  /// - Throws: ``RemoteError``, `CancellationError`
  init(to node: DqliteNode, tls: DqliteTLS?, database: String, isReadOnly: Bool, limits: DqliteLimits) async throws {
    let channel = try await DqliteChannel.connect(to: node, tls: tls, within: limits.connecting)
    do {
      var requests: [DqliteRequest] = [.open(database), .query("SELECT zeroblob(16384)", [])]
      if isReadOnly { requests.append(.execute("PRAGMA query_only = 1", [])) }
      let answers = try await channel.ask(requests + [.cluster] + DqliteVersion.questions, within: limits.answer)
      for case .failure(let failure) in answers.prefix(requests.count) { throw failure.error(at: node) }
      guard case .servers(let servers) = answers[requests.count] else {
        throw RemoteError(
          kind: .protocolViolation, code: nil, message: "\(node) does not list the nodes of its cluster.", outcome: .didNotRun)
      }
      self.servers = servers
      version = DqliteVersion(answers[requests.count + 1], answers[requests.count + 2])
      self.channel = channel
    } catch {
      channel.close()
      throw error
    }
  }

  /// Runs a statement that returns rows, and passes them on as they arrive.
  ///
  /// The statement is sent at once, even if other answers are pending. Answers are read in the order of their requests.
  ///
  /// - Parameters:
  ///   - patience: Called repeatedly while nothing arrives. May throw to give up.
  ///   - drain: The limits for discarding the answer if the read is cancelled or `body` throws. Beyond them the connection ends.
  /// - Throws: ``DqliteFailure``. ``DqliteReadingEnded`` with a cancellation or the error thrown by `body`. After a ``RemoteError`` or
  ///   ``DqliteAbandoned`` the connection has ended.
  func rows(
    _ statement: DqliteStatement, patience: StallPolicy, drain: DrainLimit, _ body: @Sendable (RemoteRows) throws -> Void
  ) async throws {
    try await withAnswer(to: .query(statement.sql, statement.values)) { answer in
      var reader = DqliteRowReader()
      var (isDone, isFirst) = (false, true)
      do {
        while !isDone {
          var values: [RemoteValue] = []
          var failure: DqliteFailure?
          for frame in try await channel.receive(answer, patience, drain) {
            switch try DqliteResponse(frame) {
            case .rows: guard try reader.read(frame, into: &values) else { throw DqliteFaults.longNames }
            case .failure(let found): failure = found
            default: throw DqliteViolation("it answered a request for rows with something else")
            }
            isDone = frame.endsAnswer
          }
          if isFirst && failure == nil || !values.isEmpty {
            let rows = RemoteRows(columns: reader.columns, values: values, connection: number)
            do {
              try body(rows)
            } catch {
              if let failure { throw failure }
              throw DqliteReadingEnded(reason: error)
            }
          }
          isFirst = false
          if let failure { throw failure }
        }
      } catch let ending as DqliteReadingEnded {
        channel.abandon(answer, drain)
        throw ending
      } catch let error as CancellationError {
        channel.abandon(answer, drain)
        throw DqliteReadingEnded(reason: error)
      }
    }
  }

  /// Runs a statement that returns no rows.
  ///
  /// If the task is cancelled, the connection ends.
  ///
  /// - Throws: ``DqliteFailure``. After a ``RemoteError`` or `CancellationError` the connection has ended.
  func execute(_ statement: DqliteStatement, patience: StallPolicy) async throws -> RemoteChange {
    try await withAnswer(to: .execute(statement.sql, statement.values)) { answer in
      let frames = try await channel.receive(answer, patience, nil)
      switch try frames.count == 1 ? DqliteResponse(frames[0]) : .empty {
      case .result(let change): return change
      case .failure(let failure): throw failure
      default: throw DqliteViolation("it answered a request for a change with something else")
      }
    }
  }

  /// Sends a request and reads its answer.
  ///
  /// After an error that makes the next answer ambiguous, the connection ends.
  private func withAnswer<Result>(to request: DqliteRequest, _ body: (Int) async throws -> Result) async throws -> Result {
    do {
      return try await body(channel.send([request]))
    } catch {
      switch error {
      case is DqliteFailure, is DqliteReadingEnded: throw error
      case let violation as DqliteViolation:
        channel.close()
        throw DqliteFaults.violation(by: node, violation)
      default:
        channel.close()
        throw error
      }
    }
  }
}

/// An error for a read ended by its caller, after which the connection remains usable.
struct DqliteReadingEnded: Error {
  var reason: any Error
}

/// The action while a node does not answer.
struct StallPolicy: Sendable {
  /// The interval between calls.
  static let interval = Duration.seconds(2)

  /// Called when no data has arrived for `interval`, with the time since the last sign of the node.
  ///
  /// Returns whether the node is alive. Throws to give up.
  var check: @Sendable (DqliteNode, _ silence: Duration) async throws -> Bool
}

extension DqliteChannel {
  /// Sends requests together, and waits for their answers of one message each.
  ///
  /// - Throws: ``RemoteError``, `CancellationError`. The connection has then ended.
  package func ask(_ requests: [DqliteRequest], within limit: Duration) async throws -> [DqliteResponse] {
    do {
      let answer = try send(requests)
      var answers: [DqliteResponse] = []
      let deadline = ContinuousClock.now + limit
      while answers.count < requests.count {
        guard let frames = try await receive(answer, within: max(.zero, deadline - .now)) else {
          throw DqliteFaults.silent(node, for: limit)
        }
        for frame in frames where frame.endsAnswer { answers.append(try DqliteResponse(frame)) }
      }
      return answers
    } catch {
      close()
      throw (error as? DqliteViolation).map { DqliteFaults.violation(by: node, $0) } ?? error
    }
  }

  /// Waits for messages until the policy gives up.
  fileprivate func receive(_ answer: Int, _ patience: StallPolicy, _ drain: DrainLimit?) async throws -> [DqliteFrame] {
    var heard = ContinuousClock.now
    while true {
      if let frames = try await receive(answer, within: StallPolicy.interval, drain) { return frames }
      if try await patience.check(node, .now - heard) { heard = .now }
    }
  }
}
