/// Hashes of values grouped by their first bits, which suffices to count distinct hashes.
package final class HashRun: @unchecked Sendable {
  // Sendable because it never changes.
  /// The beginning of each group among the hashes, and the end of the last.
  private let starts: UnsafeBufferPointer<UInt32>
  private let hashes: UnsafeBufferPointer<UInt64>
  private let memory: RunMemory

  /// The number of bits that determine a hash's group.
  static let groupBits = 10
  static let groupCount = 1 << groupBits

  /// Creates a run from hashes.
  ///
  /// - Parameter room: Temporary memory of the same size as the hashes.
  init(_ hashes: UnsafeBufferPointer<UInt64>, _ room: UnsafeMutableBufferPointer<UInt64>, in store: RunStore) throws {
    let size = hashes.count * MemoryLayout<UInt64>.stride
    memory = try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.groupCount + 2) { places in
      places.initialize(repeating: 0)
      // Each hash is counted two positions after its group, so that the starts are correct after the hashes have been moved.
      for hash in hashes { places[Self.group(of: hash) + 2] &+= 1 }
      for index in 2..<places.count { places[index] &+= places[index - 1] }
      for hash in hashes {
        let group = Self.group(of: hash) + 1
        room[Int(places[group])] = hash
        places[group] &+= 1
      }
      let starts = UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: places[..<(Self.groupCount + 1)]))
      return try store.keep([UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<size]), starts])
    }
    self.hashes = UnsafeRawBufferPointer(rebasing: memory.bytes[..<size]).bindMemory(to: UInt64.self)
    starts = UnsafeRawBufferPointer(rebasing: memory.bytes[size...]).bindMemory(to: UInt32.self)
  }

  @inline(__always)
  private static func group(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> UInt64(64 - groupBits)) }

  /// Returns the hashes of a group, in no order.
  func group(_ index: Int) -> UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(rebasing: hashes[Int(starts[index])..<Int(starts[index + 1])])
  }

  /// Releases memory that can be read again from a file.
  func release() { memory.release() }
}
