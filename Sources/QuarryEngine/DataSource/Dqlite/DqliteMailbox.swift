internal import NIOCore
internal import NIOTLS

/// Puts what a channel receives to messages, and holds them until they are asked for.
///
/// Bytes are read from the socket only while somebody waits for a message, so that a server that is faster than its reader waits, and not
/// more than what one reading brings is held. All of it runs on the channel's event loop.
final class DqliteMailbox: ChannelInboundHandler {
  typealias InboundIn = NIOCore.ByteBuffer

  /// Why a channel gives no messages any more.
  enum Ending: Error {
    /// The connection has ended; with the first bytes that came at all, as long as no message was whole, else nil.
    case closed(any Error, firstBytes: [UInt8]?)
    /// What came is no message; with the first bytes that came at all.
    case violation(DqliteViolation, firstBytes: [UInt8])
  }

  /// A channel on which messages may be sent, with its mailbox.
  struct Opened: Sendable {
    let channel: any Channel
    let mailbox: NIOLoopBound<DqliteMailbox>
  }

  private let isEncrypted: Bool
  private let ready: EventLoopPromise<Opened>
  private var isReady = false
  private var frames = DqliteFrames()
  private var received: [DqliteFrame] = []
  private var hasReceived = false
  private var waiter: (promise: EventLoopPromise<[DqliteFrame]?>, limit: Scheduled<Void>)?
  private var ending: Ending?
  private var context: ChannelHandlerContext?
  /// Is called once when the connection has ended, whoever ended it.
  private var whenEnded: (@Sendable () -> Void)?

  /// - Parameter ready: Succeeds when messages may be sent, or fails with the reason why none can.
  init(isEncrypted: Bool, ready: EventLoopPromise<Opened>) {
    (self.isEncrypted, self.ready) = (isEncrypted, ready)
  }

  // MARK: What the channel asks

  /// Gives all messages that have come, one at least.
  ///
  /// - Returns: A future of nil where none has come within the limit; they may then be asked for again.
  func take(within limit: TimeAmount, on loop: any EventLoop) -> EventLoopFuture<[DqliteFrame]?> {
    let promise = loop.makePromise(of: [DqliteFrame]?.self)
    if !received.isEmpty {
      promise.succeed(received)
      received = []
    } else if let ending {
      promise.fail(ending)
    } else {
      let bound = NIOLoopBound(self, eventLoop: loop)
      let limit = loop.scheduleTask(in: limit) { bound.value.expire() }
      waiter?.promise.succeed(nil)
      waiter = (promise, limit)
      context?.read()
    }
    return promise.futureResult
  }

  /// Lets a function be called when the connection has ended; at once where it has.
  func onEnd(_ function: @escaping @Sendable () -> Void) {
    if ending != nil { function() } else { whenEnded = function }
  }

  // MARK: What the pipeline tells

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive { becomeActive() }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    becomeActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent { becomeReady() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    frames.append(buffer.readableBytesView)
    do throws(DqliteViolation) {
      while let frame = try frames.next() {
        received.append(frame)
        hasReceived = true
      }
    } catch {
      end(.violation(error, firstBytes: frames.firstBytes))
      context.close(promise: nil)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    deliver()
    if waiter != nil { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(.closed(error, firstBytes: hasReceived ? nil : frames.firstBytes))
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(.closed(ChannelError.eof, firstBytes: hasReceived ? nil : frames.firstBytes))
  }

  // MARK: Steps

  private func becomeActive() {
    if isEncrypted {
      // The handshake reads.
      context?.read()
    } else {
      becomeReady()
    }
  }

  private func becomeReady() {
    guard !isReady, let context else { return }
    isReady = true
    ready.succeed(Opened(channel: context.channel, mailbox: NIOLoopBound(self, eventLoop: context.eventLoop)))
  }

  private func deliver() {
    guard let waiter, !received.isEmpty else { return }
    self.waiter = nil
    waiter.limit.cancel()
    waiter.promise.succeed(received)
    received = []
  }

  private func expire() {
    waiter?.promise.succeed(nil)
    waiter = nil
  }

  private func end(_ reason: Ending) {
    guard ending == nil else { return }
    ending = reason
    deliver()
    if !isReady {
      isReady = true
      ready.fail(reason)
    }
    waiter?.limit.cancel()
    waiter?.promise.fail(reason)
    waiter = nil
    whenEnded?()
    whenEnded = nil
  }
}
