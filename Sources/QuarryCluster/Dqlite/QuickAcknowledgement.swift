internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Acknowledges what has come at once, before readings.
///
/// Nodes send an answer of two messages in two segments, and the second only once the first is acknowledged, which the system puts off for
/// 44 ms. It forgets the option at every reading. In a long answer the acknowledgements come by themselves, and to ask for each would cost a
/// quarter of the time; there it is done only where nothing has come for a millisecond.
final class QuickAcknowledgement: ChannelDuplexHandler {
  typealias InboundIn = NIOCore.ByteBuffer
  typealias InboundOut = NIOCore.ByteBuffer
  typealias OutboundIn = NIOCore.ByteBuffer
  typealias OutboundOut = NIOCore.ByteBuffer

  /// The bytes after which an answer is a long one.
  private static let longAnswer = 1 << 18

  /// The bytes that have come since something was sent.
  private var received = 0
  private var late: Scheduled<Void>?

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    received = 0
    context.write(data, promise: promise)
  }

  func read(context: ChannelHandlerContext) {
    if received < Self.longAnswer {
      Self.acknowledge(context.channel)
    } else if late == nil {
      late = context.eventLoop.scheduleTask(in: .milliseconds(1)) { [channel = context.channel] in Self.acknowledge(channel) }
    }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytes
    late?.cancel()
    late = nil
    context.fireChannelRead(data)
  }

  private static func acknowledge(_ channel: any Channel) {
    #if os(Linux)
      // Refused where the connection is a Unix socket, which has nothing to acknowledge, or has ended.
      try? channel.syncOptions?.setOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_QUICKACK)), value: 1)
    #endif
  }
}
