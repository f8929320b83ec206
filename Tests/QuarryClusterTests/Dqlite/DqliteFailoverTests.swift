import QuarryCluster
import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization
import TestSupport
import Testing

/// Leaders that are killed, hang and hand over, of three real nodes.
@Suite(.gated, .enabled(if: DqliteNodes.areInstalled, Comment(rawValue: DqliteNodes.missing)))
struct DqliteFailoverTests {
  /// Rows enough that most are still to come when the first are here.
  private static let long = """
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000000) SELECT x, 'a text to make the row longer' FROM n
    """

  /// Runs a test with three nodes, which have a table `t` with one row.
  private func withNodes(
    limits: DqliteLimits = .patient, _ body: (DqliteNodes, DqliteCluster, any RemoteSession) async throws -> Void
  ) async throws {
    let nodes = try DqliteNodes(count: 3)
    defer { nodes.end() }
    let cluster = try DqliteCluster(DqliteAddress(nodes.url()), limits: limits)
    defer { cluster.close() }
    let session = try await cluster.session(for: "test", isReadOnly: false)
    _ = try await session.execute("CREATE TABLE t(a)", [])
    _ = try await session.execute("INSERT INTO t VALUES (1)", [])
    try await body(nodes, cluster, session)
  }

  /// Waits until the cluster's state is such a one.
  private func state(of cluster: DqliteCluster, _ isMeant: (RemoteState) -> Bool) async -> RemoteState? {
    for await state in cluster.states() where isMeant(state) { return state }
    return nil
  }

  @Test("Any node leads to the leader, and the state names it")
  func anyNode() async throws {
    try await withNodes { nodes, _, _ in
      let leader = try nodes.leader()
      for address in nodes.addresses {
        let cluster = try DqliteCluster(DqliteAddress("dqlite://\(address)/test"), limits: .patient)
        defer { cluster.close() }
        let session = try await cluster.session(for: "rows", isReadOnly: true)
        #expect(try await session.rows("SELECT * FROM t") == [["1"]])
        let state = await state(of: cluster) { $0.connection == .connected }
        #expect(state == RemoteState(connection: .connected, leader: nodes.addresses[leader], voters: 3))
      }
    }
  }

  @Test("Between statements: the next one runs on the new leader")
  func killedBetween() async throws {
    try await withNodes { nodes, cluster, session in
      let leader = try nodes.leader()
      nodes.kill(leader)
      let lost = await state(of: cluster) { $0.connection == .searching }
      #expect(lost?.leader == nodes.addresses[leader])
      _ = try await session.execute("INSERT INTO t VALUES (2)", [])
      #expect(try await session.rows("SELECT a FROM t ORDER BY a") == [["1"], ["2"]])
      let state = await state(of: cluster) { $0.connection == .connected }
      #expect(state?.leader == nodes.addresses[try nodes.leader()])
    }
  }

  @Test("While rows come: the reading ends with an error, and can be begun again")
  func killedInStream() async throws {
    try await withNodes { nodes, _, session in
      let leader = try nodes.leader()
      let killing = Mutex(false)
      let error = await #expect(throws: RemoteError.self) {
        try await session.forEachBatch(Self.long, []) { _ in
          if killing.withLock({ isKilled in
            defer { isKilled = true }; return !isKilled
          }) {
            nodes.kill(leader)
          }
        }
      }
      #expect(error?.kind == .unavailable && error?.outcome == .unknown)
      #expect(try await session.rows("SELECT * FROM t") == [["1"]])
    }
  }

  @Test("While rows are passed on: what has come is said not to be all")
  func killedWhilePassing() async throws {
    try await withNodes { nodes, cluster, _ in
      let source = RemoteDataSource(cluster, refusal: nil, watchInterval: nil)
      let leader = try nodes.leader()
      let rows = Mutex(0)
      let error = await #expect(throws: DataSourceError.self) {
        try await source.forEachRow(of: Self.long, []) { _, _ in
          if rows.withLock({
            $0 += 1; return $0 == 1_000
          }) {
            nodes.kill(leader)
          }
        }
      }
      #expect(error?.description.contains("are incomplete") == true, "\(String(describing: error))")
    }
  }

  @Test("In a transaction: it is gone, which the next statement says once")
  func killedInTransaction() async throws {
    try await withNodes { nodes, cluster, session in
      _ = try await session.execute("BEGIN", [])
      _ = try await session.execute("INSERT INTO t VALUES (2)", [])
      nodes.kill(try nodes.leader())
      _ = await state(of: cluster) { $0.connection == .searching }
      #expect(!session.isInsideTransaction)
      let error = await #expect(throws: RemoteError.self) { try await session.execute("INSERT INTO t VALUES (3)", []) }
      #expect(error?.outcome == .didNotRun && error?.message.contains("transaction") == true)
      #expect(try await session.rows("SELECT * FROM t") == [["1"]])
    }
  }

  @Test("A commit of a transaction that went with the leader fails, and is not said to be done")
  func lostCommit() async throws {
    try await withNodes { nodes, cluster, _ in
      let source = RemoteDataSource(cluster, refusal: nil, watchInterval: nil)
      _ = try await source.run("INSERT INTO t VALUES (2)", [:], unkeptRows: nil)
      let changes = source.changes()
      nodes.kill(try nodes.leader())
      // A screen hears of it at once, and not by the next statement.
      for await change in changes { if case .transactionLost = change { break } }
      #expect(await source.transaction() == nil)
      let error = await #expect(throws: (any Error).self) { try await source.endTransaction(isCommitted: true) }
      #expect("\(try #require(error))".contains("transaction"))
    }
  }

  @Test("Handed over: what the old leader refused runs on the new one")
  func handedOver() async throws {
    try await withNodes { nodes, _, session in
      let leader = try nodes.leader()
      try nodes.transferLeadership(to: (leader + 1) % 3)
      _ = try await session.execute("INSERT INTO t VALUES (2)", [])
      try nodes.transferLeadership(to: leader)
      // The old connection may have been to this node: its database is not open there any more.
      #expect(try await session.rows("SELECT a FROM t ORDER BY a") == [["1"], ["2"]])
      // In a transaction, nothing is sent again.
      _ = try await session.execute("BEGIN", [])
      _ = try await session.execute("INSERT INTO t VALUES (3)", [])
      try nodes.transferLeadership(to: (leader + 1) % 3)
      await #expect(throws: RemoteError.self) { try await session.execute("INSERT INTO t VALUES (4)", []) }
      #expect(!session.isInsideTransaction)
      #expect(try await session.rows("SELECT a FROM t ORDER BY a") == [["1"], ["2"]])
    }
  }

  @Test("Hanging: a read ends with an error once another one leads; a write says that its outcome is not known")
  func hung() async throws {
    try await withNodes(limits: .patientWithHangingNodes) { nodes, cluster, session in
      let reader = try await cluster.session(for: "rows", isReadOnly: true)
      let leader = try nodes.leader()
      nodes.hang(leader)
      let reading = Task { try await reader.rows("SELECT * FROM t") }
      let write = await #expect(throws: RemoteError.self) { try await session.execute("INSERT INTO t VALUES (2)", []) }
      #expect(write?.kind == .outcomeUnknown && write?.outcome == .unknown)
      await #expect(throws: RemoteError.self) { try await reading.value }
      #expect(try await reader.rows("SELECT count(*) FROM t WHERE a = 1") == [["1"]])
      nodes.resume(leader)
    }
  }

  @Test("Hanging: a page by key is asked for again at the next leader, and a statement of a person is not")
  func askedAgain() async throws {
    try await withNodes(limits: .patientWithHangingNodes) { nodes, cluster, _ in
      let source = RemoteDataSource(cluster, refusal: "only read", watchInterval: nil)
      let reader = try source.reader(of: RowSet(.table(TableReference(name: "t"))))
      _ = try await reader.page(PageRequest(.first, limit: 5))
      try await source.forEachRow(of: "SELECT a FROM t", []) { _, _ in }
      let leader = try nodes.leader()
      nodes.hang(leader)
      let page = Task { try await reader.page(PageRequest(.first, limit: 5)).rows.count }
      let statement = Task { try await source.forEachRow(of: "SELECT a FROM t", []) { _, _ in } }
      #expect(try await page.value == 1)
      await #expect(throws: DataSourceError.self) { try await statement.value }
      nodes.resume(leader)
    }
  }

  @Test("Without a quorum there is no leader, which is said, and found when one is back")
  func noQuorum() async throws {
    var limits = DqliteLimits.patient
    limits.search = DqliteLimits().search
    try await withNodes(limits: limits) { nodes, cluster, session in
      let leader = try nodes.leader()
      for index in 0..<3 where index != leader { nodes.kill(index) }
      // The leader steps down when it hears of nobody.
      var error: RemoteError?
      while error == nil {
        do { _ = try await session.rows("SELECT 1") } catch let fault as RemoteError { error = fault }
      }
      #expect(error?.message.contains("no leader") == true, "\(String(describing: error))")
      _ = await state(of: cluster) { $0.connection == .unavailable }
      try nodes.restart((leader + 1) % 3)
      _ = await state(of: cluster) { $0.connection == .connected }
      #expect(try await session.rows("SELECT * FROM t") == [["1"]])
    }
  }

  @Test("Hanging alone: the state says that it is lost, and what waits for it ends with an error, until it goes on")
  func hungAlone() async throws {
    let nodes = try DqliteNodes(count: 1)
    defer { nodes.end() }
    var limits = DqliteLimits.patientWithHangingNodes
    limits.silence = .seconds(3)
    let cluster = try DqliteCluster(DqliteAddress(nodes.url()), limits: limits)
    defer { cluster.close() }
    let session = try await cluster.session(for: "test", isReadOnly: false)
    _ = try await session.execute("CREATE TABLE t(a)", [])
    let reader = try await cluster.session(for: "rows", isReadOnly: true)
    nodes.hang(0)
    let write = Task { try await session.execute("INSERT INTO t VALUES (1)", []) }
    let reading = Task { try await reader.rows("SELECT * FROM t") }
    let lost = await state(of: cluster) { $0.connection == .searching }
    #expect(lost?.leader == nodes.addresses[0])
    let error = await #expect(throws: RemoteError.self) { try await reading.value }
    #expect(error?.kind == .unavailable && error?.message.contains("hangs") == true, "\(String(describing: error))")
    let unknown = await #expect(throws: RemoteError.self) { try await write.value }
    #expect(unknown?.kind == .outcomeUnknown, "\(String(describing: unknown))")
    nodes.resume(0)
    _ = await state(of: cluster) { $0.connection == .connected }
    #expect(try await reader.rows("SELECT count(*) <= 1 FROM t") == [["1"]])
  }

  @Test("A cluster none of whose nodes runs says so at once")
  func nothingRuns() async throws {
    let nodes = try DqliteNodes(count: 1)
    let cluster = try DqliteCluster(DqliteAddress(nodes.url()))
    nodes.end()
    let error = await #expect(throws: RemoteError.self) { try await cluster.session(for: "rows", isReadOnly: true) }
    #expect(error?.kind == .unavailable && error?.message.contains("refuses connections") == true)
  }
}
