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
    /// Too much was still to come of an answer that was given up.
    case abandoned
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
  /// The answers that are still to come or to be taken, in the order of their requests, which is that in which a node answers.
  private var answers: [DqliteAnswer] = []
  private var hasReceived = false
  private var ending: Ending?
  private var context: ChannelHandlerContext?
  /// Is called once when the connection has ended, whoever ended it.
  private var whenEnded: (@Sendable (Ending) -> Void)?
  /// Are told when nothing more is to come, with whether the connection can be used.
  private var settling: [EventLoopPromise<Bool>] = []

  /// - Parameter ready: Succeeds when messages may be sent, or fails with the reason why none can.
  init(isEncrypted: Bool, ready: EventLoopPromise<Opened>) {
    (self.isEncrypted, self.ready) = (isEncrypted, ready)
  }

  // MARK: What the channel asks

  /// Takes note of requests that are sent at once, and whose answers are one.
  func expect(_ number: Int, count: Int) {
    answers.append(DqliteAnswer(number: number, left: count))
  }

  /// Gives all messages of an answer that have come, one at least.
  ///
  /// - Returns: A future of nil where none has come within the limit since it was this answer's turn; they may then be asked for again.
  func take(_ number: Int, within limit: TimeAmount, on loop: any EventLoop) -> EventLoopFuture<[DqliteFrame]?> {
    let promise = loop.makePromise(of: [DqliteFrame]?.self)
    guard let index = index(of: number), answers[index].drain == nil else {
      promise.fail(CancellationError())
      return promise.futureResult
    }
    if !answers[index].frames.isEmpty {
      promise.succeed(takeFrames(at: index))
    } else if let ending {
      promise.fail(ending)
    } else {
      answers[index].waiter = promise
      expire(number, after: limit, on: loop)
      readWhereWanted()
    }
    return promise.futureResult
  }

  /// Gives up an answer: the rest of it is read and dropped within a limit, past which the connection ends.
  func abandon(_ number: Int, _ drain: DqliteDrain) {
    guard let index = index(of: number), answers[index].drain == nil else { return }
    answers[index].stopWaiting()?.fail(CancellationError())
    answers[index].frames = []
    guard answers[index].left > 0 else {
      answers.remove(at: index)
      return
    }
    answers[index].drain = drain
    readWhereWanted()
  }

  /// Waits until nothing more is to come.
  ///
  /// - Returns: A future of whether the connection can then be used.
  func settle(on loop: any EventLoop) -> EventLoopFuture<Bool> {
    let promise = loop.makePromise(of: Bool.self)
    settling.append(promise)
    tellSettled()
    return promise.futureResult
  }

  /// Lets a function be called when the connection has ended; at once where it has.
  func onEnd(_ function: @escaping @Sendable (Ending) -> Void) {
    if let ending { function(ending) } else { whenEnded = function }
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
      while ending == nil, let frame = try frames.next() {
        hasReceived = true
        try add(frame)
      }
    } catch {
      end(.violation(error, firstBytes: frames.firstBytes))
      context.close(promise: nil)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    deliver()
    readWhereWanted()
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

  /// The answer whose messages come now.
  private var current: Int? { answers.firstIndex { $0.left > 0 } }

  private func index(of number: Int) -> Int? { answers.firstIndex { $0.number == number } }

  private func add(_ frame: DqliteFrame) throws(DqliteViolation) {
    guard let index = current else { throw DqliteViolation("a message came that nobody asked for") }
    if frame.endsAnswer { answers[index].left -= 1 }
    guard answers[index].drain != nil else { return answers[index].frames.append(frame) }
    answers[index].drain?.bytes -= frame.body.count
    if answers[index].left == 0 {
      answers.remove(at: index).expiry?.cancel()
      tellSettled()
    } else if let drain = answers[index].drain, drain.bytes < 0 {
      giveUp(answers[index].number)
    }
  }

  private func takeFrames(at index: Int) -> [DqliteFrame] {
    defer { if answers[index].left == 0 { answers.remove(at: index) } else { answers[index].frames = [] } }
    return answers[index].frames
  }

  private func deliver() {
    for index in answers.indices.reversed() where !answers[index].frames.isEmpty {
      if let waiter = answers[index].stopWaiting() { waiter.succeed(takeFrames(at: index)) }
    }
    tellSettled()
  }

  /// Reads from the socket where the answer whose turn it is is waited for, or is to be dropped.
  private func readWhereWanted() {
    guard let index = current, let context else { return }
    if let drain = answers[index].drain, answers[index].expiry == nil {
      let (bound, number) = (NIOLoopBound(self, eventLoop: context.eventLoop), answers[index].number)
      answers[index].expiry = context.eventLoop.scheduleTask(in: drain.time) { bound.value.giveUp(number) }
    }
    if answers[index].drain != nil || answers[index].waiter != nil { context.read() }
  }

  /// Lets the one who waits for an answer know when nothing has come for so long; those behind another answer wait on.
  private func expire(_ number: Int, after limit: TimeAmount, on loop: any EventLoop) {
    guard let index = index(of: number) else { return }
    let bound = NIOLoopBound(self, eventLoop: loop)
    answers[index].expiry = loop.scheduleTask(in: limit) {
      let mailbox = bound.value
      guard let index = mailbox.index(of: number) else { return }
      guard index == mailbox.current else { return mailbox.expire(number, after: limit, on: loop) }
      mailbox.answers[index].stopWaiting()?.succeed(nil)
    }
  }

  private func giveUp(_ number: Int) {
    guard index(of: number) != nil else { return }
    end(.abandoned)
    context?.close(promise: nil)
  }

  private func tellSettled() {
    guard !settling.isEmpty, ending != nil || current == nil else { return }
    for promise in settling { promise.succeed(ending == nil) }
    settling = []
  }

  private func end(_ reason: Ending) {
    guard ending == nil else { return }
    deliver()
    ending = reason
    if !isReady {
      isReady = true
      ready.fail(reason)
    }
    for index in answers.indices { answers[index].stopWaiting()?.fail(reason) }
    tellSettled()
    whenEnded?(reason)
    whenEnded = nil
  }
}

/// What a request is answered, as far as it has come and nobody has taken it.
private struct DqliteAnswer {
  let number: Int
  /// How many messages with which an answer ends are still to come.
  var left: Int
  var frames: [DqliteFrame] = []
  var waiter: EventLoopPromise<[DqliteFrame]?>?
  /// What is dropped of it; nil while somebody wants it.
  var drain: DqliteDrain?
  var expiry: Scheduled<Void>?

  init(number: Int, left: Int) {
    (self.number, self.left) = (number, left)
  }

  /// Returns the one who waits, who is to be told something now.
  mutating func stopWaiting() -> EventLoopPromise<[DqliteFrame]?>? {
    expiry?.cancel()
    defer { (waiter, expiry) = (nil, nil) }
    return waiter
  }
}

/// How much is read and dropped of an answer that nobody wants any more, so that its connection can be kept.
struct DqliteDrain: Sendable {
  /// How long it may take from when it is its turn.
  var time: TimeAmount
  /// How many bytes there may be.
  var bytes: Int

  /// A connection is made anew as fast as this.
  static let short = DqliteDrain(time: .milliseconds(500), bytes: 1 << 18)
  /// With the connection, a transaction would go.
  static let ofTransaction = DqliteDrain(time: .seconds(10), bytes: .max)
}
