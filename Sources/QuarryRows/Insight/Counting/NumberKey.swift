internal import QuarryEngine

/// Unsigned integers that represent numbers in their order: one order for all integers, and one for all reals.
enum NumberKey {
  @inline(__always)
  static func key(of integer: Int64) -> UInt64 { UInt64(bitPattern: integer) ^ 1 << 63 }

  @inline(__always)
  static func integer(of key: UInt64) -> Int64 { Int64(bitPattern: key ^ 1 << 63) }

  @inline(__always)
  static func key(of real: Double) -> UInt64 {
    // The two zeros are the same number.
    let bits = (real == 0 ? 0 : real).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  @inline(__always)
  static func real(of key: UInt64) -> Double { Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key) }

  /// Returns a negative number if an integer is less than a real, 0 if they are equal, a positive number if it is greater.
  @inline(__always)
  static func compare(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let floor = real.rounded(.down)
    let whole = Int64(floor)
    if integer != whole { return integer < whole ? -1 : 1 }
    return real > floor ? -1 : 0
  }
}

/// A bound between numbers: a number and all greater ones are after it.
struct NumberBound: Hashable, Sendable {
  /// The key of the first integer after it; nil if no integer is after it.
  var integer: UInt64?
  /// The key of the first real after it; nil if no real is after it.
  var real: UInt64?

  init(_ integer: Int64) {
    self.integer = NumberKey.key(of: integer)
    let nearest = Double(integer)
    real = NumberKey.key(of: NumberKey.compare(integer, nearest) > 0 ? nearest.nextUp : nearest)
  }

  init(_ real: Double) {
    self.real = NumberKey.key(of: real)
    let whole = real.rounded(.up)
    integer = whole >= 0x1p63 ? nil : NumberKey.key(of: whole < -0x1p63 ? .min : Int64(whole))
  }

  /// Creates the bound of a value; nil if it is not a number.
  init?(_ value: DatabaseValue) {
    switch value {
    case .integer(let integer): self.init(integer)
    case .real(let real): self.init(real)
    case .null, .text, .blob: return nil
    }
  }
}

/// A number and its count.
struct NumberCount: BitwiseCopyable {
  var key: UInt64
  var isReal: Bool
  var count: Int

  var value: DatabaseValue { isReal ? .real(NumberKey.real(of: key)) : .integer(NumberKey.integer(of: key)) }
}

extension [NumberCount] {
  /// Merges the counts of integers with those of reals; equal numbers are combined as an integer.
  static func merging(_ integers: [NumberCount], _ reals: [NumberCount]) -> [NumberCount] {
    if reals.isEmpty { return integers }
    if integers.isEmpty { return reals }
    var merged: [NumberCount] = []
    merged.reserveCapacity(integers.count + reals.count)
    var (left, right) = (integers[...], reals[...])
    while let integer = left.first, let real = right.first {
      let order = NumberKey.compare(NumberKey.integer(of: integer.key), NumberKey.real(of: real.key))
      if order == 0 {
        merged.append(NumberCount(key: integer.key, isReal: false, count: integer.count + real.count))
      } else {
        merged.append(order < 0 ? integer : real)
      }
      if order <= 0 { left.removeFirst() }
      if order >= 0 { right.removeFirst() }
    }
    return merged + left + right
  }
}
