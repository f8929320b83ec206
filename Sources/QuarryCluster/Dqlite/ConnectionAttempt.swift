internal import Libc

/// An attempt to connect a socket to a node within a time limit, on a thread that may block.
struct ConnectionAttempt {
  /// The time for which one address of a host is tried alone before the next one is tried in addition.
  private static let headStart = Duration.milliseconds(250)

  let limit: Duration
  let deadline: ContinuousClock.Instant
  /// Wakes the thread when the attempt is cancelled.
  let wakeup: Wakeup
  let isCancelled: () -> Bool

  /// Returns a connected socket.
  ///
  /// - Throws: ``SocketError`` or ``ThreadError``
  func socket(to node: DqliteNode) throws -> ClientSocket {
    let socket = try firstConnected(to: try addresses(of: node))
    socket.setOptions()
    return socket
  }

  private func addresses(of node: DqliteNode) throws -> [SocketAddress] {
    switch node {
    case .abstract(let name): return [try SocketAddress(abstract: name)]
    case .host(let host, let port):
      if let addresses = try? SocketAddress.addresses(of: host, port: port, isNumber: true) { return addresses }
      let lookup = try HostLookup(host, port: port, wakeup)
      while true {
        if let addresses = try lookup.result() { return addresses }
        _ = try wait(for: [], until: deadline)
      }
    }
  }

  /// Tries the addresses in order.
  ///
  /// Each attempt begins when the previous one has failed or has had its head start. The first connection is used.
  ///
  /// - Throws: The error of the address that failed first, if all fail.
  private func firstConnected(to addresses: [SocketAddress]) throws(SocketError) -> ClientSocket {
    var waiting = addresses[...]
    var sockets: [ClientSocket] = []
    var fault: SocketError?
    var nextStart = ContinuousClock.now
    while true {
      if sockets.isEmpty || .now >= nextStart, let address = waiting.popFirst() {
        do {
          sockets.append(try ClientSocket(connectingTo: address))
        } catch {
          fault = fault ?? error
        }
        nextStart = .now + Self.headStart
        continue
      }
      guard !sockets.isEmpty else { throw fault ?? .unknownHost }
      let events = try wait(for: sockets, until: waiting.isEmpty ? deadline : min(deadline, nextStart))
      for (socket, events) in zip(sockets, events) where events != 0 {
        guard let error = socket.connectingError else { return socket }
        fault = fault ?? error
        sockets.removeAll { $0 === socket }
      }
    }
  }

  /// Waits until a socket is connected or has failed, or until a time.
  ///
  /// - Throws: ``SocketError/ended`` if the attempt was cancelled, or ``SocketError/timeout(_:)`` after the deadline.
  private func wait(for sockets: [ClientSocket], until time: ContinuousClock.Instant) throws(SocketError) -> [CInt] {
    let wanted = [(wakeup.descriptor, CInt(POLLIN))] + sockets.map { ($0.descriptor, CInt(POLLOUT)) }
    let events = try SocketPoll.wait(for: wanted, until: time)
    if events[0] != 0 { wakeup.clear() }
    if isCancelled() { throw .ended }
    if .now >= deadline { throw .timeout(limit) }
    return Array(events.dropFirst())
  }
}
