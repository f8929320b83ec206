import Dispatch
import QuarryCluster
import QuarryEngine
import Synchronization
import TestSupport
import Testing

/// Connections to servers on this machine that answer, refuse, hang and break off.
@Suite(.gated) struct DqliteChannelTests {
  private static func node(_ server: ScriptedServer) throws -> DqliteNode { try #require(DqliteNode(server.address)) }

  private static func answer(_ text: String) -> [UInt8] {
    DqliteBytes.message(1, DqliteBytes.word(1) + DqliteBytes.text(text))
  }

  private static let answering: @Sendable (ScriptedServer.Connection) -> Void = { connection in
    connection.greet()
    while connection.next() != nil { connection.send(answer("10.0.0.1:9001")) }
  }

  /// Runs a test with a connection to a server that plays a script.
  private func withChannel(
    _ play: @escaping @Sendable (ScriptedServer.Connection) -> Void, _ body: (DqliteChannel) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(play)
    defer { server.end() }
    let channel = try await DqliteChannel.connect(to: Self.node(server), tls: nil, within: Waiting.limit)
    defer { channel.close() }
    try await body(channel)
  }

  /// Returns the error of connecting, with how long that took.
  private func refusal(_ node: DqliteNode, within limit: Duration = Waiting.limit) async throws -> RemoteError {
    try await #require(throws: RemoteError.self) { try await DqliteChannel.connect(to: node, tls: nil, within: limit) }
  }

  @Test("Requests that are sent at once are answered in their order")
  func order() async throws {
    try await withChannel { connection in
      connection.greet()
      for number in 1...100 where connection.next() != nil { connection.send(Self.answer("\(number)")) }
      connection.waitForEnd()
    } _: { channel in
      let answers = try (1...100).map { _ in try channel.send([.leader]) }
      for (index, answer) in answers.enumerated() {
        let frames = try #require(try await channel.receive(answer, within: Waiting.limit))
        guard case .server(let address) = try DqliteResponse(frames[0]) else { throw CancellationError() }
        #expect(address == "\(index + 1)")
      }
    }
  }

  @Test("A name with several addresses is connected to by the one that answers")
  func severalAddresses() async throws {
    let server = try ScriptedServer(Self.answering)
    defer { server.end() }
    // Where ::1 is an address of localhost as well, it refuses: the server listens on 127.0.0.1 only.
    let node = DqliteNode.host("localhost", port: Int(server.address.split(separator: ":")[1]) ?? 0)
    let channel = try await DqliteChannel.connect(to: node, tls: nil, within: Waiting.limit)
    defer { channel.close() }
    #expect(try await channel.ask([.leader], within: Waiting.limit).count == 1)
  }

  @Test("A port without a server, a name without an address, and an address that cannot be reached")
  func refusals() async throws {
    let refused = try await refusal(.host("127.0.0.1", port: FreePort.take()))
    #expect(refused.kind == .unavailable && refused.message.contains("refuses connections"), "\(refused)")
    let unknown = try await refusal(.host("no-such-host.invalid", port: 9001))
    #expect(unknown.kind == .unavailable && unknown.message.contains("is unknown"), "\(unknown)")
    // An address of a network that documents alone use: the system knows no way there, or nobody answers.
    let unreachable = try await refusal(.host("2001:db8::1", port: 9001), within: .milliseconds(300))
    let parts = ["cannot be reached", "did not answer within"]
    #expect(unreachable.kind == .unavailable && parts.contains { unreachable.message.contains($0) }, "\(unreachable)")
    #if os(Linux)
      let abstract = try await refusal(.abstract("quarry-no-such-socket"))
      #expect(abstract.message.contains("refuses connections"), "\(abstract)")
    #endif
  }

  @Test("A host that does not accept the connection is waited for no longer than the limit")
  func hangingHost() async throws {
    let hanging = try FullQueue()
    defer { hanging.end() }
    let start = ContinuousClock.now
    let error = try await refusal(.host("127.0.0.1", port: hanging.port), within: .milliseconds(300))
    #expect(error.message.contains("did not answer within 0 s"), "\(error)")
    #expect(.now - start >= .milliseconds(300))
  }

  @Test("Connecting is given up when its task is cancelled")
  func cancelledConnecting() async throws {
    let hanging = try FullQueue()
    defer { hanging.end() }
    let task = Task { try await DqliteChannel.connect(to: .host("127.0.0.1", port: hanging.port), tls: nil, within: Waiting.limit) }
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The system itself gives up after 127 s.
    #expect(.now - start < .seconds(100))
  }

  @Test("Waiting is given up when its task is cancelled, with the connection or with the answer alone", arguments: [false, true])
  func cancelledWaiting(_ isDropped: Bool) async throws {
    let request = DispatchSemaphore(value: 0)
    let answer = DispatchSemaphore(value: 0)
    try await withChannel { connection in
      connection.greet()
      guard connection.next() != nil else { return }
      request.signal()
      answer.wait()
      connection.send(Self.answer("late"))
      while connection.next() != nil { connection.send(Self.answer("next")) }
    } _: { channel in
      let number = try channel.send([.leader])
      let drain = DrainLimit(time: Waiting.limit, bytes: 1 << 10)
      let task = Task { try await channel.receive(number, within: Waiting.limit, isDropped ? drain : nil) }
      request.wait()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      answer.signal()
      #expect(await channel.settle() == isDropped)
      if isDropped { #expect(try await channel.ask([.leader], within: Waiting.limit).count == 1) }
    }
  }

  @Test("A large message to a server that does not read is given up when its task is cancelled")
  func cancelledSending() async throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    try await withChannel { connection in
      connection.greet()
      end.wait()
    } _: { channel in
      let large = try channel.send([.query("SELECT ?", [.blob([UInt8](repeating: 7, count: 64 << 20))])])
      #expect(try await channel.receive(large, within: .milliseconds(50)) == nil)
      let task = Task { try await channel.receive(large, within: Waiting.limit) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await channel.settle() == false)
    }
  }

  @Test("A large message arrives whole, and so does a large answer")
  func largeMessages() async throws {
    let size = 4 << 20
    try await withChannel { connection in
      connection.greet()
      guard let request = connection.next() else { return }
      let sum = request.body.reduce(0) { $0 &+ UInt64($1) }
      connection.send(DqliteBytes.message(1, DqliteBytes.word(sum) + [UInt8](repeating: 65, count: size) + DqliteBytes.word(0)))
      connection.waitForEnd()
    } _: { channel in
      let blob = [UInt8](repeating: 7, count: size)
      let request = try DqliteRequest.query("", [.blob(blob)]).encoded()
      let answer = try channel.send([.query("", [.blob(blob)])])
      let frames = try #require(try await channel.receive(answer, within: Waiting.limit))
      var reader = DqliteReader(frames[0].body)
      #expect(try reader.word() == request.dropFirst(8).reduce(0) { $0 &+ UInt64($1) })
      #expect(frames[0].body.count == size + 16 && frames[0].body[8..<size + 8].allSatisfy { $0 == 65 })
    }
  }

  @Test("Nothing within the limit is no error, and the answer may come later")
  func silence() async throws {
    let mayAnswer = DispatchSemaphore(value: 0)
    try await withChannel { connection in
      connection.greet()
      _ = connection.next()
      mayAnswer.wait()
      connection.send(Self.answer("late"))
      connection.waitForEnd()
    } _: { channel in
      let number = try channel.send([.leader])
      #expect(try await channel.receive(number, within: .zero) == nil)
      #expect(try await channel.receive(number, within: .milliseconds(20)) == nil)
      mayAnswer.signal()
      #expect(try await channel.receive(number, within: Waiting.limit)?.count == 1)
    }
  }

  @Test("A server that closes within a message or before it, and one whose message is too large")
  func brokenAnswers() async throws {
    let cases: [(bytes: [UInt8], kind: RemoteError.Kind, part: String)] = [
      (Array(Self.answer("10.0.0.1:9001").prefix(20)), .unavailable, "was lost"), ([], .refused, "without an answer"),
      ([255, 255, 255, 255, 1, 0, 0, 0], .protocolViolation, "more than an SQLite row can have"),
    ]
    for (bytes, kind, part) in cases {
      try await withChannel { connection in
        connection.greet()
        if connection.next() != nil { connection.send(bytes) }
      } _: { channel in
        let number = try channel.send([.leader])
        let error = try await #require(throws: RemoteError.self) { try await channel.receive(number, within: Waiting.limit) }
        #expect(error.kind == kind && error.message.contains(part), "\(error)")
      }
    }
  }

  @Test("A message that nobody asked for ends the connection, after the answer before it was given")
  func unasked() async throws {
    try await withChannel { connection in
      connection.greet()
      if connection.next() != nil { connection.send(Self.answer("a") + Self.answer("b")) }
      connection.waitForEnd()
    } _: { channel in
      let number = try channel.send([.leader])
      #expect(try await channel.receive(number, within: Waiting.limit)?.count == 1)
      #expect(await channel.settle() == false)
      let next = try channel.send([.leader])
      let error = try await #require(throws: RemoteError.self) { try await channel.receive(next, within: Waiting.limit) }
      #expect(error.kind == .protocolViolation && error.message.contains("it sent an unexpected message"), "\(error)")
    }
  }

  @Test("The end of a connection is noticed though nobody waits")
  func idleEnd() async throws {
    let mayEnd = DispatchSemaphore(value: 0)
    try await withChannel { connection in
      connection.greet()
      mayEnd.wait()
    } _: { channel in
      let wasAbandoned = await withCheckedContinuation { continuation in
        channel.onEnd { continuation.resume(returning: $0) }
        mayEnd.signal()
      }
      #expect(!wasAbandoned)
    }
  }

  @Test("An answer that comes while its task is cancelled leaves nobody waiting")
  func cancelledAtTheAnswer() async throws {
    let server = try ScriptedServer { Self.answering($0) }
    defer { server.end() }
    for round in 0..<500 {
      let channel = try await DqliteChannel.connect(to: Self.node(server), tls: nil, within: Waiting.limit)
      let task = Task { try await channel.ask([.leader], within: Waiting.limit) }
      for _ in 0..<round % 50 { await Task.yield() }
      task.cancel()
      _ = try? await task.value
      channel.close()
    }
  }

  @Test("Every connection that is closed ends for its server, also one that was never closed by name")
  func manyConnections() async throws {
    let ended = Mutex(0)
    let server = try ScriptedServer { connection in
      Self.answering(connection)
      ended.withLock { $0 += 1 }
    }
    defer { server.end() }
    for index in 0..<300 {
      let channel = try await DqliteChannel.connect(to: Self.node(server), tls: nil, within: Waiting.limit)
      if index % 2 == 0 { _ = try await channel.ask([.leader], within: Waiting.limit) }
      if index % 3 == 0 { channel.close() }
    }
    try Waiting.wait(for: "all connections to end") { ended.withLock { $0 } == 300 }
  }
}
