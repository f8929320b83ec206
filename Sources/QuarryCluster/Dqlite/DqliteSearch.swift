/// Looks for the node that leads a cluster: one that names itself when it is asked.
///
/// Right after an election, nodes name who has led before; a machine that was cut off may still take itself for the leader, but is then not
/// reached.
struct DqliteSearch: Sendable {
  let tls: DqliteTLS?
  let limits: DqliteLimits

  /// What asking all nodes once has found.
  enum Finding: Sendable {
    /// The nodes that are worth a try, the one that named itself first.
    case leader(DqliteNode)
    /// Nodes that answered, and whose leader cannot be reached by the address that they know: they may lead themselves.
    case perhaps([DqliteNode])
    /// There is none, with what was the matter with each node; nil for one that answers and knows no leader.
    case none([DqliteNode: RemoteError?])
  }

  /// What one node answers, and who it names.
  private enum Answer {
    case leads(DqliteNode)
    /// It names another one, which does not lead or does not answer.
    case names(DqliteNode)
    case knowsNone(DqliteNode)
    case fails(DqliteNode, RemoteError)
  }

  /// Asks all nodes at once; the first leader that is found ends it.
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
      // LXD may call its first node "1": nothing that could be connected to.
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
      throw DqliteFaults.violation(by: node, DqliteViolation("it was asked for the leader, and something else was answered"))
    }
    return address
  }
}

extension DqliteFaults {
  /// Returns the error of a cluster none of whose nodes leads.
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
