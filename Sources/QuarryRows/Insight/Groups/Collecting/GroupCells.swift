internal import QuarryEngine

/// The values of the aggregates, those of a cell beside each other: one cell for each group, or for each group and column of a pivot.
struct GroupCells: ~Copyable {
  /// An aggregate, and where its value is.
  private struct Place {
    var function: GroupAggregate
    /// The index of the operand; negative for the number of rows.
    var operand: Int
    /// The position in a cell, in words of 8 bytes.
    var offset: Int
  }

  private let places: UnsafeMutableBufferPointer<Place>
  /// The size of a cell in words.
  private let width: Int
  private let words = GrowingBuffer<UInt64>()
  /// The texts and blobs among the extremes.
  private var bytes: [[UInt8]] = []

  /// - Parameter values: Aggregates that ``GroupCollection`` supports.
  init(_ values: [GroupValue]) {
    places = .allocate(capacity: values.count)
    var width = 0
    for (index, value) in values.enumerated() {
      places.initializeElement(at: index, to: Place(function: value.function, operand: value.operand ?? -1, offset: width))
      width += value.function.size
    }
    self.width = width
  }

  deinit { places.deallocate() }

  /// The approximate memory in bytes.
  var size: Int { words.size + bytes.count * 64 }

  /// Ensures that there are `count` cells.
  @inline(__always)
  mutating func grow(to count: Int) { words.grow(to: count &* width) }

  /// Reads the first and the last word of a cell, so that both are in the processor's cache when a row is added.
  @inline(__always)
  func touch(_ cell: Int) -> UInt64 {
    width == 0 ? 0 : words[cell &* width] ^ words[cell &* width &+ width &- 1]
  }

  /// Adds a row to a cell.
  ///
  /// - Parameter operands: The values of the operands in the row.
  /// - Throws: ``UncollectableGroups`` if the sum of a text or blob is needed.
  @inline(__always)
  mutating func add(_ operands: UnsafeBufferPointer<BorrowedValue>, to cell: Int) throws {
    let start = UnsafeMutableRawPointer(words.address(of: cell &* width))
    for place in places {
      let address = start + place.offset &* 8
      switch place.function {
      case .count:
        if place.operand >= 0, case .null = operands[place.operand] { continue }
        address.assumingMemoryBound(to: Int.self).pointee &+= 1
      case .sum, .total, .avg: try address.assumingMemoryBound(to: GroupSum.self).pointee.add(operands[place.operand])
      case .min: take(operands[place.operand], isMin: true, address.assumingMemoryBound(to: GroupExtreme.self))
      case .max: take(operands[place.operand], isMin: false, address.assumingMemoryBound(to: GroupExtreme.self))
      case .groupConcat: break
      }
    }
  }

  @inline(__always)
  private mutating func take(_ value: BorrowedValue, isMin: Bool, _ known: UnsafeMutablePointer<GroupExtreme>) {
    switch value {
    case .null: break
    case .integer(let integer): known.pointee.take(GroupExtreme(.integer, UInt64(bitPattern: integer)), isMin: isMin)
    case .real(let real): known.pointee.take(GroupExtreme(.real, real.bitPattern), isMin: isMin)
    case .text(let text): take(text, .text, isMin: isMin, known)
    case .blob(let blob): take(blob, .blob, isMin: isMin, known)
    }
  }

  private mutating func take(
    _ value: UnsafeRawBufferPointer, _ kind: GroupExtreme.Kind, isMin: Bool, _ known: UnsafeMutablePointer<GroupExtreme>
  ) {
    guard known.pointee.kind == kind else {
      guard known.pointee.gives(wayTo: kind, isMin: isMin) else { return }
      known.pointee = GroupExtreme(kind, UInt64(bytes.count))
      return bytes.append(Array(value))
    }
    let index = Int(known.pointee.bits)
    let order = bytes[index].withUnsafeBytes { ByteOrder.bytes.compare(value, $0) }
    if isMin ? order < 0 : order > 0 { bytes[index] = Array(value) }
  }

  /// Adds a cell of other rows.
  mutating func merge(_ other: borrowing GroupCells, cell: Int, into own: Int) {
    for place in places {
      let address = UnsafeMutableRawPointer(words.address(of: own * width + place.offset))
      let added = UnsafeMutableRawPointer(other.words.address(of: cell * width + place.offset))
      switch place.function {
      case .count: address.assumingMemoryBound(to: Int.self).pointee += added.assumingMemoryBound(to: Int.self).pointee
      case .sum, .total, .avg:
        address.assumingMemoryBound(to: GroupSum.self).pointee.merge(added.assumingMemoryBound(to: GroupSum.self).pointee)
      case .min, .max:
        let extreme = added.assumingMemoryBound(to: GroupExtreme.self).pointee
        let (known, isMin) = (address.assumingMemoryBound(to: GroupExtreme.self), place.function == .min)
        switch extreme.kind {
        case .none: break
        case .integer, .real: known.pointee.take(extreme, isMin: isMin)
        case .text, .blob: other.bytes[Int(extreme.bits)].withUnsafeBytes { take($0, extreme.kind, isMin: isMin, known) }
        }
      case .groupConcat: break
      }
    }
  }

  /// Returns the value of an aggregate in a cell.
  ///
  /// - Throws: `DatabaseError` if a sum of integers overflows, as in SQLite.
  func value(_ index: Int, of cell: Int) throws -> StoredValue {
    let place = places[index]
    let address = UnsafeMutableRawPointer(words.address(of: cell * width + place.offset))
    switch place.function {
    case .count: return .value(.integer(Int64(address.assumingMemoryBound(to: Int.self).pointee)))
    case .sum: return .value(try address.assumingMemoryBound(to: GroupSum.self).pointee.sum())
    case .total: return .value(.real(address.assumingMemoryBound(to: GroupSum.self).pointee.total))
    case .avg: return .value(address.assumingMemoryBound(to: GroupSum.self).pointee.average)
    case .min, .max: return address.assumingMemoryBound(to: GroupExtreme.self).pointee.value { bytes[$0] }
    case .groupConcat: return .null
    }
  }
}

extension GroupAggregate {
  /// The size of its value in a cell, in words of 8 bytes.
  fileprivate var size: Int {
    switch self {
    case .count: 1
    case .sum, .total, .avg: MemoryLayout<GroupSum>.stride / 8
    case .min, .max: MemoryLayout<GroupExtreme>.stride / 8
    case .groupConcat: 0
    }
  }
}

/// The least or greatest value so far.
struct GroupExtreme: BitwiseCopyable {
  /// The storage classes in SQLite's order of values, except that integers and reals have one order.
  enum Kind: UInt8, BitwiseCopyable {
    case none, integer, real, text, blob
  }

  /// The bits of a number, or the index of a text or blob.
  var bits: UInt64
  var kind: Kind

  @inline(__always)
  init(_ kind: Kind, _ bits: UInt64) { (self.kind, self.bits) = (kind, bits) }

  private var integer: Int64 { Int64(bitPattern: bits) }
  private var real: Double { Double(bitPattern: bits) }

  /// Replaces the value by a number if that is less, or greater.
  @inline(__always)
  mutating func take(_ number: GroupExtreme, isMin: Bool) {
    let order = kind == .none ? 0 : number.compare(self)
    if kind == .none || (isMin ? order < 0 : order > 0) { self = number }
  }

  /// Returns whether any text, or blob, is less, or greater, than the value, whose storage class is another.
  func gives(wayTo kind: Kind, isMin: Bool) -> Bool {
    self.kind == .none || (isMin ? kind.rawValue < self.kind.rawValue : kind.rawValue > self.kind.rawValue)
  }

  /// Compares this number with another value: negative if this comes first, 0 if both are equal.
  @inline(__always)
  private func compare(_ other: GroupExtreme) -> Int {
    switch (kind, other.kind) {
    case (.integer, .integer): integer < other.integer ? -1 : integer > other.integer ? 1 : 0
    case (.real, .real): real < other.real ? -1 : real > other.real ? 1 : 0
    case (.integer, .real): NumberKey.compare(integer, other.real)
    case (.real, .integer): -NumberKey.compare(other.integer, real)
    default: -1
    }
  }

  func value(_ bytes: (Int) -> [UInt8]) -> StoredValue {
    switch kind {
    case .none: return .null
    case .integer: return .value(.integer(integer))
    case .real: return .value(.real(real))
    case .text:
      let text = bytes(Int(bits))
      return String(validating: text, as: UTF8.self).map { .value(.text($0)) } ?? .rawText(text)
    case .blob: return .value(.blob(bytes(Int(bits))))
    }
  }
}
