internal import QuarryEngine

/// Rows that are added to their groups together.
///
/// Groups lie anywhere in a large memory. For several rows at once, the processor waits for their memory only once.
struct GroupBatch: ~Copyable {
  /// A row, without its operands.
  struct Row: BitwiseCopyable {
    let key: KeyTable.ShortKey
    /// The levels whose integer represents a real, as in ``GroupKey``.
    let wholeReals: UInt64
    /// The column of the pivot, if the value across has one.
    let slot: Int?
    /// The content of the slot at which the search of the key begins.
    fileprivate var found: UInt64 = 0
    /// The number of the group, if it was found there.
    fileprivate(set) var group: Int?
  }

  private let rows: UnsafeMutableBufferPointer<Row>
  private let values: UnsafeMutableBufferPointer<BorrowedValue>
  private let operandCount: Int
  /// The number of rows.
  private(set) var count = 0
  /// Keeps the compiler from removing reads that only serve the processor's cache.
  private var touched: UInt64 = 0

  private static let capacity = 64

  init(operandCount: Int) {
    self.operandCount = operandCount
    rows = .allocate(capacity: Self.capacity)
    values = .allocate(capacity: Self.capacity * operandCount)
  }

  deinit {
    rows.deallocate()
    values.deallocate()
  }

  var isFull: Bool { count == Self.capacity }

  subscript(index: Int) -> Row { rows[index] }

  @inline(__always)
  func operands(of index: Int) -> UnsafeBufferPointer<BorrowedValue> {
    UnsafeBufferPointer(rebasing: values[index &* operandCount..<(index &+ 1) &* operandCount])
  }

  /// Appends a row; returns whether that is possible, which it is for a short key and numbers, because other values must not be kept.
  @inline(__always)
  mutating func append(_ operands: UnsafeBufferPointer<BorrowedValue>, _ key: borrowing GroupKey, slot: Int?) -> Bool {
    guard let short = KeyTable.ShortKey(key.bytes) else { return false }
    let start = count &* operandCount
    for index in 0..<operandCount {
      switch operands[index] {
      case .null, .integer, .real: values.initializeElement(at: start &+ index, to: operands[index])
      case .text, .blob: return false
      }
    }
    rows.initializeElement(at: count, to: Row(key: short, wholeReals: key.wholeReals, slot: slot))
    count &+= 1
    return true
  }

  /// Finds the groups of most rows, and reads their cells.
  @inline(__always)
  mutating func find(in keys: borrowing KeyTable, _ cells: borrowing GroupCells, _ slotCount: Int) {
    for index in 0..<count { rows[index].found = keys.firstSlot(of: rows[index].key) }
    for index in 0..<count {
      let row = rows[index]
      guard let group = keys.known(row.key, in: row.found) else { continue }
      rows[index].group = group
      touched ^= cells.touch(group &* slotCount &+ (row.slot ?? 0))
    }
  }

  mutating func clear() { count = 0 }
}
