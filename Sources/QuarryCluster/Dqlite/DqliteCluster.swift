internal import QuarryEngine
internal import Synchronization

/// A database in a dqlite cluster: SQLite, replicated by Raft.
///
/// ```swift
/// let cluster = try DqliteCluster(DqliteAddress("dqlite://10.0.0.1:9001/demo"))
/// let session = try await cluster.session(for: "rows", isReadOnly: true)
/// try await session.forEachBatch("SELECT name FROM sqlite_schema", []) { rows in … }
/// ```
///
/// The cluster finds, checks and follows the leader, and reopens lost connections. A statement is sent again only if it certainly did not
/// run.
public final class DqliteCluster: RemoteDatabase {
  let limits: DqliteLimits
  /// The limits for discarding an abandoned answer outside a transaction.
  let drain: DrainLimit

  /// The address of the cluster as given.
  public let address: DqliteAddress
  private let tls: DqliteTLS?
  private let search: DqliteSearch
  private let known: Mutex<Known>
  private let status = ClusterStatus()

  private struct Known {
    /// The nodes in the address or its server list.
    var given: [DqliteNode]
    /// The nodes that the cluster has listed last.
    var listed: [DqliteNode] = []
    var leader: DqliteNode?
    /// The number of voters at the last connection, or nil before the first.
    var voters: Int?
    /// Whether a background search for a new leader is running.
    var isFollowing = false
    var version: DqliteVersion?
    var sessions: [ObjectIdentifier: WeakSession] = [:]
    var isClosed = false

    var all: [DqliteNode] { given + listed.filter { !given.contains($0) } }
  }

  private struct WeakSession {
    weak var session: DqliteSession?
  }

  /// Reads the files that an address names.
  ///
  /// Does not connect yet.
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

  /// The capabilities of the protocol.
  ///
  /// Before the first connection, the capabilities common to all versions.
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
  /// Opens a connection to the leader.
  ///
  /// Searches for a new leader if the known one no longer leads.
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

  /// Returns whether enough voters answer to elect a leader.
  private func hasQuorum(_ faults: [DqliteNode: RemoteError?]) -> Bool {
    let voters = known.withLock { $0.voters } ?? faults.count
    return 2 * faults.values.count { $0 == nil } > voters
  }

  /// Returns whether no node answers before the first connection.
  ///
  /// A wrong address is then more likely than nodes that are just starting.
  private func isFirst(_ fault: RemoteError) -> Bool {
    fault.kind == .unavailable && known.withLock { $0.voters == nil }
  }

  /// Returns the nodes that may lead: the known leader, or the nodes found by a search.
  private func candidates() async throws -> Result<[DqliteNode], RemoteError> {
    if let leader = known.withLock({ $0.leader }) { return .success([leader]) }
    switch try await search.ask(known.withLock { $0.all }) {
    case .leader(let node): return .success([node])
    case .perhaps(let nodes): return .success(nodes)
    case .none(let faults):
      var fault = DqliteFaults.noLeader(faults)
      // Nodes that answer without a leader are about to elect one.
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

  /// Notes that a node no longer leads, or that a connection to it was lost.
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

  /// Searches for the leader in the background after it was lost, so that the state is updated before the next request.
  private func follow() {
    let isFirst = known.withLock { known in
      defer { known.isFollowing = known.isFollowing || known.voters != nil }
      return !known.isFollowing && known.voters != nil
    }
    guard isFirst else { return }
    Task(executorPreference: TaskThreads.shared) { [weak self, limits] in
      var pause = DqlitePause(atMost: .seconds(5))
      let deadline = ContinuousClock.now + limits.staleness
      while await self?.isToBeFollowed(patience: deadline - .now) == true {
        do { try await pause.wait() } catch { break }
      }
    }
  }

  /// Asks all nodes once, and returns whether the search continues.
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

  /// Checks whether a node that does not answer still leads.
  ///
  /// Drops it if another node leads or if it is silent for too long.
  ///
  /// A hanging node cannot be distinguished from one that is busy with a statement, but the other nodes elect a new leader while it hangs.
  ///
  /// - Parameter silence: The time since the last sign of the node.
  /// - Returns: Whether the node answers other requests.
  /// - Throws: ``RemoteError``, `CancellationError`
  func checkLeader(_ node: DqliteNode, silentFor silence: Duration) async throws -> Bool {
    switch try await search.ask(known.withLock { $0.all }) {
    case .leader(let leader) where leader != node:
      lose(node)
      throw RemoteError(
        kind: .unavailable, code: nil, message: "\(node) no longer answers; \(leader) is the leader now.", outcome: .unknown)
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

  /// Shows a node as connected again.
  private func isHeard(_ node: DqliteNode) -> Bool {
    if known.withLock({ $0.leader == node }) { status.show(.connected) }
    return true
  }
}

/// The pause between two attempts, which doubles each time.
struct DqlitePause {
  private(set) var next = Duration.milliseconds(50)
  private let greatest: Duration

  init(atMost greatest: Duration = .seconds(1)) {
    self.greatest = greatest
  }

  /// Sleeps for the next pause.
  ///
  /// - Throws: `CancellationError`
  mutating func wait() async throws {
    try await Task.pause(for: next)
    next = min(next * 2, greatest)
  }
}

extension DqliteFaults {
  static let closed = unavailable("The connection to the cluster was closed.")
  static let transactionLost = unavailable(
    "The connection to the leader was lost, and the transaction was rolled back. Begin it again.")
}
