import COpenSSL
import Foundation
import Synchronization
import TestSupport

/// Takes connections by TLS, from clients that present a certificate, and passes them on to a port of this machine as they are.
final class TLSProxy: Sendable {
  /// How the proxy differs from one that a cluster has.
  struct Options {
    /// The path of the certificate that clients must present, without its ending; nil for the proxy's own.
    var clients: String?
    /// The greatest version of TLS.
    var version = TLS1_3_VERSION
    /// Whether a connection ends without the farewell of TLS.
    var isUnclean = false
  }

  /// The port that connections are passed on to, known only once the proxy listens.
  let target: Target
  /// Where it listens.
  let address: String
  private let server: ScriptedServer

  /// Listens.
  ///
  /// - Parameter path: The path of the certificate and the key, without their endings.
  init(certificate path: String, _ options: Options = Options()) throws {
    let (target, context) = (Target(), try Context(path, options))
    self.target = target
    server = try ScriptedServer { client in
      // Of the file that OpenSSL writes to, it does not say that its end raises no signal.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      guard let node = try? ScriptedServer.Connection(port: target.port.withLock { $0 }) else { return }
      defer { node.close() }
      guard let session = SSL_new(context.pointer) else { return }
      defer { SSL_free(session) }
      SSL_set_fd(session, client.socket)
      guard SSL_accept(session) == 1 else { return }
      Self.pass(session, client.socket, node.socket)
      if !options.isUnclean { SSL_shutdown(session) }
    }
    address = server.address
  }

  func end() { server.end() }

  /// Passes on what comes from both sides, until one of them ends.
  private static func pass(_ session: OpaquePointer, _ client: Int32, _ node: Int32) {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    var sides = [client, node].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while SSL_pending(session) > 0 || poll(&sides, 2, -1) > 0 {
      if SSL_pending(session) > 0 || sides[0].revents != 0 {
        let count = Int(SSL_read(session, &bytes, Int32(bytes.count)))
        guard count > 0, send(node, bytes, count, Int32(MSG_NOSIGNAL)) == count else { return }
      } else if sides[1].revents != 0 {
        let count = recv(node, &bytes, bytes.count, 0)
        guard count > 0, SSL_write(session, bytes, Int32(count)) == Int32(count) else { return }
      }
    }
  }

  final class Target: Sendable {
    let port = Mutex(0)
  }

  struct Failure: Error {}

  private final class Context: @unchecked Sendable {
    // Sendable because it is not changed once it is made.
    let pointer: OpaquePointer

    init(_ path: String, _ options: Options) throws {
      guard let context = SSL_CTX_new(TLS_server_method()) else { throw Failure() }
      pointer = context
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
      guard SSL_CTX_use_certificate_chain_file(context, path + ".crt") == 1,
        SSL_CTX_use_PrivateKey_file(context, path + ".key", SSL_FILETYPE_PEM) == 1,
        SSL_CTX_load_verify_locations(context, (options.clients ?? path) + ".crt", nil) == 1,
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(options.version), nil) == 1
      else { throw Failure() }
    }

    deinit { SSL_CTX_free(pointer) }
  }
}
