import QuarryCluster
import Synchronization
import TestSupport
import Testing

/// What real nodes do seldom, and what answers where no node does.
@Suite(.gated) struct DqliteScriptedTests {
  /// Answers what a client asks of a leader when it connects; a statement of its own is answered by the script.
  private static func leader(
    named address: @escaping @Sendable () -> String, _ script: @escaping @Sendable (ScriptedServer.Connection) -> Void
  ) throws -> ScriptedServer {
    try ScriptedServer(play(named: address, script))
  }

  private static func play(
    named address: @escaping @Sendable () -> String, _ script: @escaping @Sendable (ScriptedServer.Connection) -> Void,
    whenOpened: @escaping @Sendable () -> Void = {}
  ) -> @Sendable (ScriptedServer.Connection) -> Void {
    { connection in
      connection.greet()
      while let request = connection.next() {
        switch request.type {
        case 0: connection.send(DqliteBytes.message(1, DqliteBytes.word(1) + DqliteBytes.text(address())))
        case 3:
          whenOpened()
          connection.send(DqliteBytes.message(4, DqliteBytes.word(0)))
        case 4: connection.send(DqliteBytes.message(5, DqliteBytes.word(0) + DqliteBytes.word(0)))
        case 16:
          connection.send(
            DqliteBytes.message(3, DqliteBytes.word(1) + DqliteBytes.word(1) + DqliteBytes.text(address()) + DqliteBytes.word(0)))
        case 9 where String(decoding: request.body, as: UTF8.self).contains("mine"):
          script(connection)
        case 9: connection.send(rows([[1]]))
        default: connection.send(DqliteBytes.message(6, DqliteBytes.word(0) + DqliteBytes.word(0)))
        }
      }
    }
  }

  /// Returns an answer with one column of integers.
  private static func rows(_ rows: [[UInt64]], end: UInt64 = .max) -> [UInt8] {
    let head = DqliteBytes.word(1) + DqliteBytes.text("a")
    return DqliteBytes.message(7, head + rows.flatMap { DqliteBytes.word(1) + DqliteBytes.word($0[0]) } + DqliteBytes.word(end))
  }

  /// Returns how a statement ends that is answered by a script.
  private func ending(
    _ script: @escaping @Sendable (ScriptedServer.Connection) -> Void
  ) async throws -> (rows: [[String]], error: RemoteError?) {
    let place = Place()
    let server = try Self.leader(named: { place.address }, script)
    defer { server.end() }
    place.address = server.address
    let cluster = try DqliteCluster(DqliteAddress("dqlite://\(server.address)/test"), limits: .patient)
    defer { cluster.close() }
    let session = try await cluster.session(for: "rows", isReadOnly: true)
    do {
      return (try await session.rows("SELECT mine"), nil)
    } catch let error as RemoteError {
      // The session is as good as new.
      #expect(try await session.rows("SELECT 1") == [["1"]])
      return ([], error)
    }
  }

  private static let part = UInt64(0xEEEE_EEEE_EEEE_EEEE)

  @Test("Rows in several messages")
  func parts() async throws {
    let ending = try await ending { connection in
      connection.send(Self.rows([[1], [2]], end: Self.part))
      connection.send(Self.rows([[3]]))
    }
    #expect(ending.rows == [["1"], ["2"], ["3"]])
  }

  @Test("A part without rows, which a node would send without end")
  func emptyPart() async throws {
    let ending = try await ending { connection in
      for _ in 0..<1000 { connection.send(Self.rows([], end: Self.part)) }
    }
    #expect(ending.error?.kind == .refused)
    #expect(ending.error?.message.contains("column names") == true)
  }

  @Test("A failure after rows")
  func failureAfterRows() async throws {
    let ending = try await ending { connection in
      connection.send(Self.rows([[1]], end: Self.part))
      let head = DqliteBytes.word(1) + DqliteBytes.text("a") + DqliteBytes.word(1) + DqliteBytes.word(7)
      connection.send(DqliteBytes.message(0, head + DqliteBytes.word(1) + DqliteBytes.text("integer overflow")))
    }
    #expect(ending.error?.kind == .sql && ending.error?.code == 1 && ending.error?.message == "integer overflow")
  }

  @Test("A connection that ends within a row, garbage, and an answer to something else")
  func broken() async throws {
    let cut = try await ending {
      $0.send(Array(Self.rows([[1], [2]]).prefix(40))); $0.end()
    }
    #expect(cut.error?.kind == .unavailable && cut.error?.outcome == .unknown)
    let garbage = try await ending { $0.send([UInt8](repeating: 0xAA, count: 64)) }
    #expect(garbage.error?.kind == .protocolViolation)
    let other = try await ending { $0.send(DqliteBytes.message(6, DqliteBytes.word(0) + DqliteBytes.word(0))) }
    #expect(other.error?.kind == .protocolViolation)
    let type = try await ending { $0.send(DqliteBytes.message(7, DqliteBytes.word(1) + DqliteBytes.text("a") + DqliteBytes.word(6))) }
    #expect(type.error?.kind == .protocolViolation)
    let size = try await ending { $0.send([255, 255, 255, 255, 7, 0, 0, 0]) }
    #expect(size.error?.kind == .protocolViolation)
  }

  @Test("A statement that surely did not run is sent again, once and to the leader")
  func sentAgain() async throws {
    let ending = try await ending { connection in
      connection.send(DqliteBytes.message(0, DqliteBytes.word(10250) + DqliteBytes.text("not leader")))
    }
    #expect(ending.error?.kind == .notLeader && ending.error?.outcome == .didNotRun)
  }

  /// Runs a test with a session that reads, and returns how many connections it has opened a database on.
  ///
  /// - Parameter drain: How much of an answer is dropped that nobody wants any more.
  private func withSession(
    drain: DrainLimit = .short, _ script: @escaping @Sendable (ScriptedServer.Connection) -> Void,
    _ body: (any RemoteSession) async throws -> Void
  ) async throws -> Int {
    let (place, opened) = (Place(), Opened())
    let play = Self.play(named: { place.address }, script) { opened.count.add(1, ordering: .relaxed) }
    let server = try ScriptedServer(play)
    defer { server.end() }
    place.address = server.address
    let cluster = try DqliteCluster(DqliteAddress("dqlite://\(server.address)/test"), limits: .patient, drain: drain)
    defer { cluster.close() }
    try await body(cluster.session(for: "rows", isReadOnly: true))
    return opened.count.load(ordering: .relaxed)
  }

  @Test("What is read at once takes one round trip, and each reader gets the rows of its own")
  func oneRoundTrip() async throws {
    let connections = try await withSession { connection in
      // Nothing is answered before all three have come; the first is one of those that the others are not.
      let others = (0..<2).map { _ in connection.next().map { String(decoding: $0.body, as: UTF8.self) } ?? "" }
      let later = others.compactMap { text in (1...3).first { text.contains("mine, \($0)") } }
      guard later.count == 2, let first = (1...3).first(where: { !later.contains($0) }) else { return connection.end() }
      for number in [first] + later { connection.send(Self.rows([[UInt64(number)]])) }
    } _: { session in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...3 {
          group.addTask {
            let rows = try await session.rows("SELECT mine, \(number)")
            #expect(rows == [["\(number)"]])
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(connections == 1)
  }

  @Test("A reading that is ended keeps its connection where not much is left of it")
  func endedReading() async throws {
    struct Enough: Error {}
    // A busy machine may take longer for that than a new connection would.
    let patient = DrainLimit(time: Waiting.limit, bytes: DrainLimit.short.bytes)
    let connections = try await withSession(drain: patient) { connection in
      connection.send(Self.rows([[1]], end: Self.part))
      for _ in 0..<100 { connection.send(Self.rows([[2]], end: Self.part)) }
      connection.send(Self.rows([[3]]))
    } _: { session in
      await #expect(throws: Enough.self) { try await session.forEachBatch("SELECT mine", []) { _ in throw Enough() } }
      let rows = try await session.rows("SELECT 1")
      #expect(rows == [["1"]])
    }
    #expect(connections == 1)
  }

  @Test("Readings behind one that was given up, and that does not end, run on another connection")
  func endlessReading() async throws {
    struct Enough: Error {}
    let connections = try await withSession { connection in
      connection.send(Self.rows([[1]], end: Self.part))
      connection.waitForEnd()
    } _: { session in
      await #expect(throws: Enough.self) { try await session.forEachBatch("SELECT mine", []) { _ in throw Enough() } }
      async let other = session.rows("SELECT 1")
      let (first, second) = (try await session.rows("SELECT 1"), try await other)
      #expect(first == [["1"]] && second == [["1"]])
      let change = try await session.execute("PRAGMA foreign_keys = 1", [])
      #expect(change.rows == 0)
    }
    #expect(connections == 2)
  }

  @Test("Rows tell the connections over which they came from each other")
  func connectionNumbers() async throws {
    _ = try await withSession { connection in
      connection.send(Self.rows([[1]]))
      connection.end()
    } _: { session in
      let numbers = Mutex<[Int]>([])
      for _ in 0..<2 {
        try await session.forEachBatch("SELECT 1", []) { rows in numbers.withLock { $0.append(rows.connection) } }
        _ = try await session.rows("SELECT mine")
        // The end of the connection may come as the error of the statement that meets it.
        while (try? await session.rows("SELECT 1")) == nil {}
      }
      #expect(Set(numbers.withLock { $0 }).count == 2)
    }
  }

  @Test("Of two that are named as leaders, the one that names itself is taken")
  func twoLeaders() async throws {
    let (new, old) = (Place(), Place())
    let leading = try Self.leader(named: { new.address }) { $0.send(Self.rows([[42]])) }
    let following = try Self.leader(named: { new.address }) { _ in }
    // It still believes in one that follows by now.
    let stale = try Self.leader(named: { old.address }) { _ in }
    defer { for server in [leading, following, stale] { server.end() } }
    (new.address, old.address) = (leading.address, following.address)
    let cluster = try DqliteCluster(DqliteAddress("dqlite://\(stale.address),\(following.address)/test"), limits: .patient)
    defer { cluster.close() }
    #expect(try await cluster.session(for: "rows", isReadOnly: true).rows("SELECT mine") == [["42"]])
  }

  @Test("A leader that is known by an address that cannot be reached from here, as behind a tunnel")
  func tunnel() async throws {
    let server = try Self.leader(named: { "127.0.0.1:1" }) { $0.send(Self.rows([[42]])) }
    defer { server.end() }
    let cluster = try DqliteCluster(DqliteAddress("dqlite://\(server.address)/test"), limits: .patient)
    defer { cluster.close() }
    #expect(try await cluster.session(for: "rows", isReadOnly: true).rows("SELECT mine") == [["42"]])
  }

  #if os(Linux)
    @Test("A node on an abstract socket of this machine")
    func abstractSocket() async throws {
      let name = "quarry-test-\(UInt64.random(in: 0...UInt64.max))"
      let server = try ScriptedServer(abstract: name, Self.play(named: { "@\(name)" }) { $0.send(Self.rows([[42]])) })
      defer { server.end() }
      let cluster = try DqliteCluster(DqliteAddress("dqlite://@\(name)/test"), limits: .patient)
      defer { cluster.close() }
      #expect(try await cluster.session(for: "rows", isReadOnly: true).rows("SELECT mine") == [["42"]])
    }
  #endif

  /// Returns the error of connecting to something else than a node.
  private func refusal(_ play: @escaping @Sendable (ScriptedServer.Connection) -> Void) async throws -> RemoteError? {
    let server = try ScriptedServer(play)
    defer { server.end() }
    let cluster = try DqliteCluster(DqliteAddress("dqlite://\(server.address)/test"))
    defer { cluster.close() }
    return await #expect(throws: RemoteError.self) { try await cluster.session(for: "rows", isReadOnly: true) }
  }

  @Test("What is no node is told from one, with the way out")
  func strangers() async throws {
    let web = try await refusal { connection in
      connection.send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
      connection.waitForEnd()
    }
    #expect(web?.message.contains("web server") == true, "\(String(describing: web))")
    let tls = try await refusal { connection in
      connection.greet()
      _ = connection.next()
      connection.send([0x15, 3, 1, 0, 2, 2, 70])
    }
    #expect(tls?.message.contains("requires TLS") == true, "\(String(describing: tls))")
    let ssh = try await refusal { connection in
      connection.send(Array("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n".utf8))
      connection.waitForEnd()
    }
    #expect(ssh?.message.contains("ssh") == true)
    let closed = try await refusal { $0.end() }
    #expect(closed?.message.contains("cert=") == true, "\(String(describing: closed))")
    let silent = try await refusal { $0.waitForEnd() }
    #expect(silent?.message.contains("does not answer") == true, "\(String(describing: silent))")
  }
}

/// How many connections have opened a database.
private final class Opened: Sendable {
  let count = Atomic(0)
}

/// An address that is known only once its server listens.
private final class Place: @unchecked Sendable {
  // Sendable because it is set before a client connects.
  var address = ""
}
