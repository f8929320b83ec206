/// Searches for the leader of a cluster: the node that names itself as leader.
///
/// Right after an election, nodes may name the previous leader. A machine that was disconnected may still consider itself the leader, but
/// cannot be reached.
struct DqliteSearch: Sendable {
  let tls: DqliteTLS?
  let limits: DqliteLimits

  /// The result of asking all nodes once.
  enum Finding: Sendable {
    /// The node that names itself as leader.
    case leader(DqliteNode)
    /// Nodes that answered but name a leader that cannot be reached at its address.
    ///
    /// They may lead themselves.
    case perhaps([DqliteNode])
    /// There is no leader.
    ///
    /// Contains the error of each node, or nil for a node that answers without knowing a leader.
    case none([DqliteNode: RemoteError?])
  }

  /// The answer of one node.
  private enum Answer {
    case leads(DqliteNode)
    /// The node names another one, which does not lead or does not answer.
    case names(DqliteNode)
    case knowsNone(DqliteNode)
    case fails(DqliteNode, RemoteError)
  }

  /// Asks all nodes concurrently.
  ///
  /// The first leader found ends the search.
  ///
  /// - Throws: `CancellationError`
  func ask(_ nodes: [DqliteNode]) async throws -> Finding {
    try await withThrowingTaskGroup(of: Answer.self) { group in
      for node in nodes { group.addTask { try await answer(of: node) } }
      var perhaps: [DqliteNode] = []
      var faults: [DqliteNode: RemoteError?] = [:]
      for try await answer in group {
        switch answer {
        case .leads(let node):
          group.cancelAll()
          return .leader(node)
        case .names(let node):
          perhaps.append(node)
          faults[node] = .some(nil)
        case .knowsNone(let node): faults[node] = .some(nil)
        case .fails(let node, let error): faults[node] = error
        }
      }
      return perhaps.isEmpty ? .none(faults) : .perhaps(perhaps)
    }
  }

  private func answer(of node: DqliteNode) async throws -> Answer {
    do {
      let named = try await leader(namedBy: node)
      guard !named.isEmpty else { return .knowsNone(node) }
      if named == node.description { return .leads(node) }
      // LXD may name its first node "1", which is not an address.
      guard let leader = DqliteNode(named, defaultPort: DqliteNode.defaultPort) else { return .names(node) }
      if leader == node { return .leads(node) }
      let confirmed = try? await self.leader(namedBy: leader)
      try Task.checkCancellation()
      return confirmed == named ? .leads(leader) : .names(node)
    } catch let error as RemoteError {
      return .fails(node, error)
    }
  }

  private func leader(namedBy node: DqliteNode) async throws -> String {
    let channel = try await DqliteChannel.connect(to: node, tls: tls, within: limits.connecting)
    defer { channel.close() }
    guard case .server(let address)? = try await channel.ask([.leader], within: limits.answer).first else {
      throw DqliteFaults.violation(by: node, DqliteViolation("it answered a request for the leader with something else"))
    }
    return address
  }
}

extension DqliteFaults {
  /// Returns the error for a cluster without a leader.
  static func noLeader(_ faults: [DqliteNode: RemoteError?]) -> RemoteError {
    let messages = faults.compactMap(\.value).map(\.message).sorted()
    let silent = faults.count - messages.count
    if silent == 0, let only = Set(messages).first, Set(messages).count == 1 {
      return faults.values.compactMap(\.self).first ?? unavailable(only)
    }
    guard silent > 0 else { return unavailable("No node of the cluster answers. " + messages.joined(separator: " ")) }
    let start = "The cluster has no leader: more than half of its voters must run and reach each other. "
    return unavailable(start + (messages.isEmpty ? "Try again in a few seconds." : messages.joined(separator: " ")))
  }
}
