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

/// A connection to a node: what is sent, and messages as they are asked for.
///
/// It is made with SwiftNIO and not with sockets of its own. TLS comes from NIOSSL either way, which brings NIO's core and is nearly all of
/// what is built: of 134 s of a processor for a debug build, NIO's sockets are 10 s. They add what is needed here: all addresses of a host
/// tried at once, time-outs, closing from any task, and waiting for many nodes without a thread for each. A thread for each connection that
/// reads by itself would need all of that again, and would have to pass bytes through an embedded channel for TLS.
final class DqliteChannel: Sendable {
  /// The node that is connected to.
  let node: DqliteNode
  private let isEncrypted: Bool
  private let channel: any Channel
  private let mailbox: NIOLoopBound<DqliteMailbox>

  private init(node: DqliteNode, isEncrypted: Bool, channel: any Channel, mailbox: NIOLoopBound<DqliteMailbox>) {
    (self.node, self.isEncrypted, self.channel, self.mailbox) = (node, isEncrypted, channel, mailbox)
  }

  /// Connects to a node, and sends the version of the protocol, which is not answered.
  ///
  /// - Parameter limit: How long connecting may take, and the handshake of TLS after it.
  /// - Throws: ``RemoteError``, `CancellationError`
  static func connect(to node: DqliteNode, tls: DqliteTLS?, within limit: Duration) async throws -> DqliteChannel {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let ready = loop.makePromise(of: DqliteMailbox.Opened.self)
    let bootstrap = ClientBootstrap(group: loop)
      .channelOption(.autoRead, value: false)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .connectTimeout(TimeAmount(limit))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(QuickAcknowledgement())
          if let tls { try pipeline.addHandler(try handler(of: tls)) }
          try pipeline.addHandler(DqliteMailbox(isEncrypted: tls != nil, ready: ready))
        }
      }
    let connecting = connecting(bootstrap, to: node, on: loop)
    connecting.whenFailure { ready.fail($0) }
    ready.futureResult.whenFailure { _ in connecting.whenSuccess { $0.close(promise: nil) } }
    let expiry = loop.scheduleTask(in: TimeAmount(limit)) { ready.fail(ChannelError.connectTimeout(TimeAmount(limit))) }
    defer { expiry.cancel() }
    do {
      let opened = try await withTaskCancellationHandler {
        try await ready.futureResult.get()
      } onCancel: {
        ready.fail(CancellationError())
      }
      let channel = DqliteChannel(node: node, isEncrypted: tls != nil, channel: opened.channel, mailbox: opened.mailbox)
      channel.noticeSilence()
      channel.send(DqliteRequest.greeting)
      return channel
    } catch {
      try Task.checkCancellation()
      throw DqliteFaults.connecting(to: node, error, isEncrypted: tls != nil)
    }
  }

  private static func connecting(_ bootstrap: ClientBootstrap, to node: DqliteNode, on loop: any EventLoop) -> EventLoopFuture<any Channel>
  {
    switch node {
    case .host(let host, let port): return bootstrap.connect(host: host, port: port)
    case .abstract(let name):
      do {
        return bootstrap.withConnectedSocket(try AbstractSocket.connect(to: name))
      } catch {
        return loop.makeFailedFuture(error)
      }
    }
  }

  private static func handler(of tls: DqliteTLS) throws -> NIOSSLClientHandler {
    try NIOSSLClientHandler(context: tls.context, serverHostname: tls.serverName)
  }

  /// Lets the system notice a machine that is gone without a word, within some ten seconds.
  private func noticeSilence() {
    #if os(Linux)
      guard case .host = node else { return }
      for (option, value) in [(TCP_KEEPIDLE, 4), (TCP_KEEPINTVL, 2), (TCP_KEEPCNT, 3), (TCP_USER_TIMEOUT, 10_000)] {
        channel.setOption(.tcpOption(NIOBSDSocket.Option(rawValue: option)), value: value).whenFailure { _ in }
      }
    #endif
  }

  /// Sends bytes; where the connection has ended, ``receive(within:)`` says why.
  func send(_ bytes: [UInt8]) {
    channel.writeAndFlush(NIOCore.ByteBuffer(bytes: bytes), promise: nil)
  }

  /// Waits for messages, and returns all that have come, one at least.
  ///
  /// - Returns: nil where none has come within the limit; they may then be asked for again.
  /// - Throws: ``RemoteError`` where the connection has ended; `CancellationError`, which ends it.
  func receive(within limit: Duration) async throws -> [DqliteFrame]? {
    let (mailbox, loop) = (mailbox, channel.eventLoop)
    do {
      return try await withTaskCancellationHandler {
        try await loop.flatSubmit { mailbox.value.take(within: TimeAmount(limit), on: loop) }.get()
      } onCancel: {
        close()
      }
    } catch {
      try Task.checkCancellation()
      throw DqliteFaults.receiving(from: node, error, isEncrypted: isEncrypted)
    }
  }

  /// Lets a function be called once the connection has ended, on any thread; at once where it has.
  func onEnd(_ function: @escaping @Sendable () -> Void) {
    let mailbox = mailbox
    channel.eventLoop.execute { mailbox.value.onEnd(function) }
  }

  /// Ends the connection, and with it what the node runs for it, as far as a node can be stopped; from any task, at any time.
  func close() {
    channel.close(mode: .all, promise: nil)
  }
}

/// Connects to a Unix socket in the abstract namespace, whose name is no path.
private enum AbstractSocket {
  static func connect(to name: String) throws -> CInt {
    #if os(Linux)
      let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = [0] + Array(name.utf8)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes.prefix($0.count)) }
      let size = MemoryLayout<sa_family_t>.size + bytes.count
      let result = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(size)) }
      }
      guard result == 0 else {
        let code = errno
        _ = Glibc.close(descriptor)
        throw IOError(errnoCode: code, reason: "connect")
      }
      return descriptor
    #else
      throw IOError(errnoCode: EAFNOSUPPORT, reason: "connect")
    #endif
  }
}

extension TimeAmount {
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
