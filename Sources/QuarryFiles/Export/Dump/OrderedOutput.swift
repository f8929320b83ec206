internal import QuarryEngine

/// Puts what several threads write, part by part, into the order of the parts.
///
/// A thread whose part is the next one writes on; another keeps its bytes until it is that part's turn, and where they are many, waits for it.
final class OrderedOutput: @unchecked Sendable {
  // Sendable because the sink is called by one thread at a time: the one whose turn it is.
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private let state = Monitor(State())

  private struct State {
    /// The index of the part whose turn it is.
    var turn = 0
    /// Parts that are whole before their turn.
    var waiting: [Int: [UInt8]] = [:]
    var waitingBytes = 0
    var isStopped = false
  }

  private enum Turn {
    case now, later, never
  }

  /// The greatest number of bytes that wait for their turn.
  private static let limit = 16 << 20

  init(_ sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) {
    self.sink = sink
  }

  /// Ends all waiting, because what comes before will not be written.
  func stop() {
    state.change { $0.isStopped = true }
  }

  /// Returns whether it is a part's turn, after waiting for it if need be.
  ///
  /// - Throws: `CancellationError` where it will not come.
  func isTurn(of part: Int, waits: Bool) throws -> Bool {
    let turn: Turn = state.wait { state in
      if state.turn == part { return .now }
      if state.isStopped { return .never }
      return waits ? nil : .later
    }
    if turn == .never { throw CancellationError() }
    return turn == .now
  }

  /// Writes bytes of the part whose turn it is.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try sink(bytes)
  }

  /// Ends a part: its last bytes are written when it is its turn.
  func end(_ part: Int, _ bytes: UnsafeRawBufferPointer) throws {
    if isKept(part, bytes) { return }
    _ = try isTurn(of: part, waits: true)
    try sink(bytes)
    // Nobody else writes before the turn is another's.
    var next = part + 1
    while let bytes = take(next) {
      try bytes.withUnsafeBytes { try sink($0) }
      next += 1
    }
  }

  /// Keeps the bytes of a part that comes later, where there is room for them.
  private func isKept(_ part: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    state.change { state in
      guard state.turn != part, state.waitingBytes + bytes.count <= Self.limit else { return false }
      state.waiting[part] = Array(bytes)
      state.waitingBytes += bytes.count
      return true
    }
  }

  /// Takes the bytes of a part that are kept; where there are none, it is the part's turn from now on.
  private func take(_ part: Int) -> [UInt8]? {
    state.change { state in
      let bytes = state.waiting.removeValue(forKey: part)
      state.waitingBytes -= bytes?.count ?? 0
      if bytes == nil { state.turn = part }
      return bytes
    }
  }
}

/// What one thread writes, part by part.
final class OrderedWriter {
  private let output: OrderedOutput
  private var buffer = ByteBuffer(capacity: 1 << 20)
  private var part = 0

  /// How many bytes a part may have before they are written, if it is its turn.
  private static let chunk = 256 << 10
  /// How many bytes a part may have before its turn is waited for.
  private static let patience = 8 << 20

  init(_ output: OrderedOutput) {
    self.output = output
  }

  /// Begins the part of this index.
  func begin(_ part: Int) {
    self.part = part
    buffer.truncate(to: 0)
  }

  /// Appends what `body` writes to the part.
  @inline(__always)
  func append(_ body: (inout ByteBuffer) throws -> Void) throws {
    try body(&buffer)
    if buffer.count >= Self.chunk { try flush() }
  }

  private func flush() throws {
    guard try output.isTurn(of: part, waits: buffer.count >= Self.patience) else { return }
    try output.write(buffer.bytes)
    buffer.truncate(to: 0)
  }

  /// Ends the part.
  func end() throws {
    try output.end(part, buffer.bytes)
  }
}
