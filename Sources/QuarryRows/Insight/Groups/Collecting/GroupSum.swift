internal import QuarryEngine

/// A sum of numbers: exact as long as all are integers, otherwise with the rounding errors that the additions have lost.
struct GroupSum: BitwiseCopyable {
  /// The sum: an integer, or a real once a real has been added or integers have overflowed.
  private var bits: UInt64 = 0
  /// The sum of the rounding errors, for Neumaier's summation.
  private var error = 0.0
  /// The number of added values in the upper bits, and two flags.
  private var state = 0

  private static let isReal = 1
  private static let overflows = 2
  private static let one = 4

  @inline(__always)
  private var isReal: Bool { state & Self.isReal != 0 }
  private var count: Int { state / Self.one }

  /// Adds a value other than NULL.
  ///
  /// - Throws: ``UncollectableGroups`` for a text or blob.
  @inline(__always)
  mutating func add(_ value: BorrowedValue) throws {
    switch value {
    case .integer(let integer): add(integer)
    case .real(let real): add(real)
    case .null: return
    case .text, .blob: throw UncollectableGroups()
    }
    state &+= Self.one
  }

  @inline(__always)
  private mutating func add(_ integer: Int64) {
    if isReal { return add(Double(integer)) }
    let (sum, overflows) = Int64(bitPattern: bits).addingReportingOverflow(integer)
    if overflows {
      state |= Self.overflows
      add(Double(integer))
    } else {
      bits = UInt64(bitPattern: sum)
    }
  }

  @inline(__always)
  private mutating func add(_ real: Double) {
    if !isReal { becomeReal() }
    let former = Double(bitPattern: bits)
    let sum = former + real
    // The smaller of both loses digits.
    error += abs(former) >= abs(real) ? (former - sum) + real : (real - sum) + former
    bits = sum.bitPattern
  }

  private mutating func becomeReal() {
    bits = Double(Int64(bitPattern: bits)).bitPattern
    state |= Self.isReal
  }

  /// Adds the sum of other values.
  mutating func merge(_ other: GroupSum) {
    guard other.count > 0 else { return }
    if other.isReal {
      add(Double(bitPattern: other.bits))
      error += other.error
    } else {
      add(Int64(bitPattern: other.bits))
    }
    state |= other.state & Self.overflows
    state += other.count * Self.one
  }

  /// The sum as a real, 0.0 for no values.
  var total: Double {
    guard isReal else { return Double(Int64(bitPattern: bits)) }
    let sum = Double(bitPattern: bits)
    // Infinite sums have no rounding error.
    return error.isFinite ? sum + error : sum
  }

  /// The average; NULL for no values.
  var average: DatabaseValue { count == 0 ? .null : .real(total / Double(count)) }

  /// Returns the sum with the storage class of SQLite's: NULL for no values, an integer for integers.
  ///
  /// - Throws: `SQLITE_ERROR` if a sum of integers overflows.
  func sum() throws -> DatabaseValue {
    if count == 0 { return .null }
    if state & Self.overflows != 0 { throw DatabaseError(DatabaseError.SQLITE_ERROR, "integer overflow") }
    return isReal ? .real(total) : .integer(Int64(bitPattern: bits))
  }
}

/// Signals that only SQLite itself can compute the groups.
struct UncollectableGroups: Error {}
