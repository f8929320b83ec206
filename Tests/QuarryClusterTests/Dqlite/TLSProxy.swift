import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Takes connections by TLS, from clients that present its own certificate, and passes them on to a port of this machine as they are.
final class TLSProxy: Sendable {
  /// The port that connections are passed on to.
  let target: Target
  /// Where it listens.
  let address: String
  private let server: any Channel

  /// Listens.
  ///
  /// - Parameter path: The path of the certificate and the key, without their endings.
  init(certificate path: String) async throws {
    let certificates = try NIOSSLCertificate.fromPEMFile(path + ".crt")
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: path + ".key", format: .pem)))
    configuration.certificateVerification = .noHostnameVerification
    configuration.trustRoots = .certificates(certificates)
    let context = try NIOSSLContext(configuration: configuration)
    let target = Target()
    self.target = target
    server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        ClientBootstrap(group: channel.eventLoop).connect(host: "127.0.0.1", port: target.port.withLock { $0 }).flatMapThrowing { node in
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
          try channel.pipeline.syncOperations.addHandler(Passage(to: node))
          try node.pipeline.syncOperations.addHandler(Passage(to: channel))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    address = "127.0.0.1:\(server.localAddress?.port ?? 0)"
  }

  func end() async throws {
    try await server.close()
  }

  /// A port that is known only once the proxy listens.
  final class Target: Sendable {
    let port = Mutex(0)
  }

  /// Passes on what comes, and the end.
  private final class Passage: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      other.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
}
