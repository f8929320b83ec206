/// A connection to the leader with an open database, on which statements run one after the other.
final class DqliteConnection: Sendable {
  let channel: DqliteChannel
  let version: DqliteVersion
  /// The nodes as the leader listed them when the connection was opened.
  let servers: [DqliteServer]

  /// How long a node may take to answer what costs it nothing.
  static let answerLimit = Duration.seconds(2)
  /// How long connecting may take.
  static let connectLimit = Duration.seconds(3)

  var node: DqliteNode { channel.node }

  /// Connects to a node, opens a database there and makes the connection safe to use, in one round trip.
  ///
  /// ```sql
  /// SELECT zeroblob(16384)
  /// PRAGMA query_only = 1
  /// ```
  ///
  /// Nodes up to 1.18 write the types of a wide row beyond the end of a buffer that has not grown yet; the blob lets it grow, once for the
  /// connection. On a node that does not lead it fails, so that a connection is always one to the leader.
  ///
  /// - Throws: ``RemoteError``, `CancellationError`
  init(to node: DqliteNode, tls: DqliteTLS?, database: String, isReadOnly: Bool) async throws {
    let channel = try await DqliteChannel.connect(to: node, tls: tls, within: Self.connectLimit)
    do {
      var requests: [DqliteRequest] = [.open(database), .query("SELECT zeroblob(16384)", [])]
      if isReadOnly { requests.append(.execute("PRAGMA query_only = 1", [])) }
      let answers = try await channel.ask(requests + [.cluster] + DqliteVersion.questions, within: Self.answerLimit)
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

  /// Runs a statement that yields rows, and passes them on as they come.
  ///
  /// - Parameters:
  ///   - patience: Is called again and again while nothing comes, and may throw to give up.
  ///   - keepsConnection: Whether the rest of the rows is read and dropped where `body` throws, so that a transaction stays.
  /// - Throws: ``DqliteFailure``, ``RemoteError``, `CancellationError`, and what `body` throws. But for the first, and what `body` throws where
  ///   the connection is kept, the connection has then ended.
  func rows(
    _ statement: DqliteStatement, patience: DqlitePatience, keepsConnection: Bool, _ body: @Sendable (RemoteRows) throws -> Void
  ) async throws {
    var refusal: (any Error)?
    do {
      channel.send(try DqliteRequest.query(statement.sql, statement.values).encoded())
      var reader = DqliteRowReader()
      var (isDone, isFirst) = (false, true)
      while !isDone {
        var values: [RemoteValue] = []
        var failure: DqliteFailure?
        for frame in try await channel.receive(patience) {
          switch try DqliteResponse(frame) {
          case .rows: guard try reader.read(frame, into: &values) else { throw DqliteFaults.longNames }
          case .failure(let found): failure = found
          default: throw DqliteViolation("rows were asked for, and something else was answered")
          }
          isDone = frame.endsAnswer
        }
        if refusal == nil, isFirst && failure == nil || !values.isEmpty {
          do {
            try body(RemoteRows(columns: reader.columns, values: values))
          } catch  where keepsConnection {
            refusal = error
          }
        }
        isFirst = false
        if let failure { throw failure }
      }
    } catch let failure as DqliteFailure {
      throw failure
    } catch {
      // What is still to come cannot be told from the next answer.
      channel.close()
      throw (error as? DqliteViolation).map { DqliteFaults.violation(by: node, $0) } ?? error
    }
    if let refusal { throw DqliteReadingEnded(reason: refusal) }
  }

  /// Runs a statement that yields no rows.
  ///
  /// - Throws: As ``rows(_:patience:_:)``.
  func execute(_ statement: DqliteStatement, patience: DqlitePatience) async throws -> RemoteChange {
    do {
      channel.send(try DqliteRequest.execute(statement.sql, statement.values).encoded())
      let frames = try await channel.receive(patience)
      switch try frames.count == 1 ? DqliteResponse(frames[0]) : .empty {
      case .result(let change): return change
      case .failure(let failure): throw failure
      default: throw DqliteViolation("a change was asked for, and something else was answered")
      }
    } catch let failure as DqliteFailure {
      throw failure
    } catch {
      channel.close()
      throw (error as? DqliteViolation).map { DqliteFaults.violation(by: node, $0) } ?? error
    }
  }
}

/// The end of a reading by the one who asked for it, after which the connection is as good as before.
struct DqliteReadingEnded: Error {
  var reason: any Error
}

/// What is done while a node does not answer.
struct DqlitePatience: Sendable {
  /// How often it is called.
  static let interval = Duration.seconds(2)

  /// Is called whenever nothing has come for so long; gives up by throwing.
  var check: @Sendable (DqliteNode) async throws -> Void
}

extension DqliteChannel {
  /// Sends requests at once, and waits for all their answers, each of one message.
  ///
  /// - Throws: ``RemoteError``, `CancellationError`; the connection has then ended.
  func ask(_ requests: [DqliteRequest], within limit: Duration) async throws -> [DqliteResponse] {
    do {
      send(try requests.flatMap { try $0.encoded() })
      var answers: [DqliteResponse] = []
      let deadline = ContinuousClock.now + limit
      while answers.count < requests.count {
        guard let frames = try await receive(within: max(.zero, deadline - .now)) else { throw DqliteFaults.silent(node, for: limit) }
        for frame in frames where frame.endsAnswer { answers.append(try DqliteResponse(frame)) }
      }
      return answers
    } catch {
      close()
      throw (error as? DqliteViolation).map { DqliteFaults.violation(by: node, $0) } ?? error
    }
  }

  /// Waits for messages as long as the one who asks has patience.
  fileprivate func receive(_ patience: DqlitePatience) async throws -> [DqliteFrame] {
    while true {
      if let frames = try await receive(within: DqlitePatience.interval) { return frames }
      try await patience.check(node)
    }
  }
}
