internal import Synchronization

/// A database in a cluster of dqlite: SQLite, replicated by Raft.
///
/// ```swift
/// let cluster = try DqliteCluster(DqliteAddress("dqlite://10.0.0.1:9001/demo"))
/// let session = try await cluster.session(for: "rows", isReadOnly: true)
/// try await session.forEachBatch("SELECT name FROM sqlite_schema", []) { rows in … }
/// ```
///
/// The leader is found, checked and followed; connections to it are made anew where one is lost. A statement is sent again only where it surely
/// did not run.
public final class DqliteCluster: RemoteDatabase {
  let limits: DqliteLimits
  /// How much of an answer is dropped that nobody wants any more, outside of a transaction.
  let drain: DrainLimit

  /// The address that it was opened by.
  public let address: DqliteAddress
  private let tls: DqliteTLS?
  private let search: DqliteSearch
  private let known: Mutex<Known>
  private let status = ClusterStatus()

  private struct Known {
    /// The nodes that the address or its server list names.
    var given: [DqliteNode]
    /// The nodes that the cluster listed last.
    var listed: [DqliteNode] = []
    var leader: DqliteNode?
    /// The number of voters when the last connection was made; nil before the first.
    var voters: Int?
    /// Whether a new leader is looked for though nobody has asked for one yet.
    var isFollowing = false
    var version: DqliteVersion?
    var sessions: [ObjectIdentifier: WeakSession] = [:]
    var isClosed = false

    var all: [DqliteNode] { given + listed.filter { !given.contains($0) } }
  }

  private struct WeakSession {
    weak var session: DqliteSession?
  }

  /// Reads the files that an address names; nothing is connected to yet.
  ///
  /// - Throws: ``DqliteAddressError``
  public convenience init(_ address: DqliteAddress) throws(DqliteAddressError) {
    try self.init(address, limits: DqliteLimits())
  }

  package convenience init(_ address: DqliteAddress, limits: DqliteLimits) throws(DqliteAddressError) {
    try self.init(address, limits: limits, drain: .short)
  }

  package init(_ address: DqliteAddress, limits: DqliteLimits, drain: DrainLimit) throws(DqliteAddressError) {
    (self.address, self.limits, self.drain) = (address, limits, drain)
    tls = try DqliteTLS(address)
    search = DqliteSearch(tls: tls, limits: limits)
    let listed = try address.serverList.map { path throws(DqliteAddressError) in try DqliteServerList.nodes(path: path) } ?? []
    known = Mutex(Known(given: address.nodes + listed.filter { !address.nodes.contains($0) }))
  }

  public var name: String { address.description }

  /// What its wire can carry; before the first connection, what all versions can.
  public var capabilities: RemoteCapabilities { known.withLock { $0.version ?? .old }.capabilities }

  public func session(for purpose: String, isReadOnly: Bool) async throws -> any RemoteSession {
    let session = DqliteSession(cluster: self, isReadOnly: isReadOnly)
    try await session.connect()
    let isClosed = known.withLock { known in
      known.sessions = known.sessions.filter { $0.value.session != nil }
      known.sessions[ObjectIdentifier(session)] = WeakSession(session: session)
      return known.isClosed
    }
    if isClosed { session.close() }
    return session
  }

  public func states() -> AsyncStream<RemoteState> { status.states() }

  public func close() {
    let sessions = known.withLock { known in
      known.isClosed = true
      return known.sessions.values.compactMap(\.session)
    }
    for session in sessions { session.close() }
    status.close()
  }
}

// MARK: The leader

extension DqliteCluster {
  /// Opens a connection to the leader, which is looked for where the one that was known does not lead any more.
  ///
  /// - Throws: ``RemoteError``, `CancellationError`
  func connect(isReadOnly: Bool) async throws -> DqliteConnection {
    let deadline = ContinuousClock.now + limits.search
    var pause = DqlitePause()
    while true {
      guard !known.withLock({ $0.isClosed }) else { throw DqliteFaults.closed }
      let fault: RemoteError
      switch try await candidates() {
      case .success(let nodes):
        switch try await open(nodes, isReadOnly: isReadOnly) {
        case .success(let connection): return connection
        case .failure(let error): fault = error
        }
      case .failure(let error): fault = error
      }
      known.withLock { $0.leader = nil }
      if fault.kind == .refused || fault.kind == .protocolViolation || isFirst(fault) || .now + pause.next >= deadline {
        status.show(.unavailable)
        follow()
        throw fault.kind == .notLeader ? DqliteFaults.unavailable(fault.message) : fault
      }
      status.show(.searching)
      try await pause.wait()
    }
  }

  /// Whether enough of the voters answer for one of them to lead.
  private func hasQuorum(_ faults: [DqliteNode: RemoteError?]) -> Bool {
    let voters = known.withLock { $0.voters } ?? faults.count
    return 2 * faults.values.count { $0 == nil } > voters
  }

  /// Whether no node answers a program that has not been connected yet: the address is wrong more likely than all are just being started.
  private func isFirst(_ fault: RemoteError) -> Bool {
    fault.kind == .unavailable && known.withLock { $0.voters == nil }
  }

  /// Returns the nodes that may lead: the one that led when it was last asked, or those that a search finds.
  private func candidates() async throws -> Result<[DqliteNode], RemoteError> {
    if let leader = known.withLock({ $0.leader }) { return .success([leader]) }
    switch try await search.ask(known.withLock { $0.all }) {
    case .leader(let node): return .success([node])
    case .perhaps(let nodes): return .success(nodes)
    case .none(let faults):
      var fault = DqliteFaults.noLeader(faults)
      // Nodes that answer and know no leader are about to choose one.
      if faults.values.contains(where: { $0 == nil }) { fault.kind = .notLeader }
      if !hasQuorum(faults) { status.show(.unavailable) }
      return .failure(fault)
    }
  }

  private func open(_ nodes: [DqliteNode], isReadOnly: Bool) async throws -> Result<DqliteConnection, RemoteError> {
    var fault = DqliteFaults.unavailable("No node of the cluster answers.")
    for node in nodes {
      do {
        let connection = try await DqliteConnection(
          to: node, tls: tls, database: address.database, isReadOnly: isReadOnly, limits: limits)
        note(connection)
        return .success(connection)
      } catch let error as RemoteError {
        fault = error
      }
    }
    return .failure(fault)
  }

  private func note(_ connection: DqliteConnection) {
    known.withLock { known in
      known.leader = connection.node
      known.voters = connection.servers.count { $0.isVoter }
      known.version = connection.version
      known.listed = connection.servers.compactMap { DqliteNode($0.address, defaultPort: DqliteNode.defaultPort) }
    }
    status.show(
      RemoteState(
        connection: .connected, leader: connection.node.description, voters: connection.servers.count { $0.isVoter }))
  }

  /// Notes that a node does not lead any more, or that a connection to it was lost.
  func lose(_ node: DqliteNode) {
    let isLeader = known.withLock { known in
      guard known.leader == node else { return false }
      known.leader = nil
      return !known.isClosed
    }
    guard isLeader else { return }
    status.show(.searching)
    follow()
  }

  /// Looks for the leader in the background, so that the state is right before somebody asks; once there was one.
  private func follow() {
    let isFirst = known.withLock { known in
      defer { known.isFollowing = known.isFollowing || known.voters != nil }
      return !known.isFollowing && known.voters != nil
    }
    guard isFirst else { return }
    Task { [weak self, limits] in
      var pause = DqlitePause(atMost: .seconds(5))
      let deadline = ContinuousClock.now + limits.staleness
      while await self?.isToBeFollowed(patience: deadline - .now) == true {
        do { try await pause.wait() } catch { break }
      }
    }
  }

  /// Asks all nodes once, and returns whether they are to be asked again.
  private func isToBeFollowed(patience: Duration) async -> Bool {
    let nodes = known.withLock { $0.all }
    guard !known.withLock({ $0.isClosed || $0.leader != nil }) else { return stopFollowing() }
    let finding = try? await search.ask(nodes)
    guard case .leader(let leader)? = finding else {
      let isHopeless = if case .none(let faults)? = finding { !hasQuorum(faults) } else { false }
      if isHopeless || patience <= .zero { status.show(.unavailable) }
      return true
    }
    let voters = known.withLock { known in
      if known.leader == nil { known.leader = leader }
      return known.leader == leader ? known.voters : nil
    }
    if let voters { status.show(RemoteState(connection: .connected, leader: leader.description, voters: voters)) }
    return stopFollowing()
  }

  private func stopFollowing() -> Bool {
    known.withLock { $0.isFollowing = false }
    return false
  }

  /// Looks whether a node that does not answer still leads, and gives it up where another one leads by now, or where it is silent for long.
  ///
  /// A node that hangs cannot be told from one that is busy with a statement; but the others choose a new leader while it hangs.
  ///
  /// - Parameter silence: How long there was no sign of it.
  /// - Returns: Whether it answers other questions.
  /// - Throws: ``RemoteError``, `CancellationError`
  func checkLeader(_ node: DqliteNode, silentFor silence: Duration) async throws -> Bool {
    switch try await search.ask(known.withLock { $0.all }) {
    case .leader(let leader) where leader != node:
      lose(node)
      throw RemoteError(kind: .unavailable, code: nil, message: "\(node) does not answer any more; \(leader) leads now.", outcome: .unknown)
    case .leader: return isHeard(node)
    case .perhaps(let nodes) where nodes.contains(node): return isHeard(node)
    case .perhaps, .none: break
    }
    if known.withLock({ $0.leader == node }) { status.show(.searching) }
    if silence >= limits.staleness { status.show(.unavailable) }
    guard silence >= limits.silence else { return false }
    lose(node)
    throw DqliteFaults.hung(node, for: silence)
  }

  /// Takes back that a node was told to be lost.
  private func isHeard(_ node: DqliteNode) -> Bool {
    if known.withLock({ $0.leader == node }) { status.show(.connected) }
    return true
  }
}

/// The pause between two tries, which is longer each time.
struct DqlitePause {
  private(set) var next = Duration.milliseconds(50)
  private let greatest: Duration

  init(atMost greatest: Duration = .seconds(1)) {
    self.greatest = greatest
  }

  /// - Throws: `CancellationError`
  mutating func wait() async throws {
    try await Task.sleep(for: next)
    next = min(next * 2, greatest)
  }
}

extension DqliteFaults {
  static let closed = unavailable("The connection to the cluster was closed.")
  static let transactionLost = unavailable(
    "The connection to the leader was lost, and with it the transaction: nothing of it was stored. Begin it anew.")
}
