internal import QuarryEngine

/// The records of a file, which one thread parses and types while another thread writes them.
///
/// ```swift
/// let stream = try RecordStream(path: "sales.csv", options: RecordReadingOptions())
/// for block in try stream.head(bytes: 1 << 20) {}.blocks { … }   // types are decided by these
/// while let block = try stream.next(check: {}) {
///   …
///   stream.recycle(block)
/// }
/// ```
///
/// A fixed number of blocks is filled in advance. Each block is reused once it has been written, so that memory use is bounded.
final class RecordStream: @unchecked Sendable {
  // Sendable because the monitor guards the mutable state.

  /// Records of one table, and the types of its columns according to these and all previous records.
  struct Block {
    let records: RecordBatch
    var types: [ImportType] = []
  }

  private struct State {
    /// The parser of the file, once its format has been detected.
    var reader: (any RecordReader)?
    /// The batches available for filling.
    var free: [RecordBatch] = []
    var filled: [Block] = []
    /// The typer of the records.
    ///
    /// Nil while the head is being read, whose records are typed together.
    var type: ((RecordBatch) -> [ImportType])?
    var isAtEnd = false
    var isStopped = false
    var failure: (any Error)?
  }

  private let source: ByteSource
  private let state = Monitor(State())
  private let thread: WorkerThread

  /// The number of batches that are filled in advance.
  private static let blockCount = 3
  /// The maximum number of batches of the head, regardless of their size.
  private static let headBlockCount = 64

  /// Opens a file, and begins to read it.
  ///
  /// - Throws: ``FileReadError``, ``ThreadError``
  init(path: String, options: RecordReadingOptions) throws {
    source = try ByteSource(path: path)
    thread = try WorkerThread { [source, state] in Self.fill(state, from: source, options) }
  }

  deinit {
    stop()
  }

  /// The size of the file in bytes, or nil for a pipe.
  var byteCount: Int? { source.byteCount }

  /// Returns whether another stream has the same file, and the file has not been written since.
  func hasSameFile(as other: RecordStream) -> Bool { source.version == other.source.version }

  /// Whether ``cancel()`` was called.
  var isCancelled: Bool { source.hasBeenCancelled }

  /// Cancels reading from any thread, even while it waits for a pipe.
  ///
  /// ``next(check:)`` then throws `CancellationError`.
  func cancel() {
    source.cancel()
  }

  /// Cancels reading, and waits until the file is no longer read.
  func stop() {
    cancel()
    state.change { $0.isStopped = true }
    thread.wait()
  }

  // MARK: The reading thread

  private static func fill(_ state: Monitor<State>, from source: ByteSource, _ options: RecordReadingOptions) {
    do {
      let reader = try RecordFile.reader(of: source, options: options)
      state.change { $0.reader = reader }
      while let (batch, type) = nextFree(state) {
        guard try reader.read(into: batch) else { break }
        let types = type?(batch) ?? []
        state.change { $0.filled.append(Block(records: batch, types: types)) }
      }
      state.change { $0.isAtEnd = true }
    } catch {
      state.change { ($0.failure, $0.isAtEnd) = (error, true) }
    }
  }

  private static func nextFree(_ state: Monitor<State>) -> (RecordBatch, ((RecordBatch) -> [ImportType])?)? {
    state.wait { state in
      if state.isStopped { return .some(nil) }
      guard let batch = state.free.popLast() else { return nil }
      return .some((batch, state.type))
    }
  }

  // MARK: The writing thread

  /// The first records of a file, with its parser.
  struct Head {
    let reader: any RecordReader
    var blocks: [Block]

    /// Returns the reason why records without columns cannot become a table: the first fault, or else that the file is empty.
    func failure(path: String) -> FileReadError {
      let fault = blocks.lazy.compactMap(\.records.faults.first).first
      return FileReadError(kind: fault.map { .unreadable($0, records: 0) } ?? .empty, path: path)
    }
  }

  /// Reads the first records, up to a number of bytes of the file, without types.
  ///
  /// Later errors are thrown by ``next(check:)``.
  ///
  /// - Parameter check: Called several times a second while waiting for the file. Its errors are thrown.
  /// - Throws: ``FileReadError`` if the file has no records at all.
  func head(bytes: Int, check: () throws -> Void) throws -> Head {
    let found: (any RecordReader)? = try wait(check) { state in
      if let reader = state.reader { return .some(reader) }
      return state.isAtEnd ? .some(nil) : nil
    }
    guard let reader = found else { throw state.read(\.failure) ?? CancellationError() }
    var blocks: [Block] = []
    while blocks.last.map({ $0.records.sourceOffset < bytes }) ?? true, blocks.count < Self.headBlockCount {
      state.change { $0.free.append(RecordBatch()) }
      guard let block = try nextBlock(check) else { break }
      blocks.append(block)
    }
    if blocks.isEmpty, let failure = state.read(\.failure) { throw failure }
    return Head(reader: reader, blocks: blocks)
  }

  /// Begins to read the records after the head.
  ///
  /// The reading thread calls a function to type them.
  func resume(typing type: @escaping @Sendable (RecordBatch) -> [ImportType]) {
    state.change { state in
      state.type = type
      while state.free.count < Self.blockCount { state.free.append(RecordBatch()) }
    }
  }

  /// Returns the next records, or nil at the end.
  ///
  /// - Parameter check: See ``head(bytes:check:)``.
  /// - Throws: ``FileReadError``, after all records before the fault.
  func next(check: () throws -> Void) throws -> Block? {
    if let block = try nextBlock(check) { return block }
    if let failure = state.read(\.failure) { throw failure }
    return nil
  }

  /// Returns a batch for reuse.
  func recycle(_ block: Block) {
    state.change { state in
      if state.free.count < Self.blockCount { state.free.append(block.records) }
    }
  }

  private func nextBlock(_ check: () throws -> Void) throws -> Block? {
    try wait(check) { state in
      if !state.filled.isEmpty { return .some(state.filled.removeFirst()) }
      return state.isAtEnd ? .some(nil) : nil
    }
  }

  private func wait<Result>(_ check: () throws -> Void, _ body: (inout State) -> Result?) throws -> Result {
    while true {
      if let result = state.wait(upTo: .milliseconds(50), body) { return result }
      try check()
    }
  }
}
