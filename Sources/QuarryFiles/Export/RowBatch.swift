internal import QuarryEngine

/// Rows that one thread has read and another thread may format: consecutive values as bytes.
///
/// A value is a byte for its storage class, followed by the eight bytes of a number, or by the length and the bytes of a text or blob. Of a
/// large value only the address is stored, so that it is not copied. The batch is then valid only until the statement's next step.
struct RowBatch: ~Copyable {
  let columnCount: Int
  private var bytes = ByteBuffer(capacity: capacity + 4096)
  private(set) var rowCount = 0
  /// Whether a value is still in SQLite's memory.
  private(set) var isBorrowing = false
  /// The number of bytes of borrowed values in the row being added.
  private var lentCount = 0

  /// The size in bytes from which a batch is full.
  private static let capacity = 256 << 10
  /// The maximum number of bytes of text for one byte of a value, as `\u001f` in JSON.
  private static let greatestGrowth = 6
  /// The size in bytes from which a text or blob is not copied.
  private static let largeValue = 32 << 10

  fileprivate enum Tag: UInt8 {
    case null, integer, real, text, blob, lentText, lentBlob
  }

  init(columnCount: Int) {
    self.columnCount = columnCount
  }

  /// Whether the rows must be written before more are added.
  var isFull: Bool { isBorrowing || bytes.count >= Self.capacity }

  /// Adds the current row of a statement that has at least as many columns.
  ///
  /// - Throws: `DatabaseError`, with `SQLITE_NOMEM` if there is not enough memory for the text of the row.
  mutating func append(_ statement: Statement) throws {
    let start = bytes.count
    lentCount = 0
    do {
      for value in try statement.borrowedValues(first: columnCount) { append(value, mayBorrow: true) }
      try MemoryRoom.require(lentCount * Self.greatestGrowth)
    } catch {
      bytes.truncate(to: start)
      throw error
    }
    rowCount += 1
  }

  /// Adds a row with one value per column.
  ///
  /// - Parameter lend: Lends a value during the call.
  mutating func append<Values: Collection>(
    _ values: Values, _ lend: (Values.Element, (BorrowedValue) -> Void) throws -> Void
  ) rethrows {
    precondition(values.count == columnCount, "a row of \(values.count) values for \(columnCount) columns")
    let start = bytes.count
    do {
      for value in values { try lend(value) { append($0, mayBorrow: false) } }
    } catch {
      bytes.truncate(to: start)
      throw error
    }
    rowCount += 1
  }

  mutating func removeAll() {
    bytes.truncate(to: 0)
    rowCount = 0
    isBorrowing = false
  }

  @inline(__always)
  private mutating func append(_ value: BorrowedValue, mayBorrow: Bool) {
    switch value {
    case .null: bytes.append(Tag.null.rawValue)
    case .integer(let value): append(.integer, value)
    case .real(let value): append(.real, value)
    case .text(let value) where mayBorrow && value.count >= Self.largeValue: lend(value, as: .lentText)
    case .blob(let value) where mayBorrow && value.count >= Self.largeValue: lend(value, as: .lentBlob)
    case .text(let value): append(.text, value.count, value)
    case .blob(let value): append(.blob, value.count, value)
    }
  }

  @inline(__always)
  private mutating func append(_ tag: Tag, _ number: some BitwiseCopyable, _ content: UnsafeRawBufferPointer? = nil) {
    let destination = UnsafeMutableRawPointer(bytes.reserve(9))
    destination.storeBytes(of: tag.rawValue, as: UInt8.self)
    destination.storeBytes(of: number, toByteOffset: 1, as: type(of: number))
    bytes.advance(by: 9)
    if let content { bytes.append(content) }
  }

  private mutating func lend(_ content: UnsafeRawBufferPointer, as tag: Tag) {
    append(tag, content.count)
    lentCount += content.count
    withUnsafeBytes(of: content.baseAddress) { bytes.append($0) }
    isBorrowing = true
  }

  /// The values of all rows, row by row from left to right.
  var values: Values { Values(bytes.bytes) }

  /// An iterator that lends the added values.
  ///
  /// They are valid until the batch is changed.
  struct Values {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
    }

    @inline(__always)
    mutating func next() -> BorrowedValue {
      switch Tag(rawValue: take(as: UInt8.self)) {
      case .integer: .integer(take(as: Int64.self))
      case .real: .real(take(as: Double.self))
      case .text: .text(takeBytes())
      case .blob: .blob(takeBytes())
      case .lentText: .text(takeLent())
      case .lentBlob: .blob(takeLent())
      case .null, nil: .null
      }
    }

    @inline(__always)
    private mutating func take<Value: BitwiseCopyable>(as type: Value.Type) -> Value {
      defer { offset &+= MemoryLayout<Value>.size }
      return bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }

    @inline(__always)
    private mutating func takeBytes() -> UnsafeRawBufferPointer {
      let count = take(as: Int.self)
      defer { offset &+= count }
      return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset &+ count])
    }

    private mutating func takeLent() -> UnsafeRawBufferPointer {
      let count = take(as: Int.self)
      return UnsafeRawBufferPointer(start: take(as: UnsafeRawPointer?.self), count: count)
    }
  }
}
