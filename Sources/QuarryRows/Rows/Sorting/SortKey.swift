internal import QuarryEngine

/// The values of an order's terms, encoded so that comparing the bytes is equivalent to comparing the values in SQLite: NULL, numbers by
/// value, texts by their collation, blobs.
///
/// The first eight bytes nearly always suffice; the remaining bytes are compared only if these are equal.
struct SortKey {
  private let rule: SortRule
  private let furtherRules: [SortRule]
  private let isSingle: Bool
  /// The first term: a whole number, or the first bytes of a text or blob.
  private(set) var prefix: UInt64 = 0
  /// The bytes after the prefix; empty if the prefix suffices.
  private(set) var tail: [UInt8] = []

  init(_ rules: SortRules) {
    rule = rules.first
    furtherRules = rules.further
    isSingle = furtherRules.isEmpty
  }

  /// Creates the key of a row, whose values of the terms begin at a column.
  ///
  /// - Throws: ``SortRefusal`` for a text that may not be compared by its bytes.
  @inline(__always)
  mutating func read(_ row: BorrowedRow, from column: Int) throws {
    if !tail.isEmpty { tail.removeAll(keepingCapacity: true) }
    try readFirst(row.value(at: column), rule)
    if isSingle { return }
    for (index, rule) in furtherRules.enumerated() { try append(row.value(at: column + 1 + index), rule) }
  }

  // MARK: The first term

  private mutating func readFirst(_ value: BorrowedValue, _ rule: SortRule) throws {
    switch value {
    case .null:
      prefix = rule.areNullsFirst ? 0 : .max
      return
    case .real(let real):
      prefix = Self.ordered(real)
      if !isSingle { appendRest(0) }
    case .integer(let integer):
      let (real, rest) = Self.split(integer)
      prefix = Self.ordered(real)
      if rest > 0 || !isSingle { appendRest(rest) }
    case .text(let bytes): readFirst(try Self.compared(bytes, rule), isText: true, Self.isFolded(rule))
    case .blob(let bytes): readFirst(bytes, isText: false, false)
    }
    if rule.isDescending { complement(from: 0) }
    if rule.isDescending { prefix = ~prefix }
  }

  /// The number of a text's or blob's own bytes in the prefix, after two bytes that no number begins with.
  private static let prefixed = 6

  private mutating func readFirst(_ bytes: UnsafeRawBufferPointer, isText: Bool, _ isFolded: Bool) {
    var head: UInt64 = 0
    var hasZero = false
    for index in 0..<Self.prefixed {
      let byte = index < bytes.count ? isFolded ? bytes[index].asciiLowercased : bytes[index] : 0
      if byte == 0, index < bytes.count { hasZero = true }
      head = head << 8 | UInt64(byte)
    }
    prefix = (isText ? 0xFFF1 : 0xFFF2) << 48 | head
    // A byte 0 looks like the end of a shorter value.
    if hasZero { return append(bytes, isFolded) }
    if bytes.count > Self.prefixed || !isSingle { append(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Self.prefixed)), isFolded) }
  }

  // MARK: Following terms

  private mutating func append(_ value: BorrowedValue, _ rule: SortRule) throws {
    let start = tail.count
    switch value {
    case .null:
      tail.append(rule.areNullsFirst ? 0 : .max)
      return
    case .real(let real): append(real, rest: 0)
    case .integer(let integer):
      let (real, rest) = Self.split(integer)
      append(real, rest: rest)
    case .text(let bytes):
      tail.append(2)
      append(try Self.compared(bytes, rule), Self.isFolded(rule))
    case .blob(let bytes):
      tail.append(3)
      append(bytes, false)
    }
    if rule.isDescending { complement(from: start) }
  }

  private mutating func append(_ real: Double, rest: UInt16) {
    tail.append(1)
    let bits = Self.ordered(real)
    for shift in stride(from: 56, through: 0, by: -8) { tail.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    appendRest(rest)
  }

  private mutating func appendRest(_ rest: UInt16) {
    tail.append(UInt8(rest >> 8))
    tail.append(UInt8(rest & 0xFF))
  }

  /// Appends bytes and an end mark that sorts before any following byte.
  private mutating func append(_ bytes: UnsafeRawBufferPointer, _ isFolded: Bool) {
    for byte in bytes {
      tail.append(isFolded ? byte.asciiLowercased : byte)
      if byte == 0 { tail.append(.max) }
    }
    tail.append(0)
    tail.append(0)
  }

  private mutating func complement(from start: Int) {
    for index in start..<tail.count { tail[index] = ~tail[index] }
  }

  // MARK: Values

  private static func isFolded(_ rule: SortRule) -> Bool { rule.collation == .nocase }

  /// Returns the compared bytes of a text.
  private static func compared(_ bytes: UnsafeRawBufferPointer, _ rule: SortRule) throws -> UnsafeRawBufferPointer {
    switch rule.collation {
    case nil: throw SortRefusal()
    case .binary?: return bytes
    case .nocase?:
      // After a byte 0, SQLite compares only lengths.
      if bytes.contains(0) { throw SortRefusal() }
      return bytes
    case .rtrim?: return TextCollation.withoutBlanksAtEnd(bytes)
    }
  }

  /// Returns bits that sort as unsigned integers like the numbers they encode.
  private static func ordered(_ real: Double) -> UInt64 {
    // The two zeros are the same number.
    let bits = (real == 0 ? 0 : real).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  /// Splits an integer into the greatest real that does not exceed it, and the rest.
  private static func split(_ integer: Int64) -> (real: Double, rest: UInt16) {
    let nearest = Double(integer)
    if integer.magnitude <= 1 << 53 { return (nearest, 0) }
    let real = nearest >= 0x1p63 || Int64(nearest) > integer ? nearest.nextDown : nearest
    return (real, UInt16(integer - Int64(real)))
  }
}

/// The error if rows cannot be sorted outside SQLite: texts are not compared by their bytes, or the keys take too much memory.
struct SortRefusal: Error {}
