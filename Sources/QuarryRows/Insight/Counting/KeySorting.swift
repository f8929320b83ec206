/// Sorting of 64-bit keys by their bytes, from the last to the first.
package enum KeySorting {
  /// Sorts keys.
  ///
  /// - Parameter room: Temporary memory of the same size as the keys.
  static func sort(_ keys: UnsafeMutableBufferPointer<UInt64>, _ room: UnsafeMutableBufferPointer<UInt64>) {
    sort(keys, room) { $0 }
  }

  /// Returns whether no key is less than the preceding one.
  static func isSorted(_ keys: UnsafeBufferPointer<UInt64>) -> Bool {
    guard let start = keys.baseAddress, keys.count > 1 else { return true }
    for index in 1..<keys.count where start[index] < start[index - 1] { return false }
    return true
  }

  /// Sorts elements by their keys; elements with equal keys stay in order.
  @inline(__always)
  static func sort<Element: BitwiseCopyable>(
    _ elements: UnsafeMutableBufferPointer<Element>, _ room: UnsafeMutableBufferPointer<Element>, by key: (Element) -> UInt64
  ) {
    guard elements.count > 1, let start = elements.baseAddress, let roomStart = room.baseAddress else { return }
    if elements.count <= 24 { return sortFew(start, elements.count, by: key) }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 8 * 256) { counts in
      counts.initialize(repeating: 0)
      let differing = count(start, elements.count, into: counts, by: key)
      var (from, to) = (start, roomStart)
      for byte in 0..<8 where differing >> UInt64(8 * byte) & 0xFF != 0 {
        move(from, elements.count, to: to, UnsafeMutableBufferPointer(rebasing: counts[256 * byte..<256 * (byte + 1)]), byte, by: key)
        swap(&from, &to)
      }
      if from != start { start.update(from: from, count: elements.count) }
    }
  }

  /// Counts the values of each of the eight bytes; returns the bits in which keys differ.
  @inline(__always)
  private static func count<Element: BitwiseCopyable>(
    _ elements: UnsafeMutablePointer<Element>, _ count: Int, into counts: UnsafeMutableBufferPointer<UInt32>, by key: (Element) -> UInt64
  ) -> UInt64 {
    let first = key(elements[0])
    var differing: UInt64 = 0
    for index in 0..<count { differing |= key(elements[index]) ^ first }
    guard let counts = counts.baseAddress else { return differing }
    for byte in 0..<8 where differing >> UInt64(8 * byte) & 0xFF != 0 {
      let table = counts + 256 * byte
      for index in 0..<count { table[Int(key(elements[index]) >> UInt64(8 * byte) & 0xFF)] &+= 1 }
    }
    return differing
  }

  /// Moves elements to their positions by one byte.
  @inline(__always)
  private static func move<Element: BitwiseCopyable>(
    _ from: UnsafeMutablePointer<Element>, _ count: Int, to: UnsafeMutablePointer<Element>,
    _ counts: UnsafeMutableBufferPointer<UInt32>, _ byte: Int, by key: (Element) -> UInt64
  ) {
    guard let offsets = counts.baseAddress else { return }
    var next: UInt32 = 0
    for value in 0..<256 {
      let count = offsets[value]
      offsets[value] = next
      next &+= count
    }
    for index in 0..<count {
      let element = from[index]
      let value = Int(key(element) >> UInt64(8 * byte) & 0xFF)
      to[Int(offsets[value])] = element
      offsets[value] &+= 1
    }
  }

  /// Sorts a few elements by insertion.
  @inline(__always)
  private static func sortFew<Element: BitwiseCopyable>(
    _ elements: UnsafeMutablePointer<Element>, _ count: Int, by key: (Element) -> UInt64
  ) {
    for index in 1..<count {
      let element = elements[index]
      var place = index
      while place > 0, key(elements[place - 1]) > key(element) {
        elements[place] = elements[place - 1]
        place -= 1
      }
      elements[place] = element
    }
  }

  // MARK: Merging

  /// The maximum number of sorted slices for which merging is faster than sorting.
  static let mergeLimit = 8

  /// Merges sorted slices in pairs until one is left.
  ///
  /// - Parameters:
  ///   - room: Temporary memory of the same size as the keys.
  ///   - bounds: The beginning of each slice, and the end of the last.
  /// - Returns: The one of the two buffers that contains the sorted keys.
  package static func merge(
    _ keys: UnsafeMutableBufferPointer<UInt64>, _ room: UnsafeMutableBufferPointer<UInt64>, _ bounds: [Int]
  ) -> UnsafeMutableBufferPointer<UInt64> {
    var (from, to, bounds) = (keys, room, bounds)
    while bounds.count > 2 {
      var merged = [0]
      for index in stride(from: 0, to: bounds.count - 1, by: 2) {
        let (start, middle) = (bounds[index], bounds[index + 1])
        let end = index + 2 < bounds.count ? bounds[index + 2] : middle
        merge(from, start..<middle, middle..<end, to: to)
        merged.append(end)
      }
      bounds = merged
      swap(&from, &to)
    }
    return from
  }

  /// Merges two adjacent slices.
  private static func merge(
    _ keys: UnsafeMutableBufferPointer<UInt64>, _ first: Range<Int>, _ second: Range<Int>, to room: UnsafeMutableBufferPointer<UInt64>
  ) {
    guard let from = keys.baseAddress, let to = room.baseAddress else { return }
    var (one, other, place) = (first.lowerBound, second.lowerBound, first.lowerBound)
    while one < first.upperBound, other < second.upperBound {
      // Branch-free, because the result of the comparison is unpredictable.
      let isOther = from[other] < from[one] ? 1 : 0
      to[place] = isOther == 1 ? from[other] : from[one]
      other &+= isOther
      one &+= 1 - isOther
      place &+= 1
    }
    let rest = one < first.upperBound ? one..<first.upperBound : other..<second.upperBound
    (to + place).update(from: from + rest.lowerBound, count: rest.count)
  }
}
