internal import QuarryEngine

/// Writes the output of several threads in the order of their parts.
///
/// The thread with the next part writes directly. Another thread keeps its bytes until its part's turn, and waits if there are too many.
final class OrderedOutput: @unchecked Sendable {
  // Sendable because only the thread of the current part calls the sink.
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private let state = Monitor(State())

  private struct State {
    /// The index of the current part.
    var turn = 0
    /// Parts completed before their turn.
    var waiting: [Int: [UInt8]] = [:]
    var waitingBytes = 0
    var isStopped = false
  }

  private enum Turn {
    case now, later, never
  }

  /// The maximum number of bytes that wait for their turn.
  private static let limit = 16 << 20

  init(_ sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) {
    self.sink = sink
  }

  /// Ends all waits, because earlier parts will not be written.
  func stop() {
    state.change { $0.isStopped = true }
  }

  /// Returns whether a part may be written now.
  ///
  /// Waits for the turn if requested.
  ///
  /// - Throws: `CancellationError` if the turn will not come.
  func isTurn(of part: Int, waits: Bool) throws -> Bool {
    let turn: Turn = state.wait { state in
      if state.turn == part { return .now }
      if state.isStopped { return .never }
      return waits ? nil : .later
    }
    if turn == .never { throw CancellationError() }
    return turn == .now
  }

  /// Writes bytes of the current part.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try sink(bytes)
  }

  /// Ends a part.
  ///
  /// Its last bytes are written when its turn comes.
  func end(_ part: Int, _ bytes: UnsafeRawBufferPointer) throws {
    if isKept(part, bytes) { return }
    _ = try isTurn(of: part, waits: true)
    try sink(bytes)
    // No other thread writes until the turn changes.
    var next = part + 1
    while let bytes = take(next) {
      try bytes.withUnsafeBytes { try sink($0) }
      next += 1
    }
  }

  /// Keeps the bytes of a later part if there is room for them, and returns whether it did.
  private func isKept(_ part: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    state.change { state in
      guard state.turn != part, state.waitingBytes + bytes.count <= Self.limit else { return false }
      state.waiting[part] = Array(bytes)
      state.waitingBytes += bytes.count
      return true
    }
  }

  /// Removes the kept bytes of a part.
  ///
  /// If the part has none, gives it the turn.
  private func take(_ part: Int) -> [UInt8]? {
    state.change { state in
      let bytes = state.waiting.removeValue(forKey: part)
      state.waitingBytes -= bytes?.count ?? 0
      if bytes == nil { state.turn = part }
      return bytes
    }
  }
}

/// The output of one thread, part by part.
final class OrderedWriter {
  private let output: OrderedOutput
  private var buffer = ByteBuffer(capacity: 1 << 20)
  private var part = 0

  /// The number of bytes of a part from which they are written if it is the part's turn.
  private static let chunk = 256 << 10
  /// The number of bytes of a part from which its turn is awaited.
  private static let patience = 8 << 20

  init(_ output: OrderedOutput) {
    self.output = output
  }

  /// Begins the part with an index.
  func begin(_ part: Int) {
    self.part = part
    buffer.truncate(to: 0)
  }

  /// Appends the output of `body` to the part.
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
