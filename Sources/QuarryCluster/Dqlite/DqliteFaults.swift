internal import NIOCore
internal import NIOPosix
internal import NIOSSL

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Says what is the matter with a connection to a node, and what can be done.
enum DqliteFaults {
  /// Returns the error of a node that could not be connected to, or with which the handshake of TLS failed.
  static func connecting(to node: DqliteNode, _ error: any Error, isEncrypted: Bool) -> RemoteError {
    switch error {
    case let error as NIOConnectionError:
      guard let failure = error.connectionErrors.first?.error else {
        return unavailable("The host of \(node) is not known. Check its name.")
      }
      return connecting(to: node, failure, isEncrypted: isEncrypted)
    case let error as IOError where error.errnoCode == ECONNREFUSED:
      return unavailable("\(node) refuses connections: no node runs there. Check the address, and whether the node runs.")
    case let error as IOError:
      return unavailable("\(node) cannot be reached: \(String(cString: strerror(error.errnoCode))). Check the address and the network.")
    case ChannelError.connectTimeout(let limit):
      return unavailable("\(node) did not answer within \(limit.nanoseconds / 1_000_000_000) s. Check the address and the network.")
    case DqliteMailbox.Ending.closed(let error, _): return isEncrypted ? handshake(with: node, error) : lost(node)
    default: return isEncrypted ? handshake(with: node, error) : unavailable("\(node) cannot be reached: \(error).")
    }
  }

  /// Returns the error of a connection that has ended while something was waited for.
  static func receiving(from node: DqliteNode, _ error: any Error, isEncrypted: Bool) -> RemoteError {
    switch error {
    case DqliteMailbox.Ending.violation(let violation, let firstBytes):
      return RemoteError(kind: .protocolViolation, code: nil, message: stranger(node, violation, firstBytes), outcome: .unknown)
    case DqliteMailbox.Ending.closed(let error as NIOSSLError, _) where isEncrypted && !isUnclean(error):
      return handshake(with: node, error)
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

  /// Whether the other side has ended the connection without the farewell of TLS, as it does where it is killed.
  private static func isUnclean(_ error: NIOSSLError) -> Bool {
    if case .uncleanShutdown = error { true } else { false }
  }

  /// Whether these bytes begin an alert of TLS.
  private static func isAlert(_ firstBytes: [UInt8]) -> Bool { firstBytes.starts(with: [0x15, 0x03]) }

  private static func wantsTLS(_ node: DqliteNode) -> RemoteError {
    refused("\(node) wants TLS. Add cert= and key= to the address.")
  }

  /// Returns what answers in place of a node.
  private static func stranger(_ node: DqliteNode, _ violation: DqliteViolation, _ firstBytes: [UInt8]) -> String {
    if firstBytes.starts(with: "HTTP/".utf8) {
      return "\(node) is a web server, not a node of dqlite. Check the port; LXD and Incus serve dqlite inside of HTTPS alone."
    }
    if isAlert(firstBytes) { return wantsTLS(node).message }
    if firstBytes.starts(with: "SSH-".utf8) { return "\(node) is an ssh server, not a node of dqlite. Check the port." }
    return "\(node) does not answer as a node of dqlite does: \(violation.reason). Check the port."
  }

  /// Returns the error of a handshake that failed.
  private static func handshake(with node: DqliteNode, _ error: any Error) -> RemoteError {
    if case DqliteMailbox.Ending.closed(let inner, _) = error { return handshake(with: node, inner) }
    let text = String(describing: error)
    if error as? NIOSSLExtraError == .failedToValidateHostname {
      return refused("The certificate of \(node) is for another name. Name it in the address: servername=…")
    }
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return refused("\(node) has another certificate than the one in cert=. Take cluster.crt and cluster.key from a node of this cluster.")
    }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
      return refused("\(node) does not use TLS. Leave cert= and key= out of the address, or check the port.")
    }
    if text.contains("ALERT") {
      return refused("\(node) does not accept the certificate. Take cluster.crt and cluster.key from a node of this cluster.")
    }
    return refused(
      """
      \(node) ended the connection during the handshake of TLS. If the cluster does not use TLS, leave cert= and key= out of the address; \
      if it does, it does not accept this certificate.
      """)
  }

  static func unavailable(_ message: String) -> RemoteError {
    RemoteError(kind: .unavailable, code: nil, message: message, outcome: .didNotRun)
  }

  static func refused(_ message: String) -> RemoteError {
    RemoteError(kind: .refused, code: nil, message: message, outcome: .didNotRun)
  }
}
