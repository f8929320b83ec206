internal import Libc
internal import QuarryEngine

/// What the thread of a connection does: it connects, and carries bytes between the socket and the mailbox until one of them ends.
///
/// Each connection has a thread of its own, so that the socket and the state of TLS belong to that thread alone. A program has a few: one
/// for each session, and one for each node while a leader is looked for.
struct DqliteEventLoop {
  /// The most bytes that are encrypted before the system has accepted those before.
  private static let chunkSize = 1 << 16

  private let mailbox: DqliteMailbox
  private let socket: ClientSocket
  private let tls: TLSStream?
  /// How long the handshake of TLS may take, and when that is over.
  private let attempt: ConnectionAttempt
  private var isOpen = false
  private var isBroken = false
  /// What is left of the message that is being sent, before TLS.
  private var message: ArraySlice<UInt8> = []
  /// What the system is to accept next.
  private var unsent: ArraySlice<UInt8> = []
  private var acknowledgement = QuickAcknowledgement()
  private var buffer = [UInt8](repeating: 0, count: 1 << 17)
  private var decrypted: [UInt8] = []

  /// Starts the thread of a connection.
  ///
  /// The mailbox learns how it goes.
  static func start(_ mailbox: DqliteMailbox, to node: DqliteNode, tls: DqliteTLS?, within limit: Duration) throws(ThreadError) {
    let deadline = ContinuousClock.now + limit
    _ = try WorkerThread {
      let attempt = ConnectionAttempt(limit: limit, deadline: deadline, wakeup: mailbox.wakeup) { mailbox.isClosing }
      do {
        var loop = try DqliteEventLoop(mailbox, attempt, node, tls)
        let error = loop.run()
        if case SocketError.timeout = error { mailbox.fail(error) } else { mailbox.end(error) }
      } catch {
        mailbox.fail(error)
      }
    }
  }

  private init(_ mailbox: DqliteMailbox, _ attempt: ConnectionAttempt, _ node: DqliteNode, _ tls: DqliteTLS?) throws {
    (self.mailbox, self.attempt) = (mailbox, attempt)
    socket = try attempt.socket(to: node)
    self.tls = try tls.map { try TLSStream($0.context, serverName: $0.serverName) }
  }

  /// Carries bytes until the connection ends, and returns why.
  private mutating func run() -> any Error {
    do {
      try advanceHandshake()
      try write()
      while let orders = mailbox.orders(canSend: isOpen && message.isEmpty && unsent.isEmpty) {
        if let new = orders.message {
          message = new[...]
          acknowledgement.noteSending()
          try write()
        } else {
          try wait(orders)
        }
      }
      sayFarewell()
      return SocketError.ended
    } catch {
      sayFarewell()
      return error
    }
  }

  /// Goes on with the handshake of TLS, if there is any, and opens the mailbox after it.
  private mutating func advanceHandshake() throws {
    guard !isOpen else { return }
    try tls?.shakeHands()
    guard tls?.isOpen ?? true else { return }
    isOpen = true
    mailbox.becomeOpen(sending: DqliteRequest.greeting)
  }

  /// Waits until there is something to do, and reads and writes what can be.
  private mutating func wait(_ orders: DqliteMailbox.Orders) throws {
    let wantsInput = orders.wantsInput || !isOpen
    let limits = [orders.deadline, wantsInput ? acknowledgement.prepare(socket) : nil, isOpen ? nil : attempt.deadline]
    let wanted = (wantsInput ? CInt(POLLIN) : 0) | (unsent.isEmpty ? 0 : CInt(POLLOUT)) | SocketPoll.halfClosed
    let events = try SocketPoll.wait(
      for: [(mailbox.wakeup.descriptor, CInt(POLLIN)), (socket.descriptor, wanted)], until: limits.compactMap(\.self).min())
    if events[0] != 0 { mailbox.wakeup.clear() }
    if !isOpen, .now >= attempt.deadline { throw SocketError.timeout(attempt.limit) }
    if events[1] & CInt(POLLOUT) != 0 { try write() }
    if wantsInput, events[1] & ~CInt(POLLOUT) != 0 {
      try read()
    } else if events[1] & SocketPoll.endings != 0 {
      // Nobody waits, but those who will ask must learn of the end.
      try readToEnd()
    }
  }
}

// MARK: Bytes

extension DqliteEventLoop {
  /// Sends as much as the system accepts.
  private mutating func write() throws {
    while !isBroken {
      if unsent.isEmpty { try fill() }
      if unsent.isEmpty { return }
      do {
        let count = try socket.write(unsent)
        if count == 0 { return }
        unsent = unsent.dropFirst(count)
      } catch {
        // What the other side has said before it closed tells more than that it did.
        isBroken = true
        try readToEnd()
        throw error
      }
    }
  }

  /// Lets the next bytes be sent, as they are or encrypted.
  private mutating func fill() throws {
    guard let tls else {
      (unsent, message) = (message, [])
      return
    }
    if isOpen, !message.isEmpty {
      try tls.encrypt(message.prefix(Self.chunkSize))
      message = message.dropFirst(Self.chunkSize)
    }
    unsent = tls.takeOutput()[...]
  }

  /// Reads until nothing more is there.
  ///
  /// - Throws: What the connection has ended with.
  private mutating func readToEnd() throws {
    while try read() {}
  }

  /// Reads what has come, at most as much as the buffer holds.
  ///
  /// - Returns: Whether there was something.
  @discardableResult
  private mutating func read() throws -> Bool {
    guard let count = try buffer.withUnsafeMutableBytes({ [socket] in try socket.read(into: $0) }) else { return false }
    guard count > 0 else { throw tls.map { _ in TLSFault.truncated as any Error } ?? SocketError.ended }
    acknowledgement.noteReceiving(count)
    if let tls {
      try decrypt(buffer[..<count], tls)
    } else {
      mailbox.receive(buffer[..<count])
    }
    return true
  }

  private mutating func decrypt(_ bytes: ArraySlice<UInt8>, _ tls: TLSStream) throws {
    try tls.receive(bytes)
    try advanceHandshake()
    if isOpen {
      decrypted.removeAll(keepingCapacity: true)
      defer { mailbox.receive(decrypted[...]) }
      try tls.decrypt(into: &decrypted)
    }
    if tls.hasEnded { throw SocketError.ended }
    try write()
  }

  /// Sends what TLS says at the end, if the system accepts it at once.
  private mutating func sayFarewell() {
    guard let tls, !isBroken, unsent.isEmpty else { return }
    tls.close()
    _ = try? socket.write(tls.takeOutput()[...])
  }
}
