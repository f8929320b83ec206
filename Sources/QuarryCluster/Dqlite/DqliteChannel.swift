internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

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
  private let numbers = Atomic(0)

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
      channel.channel.writeAndFlush(NIOCore.ByteBuffer(bytes: DqliteRequest.greeting), promise: nil)
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

  /// Sends requests at once, behind those that were sent before; where the connection has ended, ``receive(_:within:_:)`` says why.
  ///
  /// - Returns: The number of their answer.
  func send(_ requests: [DqliteRequest]) throws(DqliteViolation) -> Int {
    var bytes = NIOCore.ByteBuffer()
    for request in requests { bytes.writeBytes(try request.encoded()) }
    let number = numbers.add(1, ordering: .relaxed).newValue
    channel.eventLoop.execute { [mailbox, channel, bytes] in
      mailbox.value.expect(number, count: requests.count)
      channel.writeAndFlush(bytes, promise: nil)
    }
    return number
  }

  /// Waits for messages of an answer, and returns all that have come, one at least.
  ///
  /// - Parameter drain: How much of the answer is dropped where the task is cancelled, before the connection ends; nil to end it at once.
  /// - Returns: nil where none has come within the limit; they may then be asked for again.
  /// - Throws: ``RemoteError`` or ``DqliteAbandoned`` where the connection has ended; `CancellationError`.
  func receive(_ answer: Int, within limit: Duration, _ drain: DqliteDrain? = nil) async throws -> [DqliteFrame]? {
    let (mailbox, loop) = (mailbox, channel.eventLoop)
    do {
      return try await withTaskCancellationHandler {
        try await loop.flatSubmit { mailbox.value.take(answer, within: TimeAmount(limit), on: loop) }.get()
      } onCancel: {
        if let drain { abandon(answer, drain) } else { close() }
      }
    } catch {
      try Task.checkCancellation()
      if case DqliteMailbox.Ending.abandoned = error { throw DqliteAbandoned() }
      throw DqliteFaults.receiving(from: node, error, isEncrypted: isEncrypted)
    }
  }

  /// Gives up an answer that nobody wants any more; those behind it are still read.
  func abandon(_ answer: Int, _ drain: DqliteDrain) {
    let mailbox = mailbox
    channel.eventLoop.execute { mailbox.value.abandon(answer, drain) }
  }

  /// Waits until answers that were given up are over, and returns whether the connection has not ended.
  func settle() async -> Bool {
    let (mailbox, loop) = (mailbox, channel.eventLoop)
    return (try? await loop.flatSubmit { mailbox.value.settle(on: loop) }.get()) ?? false
  }

  /// Lets a function be called once the connection has ended, on any thread; at once where it has.
  ///
  /// - Parameter function: Is told whether it ended with an answer that was given up.
  func onEnd(_ function: @escaping @Sendable (_ wasAbandoned: Bool) -> Void) {
    let mailbox = mailbox
    channel.eventLoop.execute {
      mailbox.value.onEnd { ending in
        if case .abandoned = ending { function(true) } else { function(false) }
      }
    }
  }

  /// Ends the connection, and with it what the node runs for it, as far as a node can be stopped; from any task, at any time.
  func close() {
    channel.close(mode: .all, promise: nil)
  }
}

/// The end of a connection because of another answer, one that was given up and did not end; nothing of this one had come.
struct DqliteAbandoned: Error {}

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
