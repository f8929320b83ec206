internal import Libc
internal import QuarryEngine

/// Errors of connections to nodes, with suggested solutions.
enum DqliteFaults {
  /// Returns the error for a node to which connecting or the TLS handshake has failed.
  static func connecting(to node: DqliteNode, _ error: any Error, isEncrypted: Bool) -> RemoteError {
    switch error {
    case SocketError.unknownHost: return unavailable("The host of \(node) is unknown. Check its name.")
    case SocketError.system(ECONNREFUSED):
      return unavailable("\(node) refuses connections: no node runs there. Check the address and that the node is running.")
    case SocketError.system(let code):
      return unavailable("\(node) cannot be reached: \(String(cString: strerror(code))). Check the address and the network.")
    case SocketError.timeout(let limit):
      return unavailable("\(node) did not answer within \(limit.components.seconds) s. Check the address and the network.")
    case let error as ThreadError: return unavailable("Cannot connect to \(node): \(error).")
    case DqliteMailbox.Ending.closed(let error, _): return isEncrypted ? handshake(with: node, error) : lost(node)
    default: return isEncrypted ? handshake(with: node, error) : unavailable("\(node) cannot be reached: \(error).")
    }
  }

  /// Returns the error for a connection that has ended during a wait.
  static func receiving(from node: DqliteNode, _ error: any Error, isEncrypted: Bool) -> RemoteError {
    switch error {
    case DqliteMailbox.Ending.violation(let violation, let firstBytes):
      return RemoteError(kind: .protocolViolation, code: nil, message: stranger(node, violation, firstBytes), outcome: .unknown)
    case DqliteMailbox.Ending.closed(let fault as TLSFault, _?) where fault != .truncated:
      // The peer verifies the certificate only after the handshake.
      return handshake(with: node, fault)
    case DqliteMailbox.Ending.closed(_, let firstBytes?) where !isEncrypted && isAlert(firstBytes): return wantsTLS(node)
    case DqliteMailbox.Ending.closed(_, firstBytes: []) where !isEncrypted:
      return refused("\(node) ended the connection without an answer. If the cluster uses TLS, add cert= and key= to the address.")
    case DqliteMailbox.Ending.closed(_, firstBytes: []): return handshake(with: node, error)
    default: return lost(node)
    }
  }

  private static func lost(_ node: DqliteNode) -> RemoteError {
    RemoteError(kind: .unavailable, code: nil, message: "The connection to \(node) was lost.", outcome: .unknown)
  }

  /// Returns whether these bytes begin a TLS alert.
  private static func isAlert(_ firstBytes: [UInt8]) -> Bool { firstBytes.starts(with: [0x15, 0x03]) }

  private static func wantsTLS(_ node: DqliteNode) -> RemoteError {
    refused("\(node) requires TLS. Add cert= and key= to the address.")
  }

  /// Returns the message about a peer that is not a node.
  private static func stranger(_ node: DqliteNode, _ violation: DqliteViolation, _ firstBytes: [UInt8]) -> String {
    if firstBytes.starts(with: "HTTP/".utf8) {
      return "\(node) is a web server, not a node of dqlite. Check the port; LXD and Incus serve dqlite only over HTTPS."
    }
    if isAlert(firstBytes) { return wantsTLS(node).message }
    if firstBytes.starts(with: "SSH-".utf8) { return "\(node) is an ssh server, not a node of dqlite. Check the port." }
    return "\(node) does not follow the dqlite protocol: \(violation.reason). Check the port."
  }

  /// Returns the error for a failed handshake.
  private static func handshake(with node: DqliteNode, _ error: any Error) -> RemoteError {
    if case DqliteMailbox.Ending.closed(let inner, _) = error { return handshake(with: node, inner) }
    switch error as? TLSFault {
    case .wrongName: return refused("The certificate of \(node) is for another name. Give that name in the address: servername=…")
    case .outdated:
      return refused("The certificate of \(node) has expired, or is not valid yet. Renew it on all nodes, or check this machine's clock.")
    case .untrusted:
      return refused(
        "\(node) has a different certificate from the one in cert=. Copy cluster.crt and cluster.key from a node of this cluster.")
    case .noTLS: return refused("\(node) does not use TLS. Leave cert= and key= out of the address, or check the port.")
    case .rejected:
      return refused("\(node) does not accept the certificate. Copy cluster.crt and cluster.key from a node of this cluster.")
    case .alert(let words): return refused("\(node) rejected the TLS connection: \(words). Check that it allows TLS 1.2 or later.")
    case .other, .truncated, nil:
      return refused(
        """
        \(node) ended the connection during the handshake of TLS. If the cluster does not use TLS, leave cert= and key= out of the address; \
        if it does, it does not accept this certificate.
        """)
    }
  }

  static func unavailable(_ message: String) -> RemoteError {
    RemoteError(kind: .unavailable, code: nil, message: message, outcome: .didNotRun)
  }

  static func refused(_ message: String) -> RemoteError {
    RemoteError(kind: .refused, code: nil, message: message, outcome: .didNotRun)
  }
}
