internal import Libc
internal import QuarryEngine

/// The event loop on the thread of a connection, which connects and transfers bytes between the socket and the mailbox until one of them
/// ends.
///
/// Each connection has its own thread, which alone uses the socket and the TLS state. A program has only a few: one for each session, and
/// one for each node during a search for the leader.
struct DqliteEventLoop {
  /// The maximum number of bytes to encrypt before the system has accepted the previous ones.
  private static let chunkSize = 1 << 16

  private let mailbox: DqliteMailbox
  private let socket: ClientSocket
  private let tls: TLSStream?
  /// The time limit and the deadline of connecting with the TLS handshake.
  private let attempt: ConnectionAttempt
  private var isOpen = false
  private var isBroken = false
  /// The rest of the message being sent, before encryption.
  private var message: ArraySlice<UInt8> = []
  /// The bytes to send next.
  private var unsent: ArraySlice<UInt8> = []
  private var acknowledgement = QuickAcknowledgement()
  private var buffer = [UInt8](repeating: 0, count: 1 << 17)
  private var decrypted: [UInt8] = []

  /// Starts the thread of a connection.
  ///
  /// The result is reported to the mailbox.
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

  /// Transfers bytes until the connection ends, and returns the reason.
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

  /// Continues the TLS handshake, if there is one, and opens the mailbox after it.
  private mutating func advanceHandshake() throws {
    guard !isOpen else { return }
    try tls?.shakeHands()
    guard tls?.isOpen ?? true else { return }
    isOpen = true
    mailbox.becomeOpen(sending: DqliteRequest.greeting)
  }

  /// Waits for events, and transfers as many bytes as possible.
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
      // No task waits, but later requests must get the error at the end of the connection.
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
        // A message that the peer sent before closing is more informative than the write error.
        isBroken = true
        try readToEnd()
        throw error
      }
    }
  }

  /// Prepares the next bytes to send, encrypted if necessary.
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

  /// Reads until no more bytes are available.
  ///
  /// - Throws: The error with which the connection has ended.
  private mutating func readToEnd() throws {
    while try read() {}
  }

  /// Reads available bytes, at most the size of the buffer.
  ///
  /// - Returns: Whether any were available.
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

  /// Sends the closing message of TLS, if the system accepts it at once.
  private mutating func sayFarewell() {
    guard let tls, !isBroken, unsent.isEmpty else { return }
    tls.close()
    _ = try? socket.write(tls.takeOutput()[...])
  }
}
