internal import Libc

/// An estimate of the number of distinct hashes, in a fixed amount of memory.
///
/// See Ertl, “New cardinality estimation algorithms for HyperLogLog sketches” (2017). This estimate needs no correction for small numbers.
struct HyperLogLog: Sendable {
  private let precision: Int
  private var registers: [UInt8]
  /// The minimum of the registers, and the number of registers with it; a rank that does not exceed it changes nothing.
  private var least: (rank: UInt8, count: Int)

  /// Creates an estimate with 2 to the power of `precision` registers of one byte.
  init(precision: Int) {
    self.precision = precision
    registers = Array(repeating: 0, count: 1 << precision)
    least = (0, registers.count)
  }

  /// The relative error within which an estimate is with a probability of 95 percent.
  var error: Double { 2.08 / Double(registers.count).squareRoot() }

  @inline(__always)
  mutating func add(_ hash: UInt64) {
    let rank = UInt8(truncatingIfNeeded: (hash << UInt64(precision) | 1 << UInt64(precision - 1)).leadingZeroBitCount + 1)
    guard rank > least.rank else { return }
    let register = Int(truncatingIfNeeded: hash >> UInt64(64 - precision))
    let known = registers.withUnsafeMutableBufferPointer { registers in
      let known = registers[register]
      if known < rank { registers[register] = rank }
      return known
    }
    guard known == least.rank else { return }
    least.count &-= 1
    if least.count == 0 { findLeast() }
  }

  private mutating func findLeast() {
    let rank = registers.min() ?? 0
    least = (rank, registers.count { $0 == rank })
  }

  mutating func merge(_ other: HyperLogLog) {
    for index in registers.indices { registers[index] = max(registers[index], other.registers[index]) }
    findLeast()
  }

  /// The estimated number of distinct hashes.
  var estimate: Double {
    var counts = [Double](repeating: 0, count: 66 - precision)
    for register in registers { counts[Int(register)] += 1 }
    let size = Double(registers.count)
    var sum = size * Self.tau(1 - counts[counts.count - 1] / size)
    for count in counts[1..<counts.count - 1].reversed() { sum = (sum + count) / 2 }
    sum += size * Self.sigma(counts[0] / size)
    return size * size / (2 * log(2) * sum)
  }

  private static func sigma(_ share: Double) -> Double {
    if share == 1 { return .infinity }
    var (power, factor, sum, last) = (share, 1.0, share, 0.0)
    repeat {
      power *= power
      last = sum
      sum += power * factor
      factor += factor
    } while sum != last
    return sum
  }

  private static func tau(_ share: Double) -> Double {
    if share == 0 || share == 1 { return 0 }
    var (root, factor, sum, last) = (share, 1.0, 1 - share, 0.0)
    repeat {
      root = root.squareRoot()
      last = sum
      factor /= 2
      sum -= (1 - root) * (1 - root) * factor
    } while sum != last
    return sum / 3
  }
}
