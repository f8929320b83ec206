/// A search for a text in bytes as in LIKE, ignoring the case of ASCII letters; all other bytes are literal.
///
/// Sixteen positions are compared at once by the first and the last byte of the text. The rest is compared only where both match.
package struct TextMatcher {
  /// The text, with its ASCII letters in lower case.
  private let needle: UnsafeRawBufferPointer
  private let first: BytePair
  private let last: BytePair

  /// The two cases of a byte in each lane.
  private struct BytePair {
    let lower: SIMD16<UInt8>
    let upper: SIMD16<UInt8>

    init(_ byte: UInt8) {
      lower = SIMD16(repeating: byte)
      upper = SIMD16(repeating: (0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
    }

    /// Returns 0xFF in each lane with the byte.
    @inline(__always)
    func lanes(in block: SIMD16<UInt8>) -> SIMD2<UInt64> {
      unsafeBitCast((block .== lower) .| (block .== upper), to: SIMD2<UInt64>.self)
    }
  }

  /// Creates a matcher of bytes that outlive it.
  ///
  /// - Parameter needle: The text, with its ASCII letters in lower case.
  package init(_ needle: UnsafeRawBufferPointer) {
    self.needle = needle
    first = BytePair(needle.first ?? 0)
    last = BytePair(needle.last ?? 0)
  }

  /// Returns the offset of the first occurrence of the text; nil if the text does not occur.
  ///
  /// An empty text occurs everywhere.
  @inline(__always)
  package func offset(in text: UnsafeRawBufferPointer) -> Int? {
    guard needle.count > 0 else { return 0 }
    let end = text.count - needle.count
    guard end >= 0, let start = text.baseAddress else { return nil }
    return end < 15 ? shortOffset(in: start, count: text.count, end: end) : longOffset(in: start, end: end)
  }

  /// Searches sixteen or more positions.
  ///
  /// - Parameter end: The last position at which the text may begin.
  private func longOffset(in start: UnsafeRawPointer, end: Int) -> Int? {
    var place = 0
    while true {
      let heads = first.lanes(in: start.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self))
      let tails = last.lanes(in: start.loadUnaligned(fromByteOffset: place + needle.count - 1, as: SIMD16<UInt8>.self))
      let both = heads & tails
      if both.x | both.y != 0, let lane = match(in: both, at: start + place) { return place + lane }
      if place == end - 15 { return nil }
      // The last sixteen positions may overlap the preceding ones.
      place = min(place + 16, end - 15)
    }
  }

  /// Searches fewer than sixteen positions.
  private func shortOffset(in start: UnsafeRawPointer, count: Int, end: Int) -> Int? {
    let block = count >= 16 ? start.loadUnaligned(as: SIMD16<UInt8>.self) : Self.block(at: start, count: count)
    var heads = first.lanes(in: block)
    if end < 7 { heads = SIMD2(heads.x & (1 << UInt64(8 * end + 8) - 1), 0) }
    if end >= 7 { heads.y &= 1 << UInt64(8 * (end - 7)) - 1 }
    return heads.x | heads.y == 0 ? nil : match(in: heads, at: start)
  }

  /// Returns the first of some lanes at which the whole text matches.
  private func match(in lanes: SIMD2<UInt64>, at start: UnsafeRawPointer) -> Int? {
    for half in 0..<2 {
      var rest = lanes[half]
      while rest != 0 {
        let lane = rest.trailingZeroBitCount / 8
        if isMatch(at: start + 8 * half + lane) { return 8 * half + lane }
        rest &= ~(0xFF << UInt64(8 * lane))
      }
    }
    return nil
  }

  private func isMatch(at start: UnsafeRawPointer) -> Bool {
    for index in 0..<needle.count where start.load(fromByteOffset: index, as: UInt8.self).asciiLowercased != needle[index] { return false }
    return true
  }

  /// Loads fewer than sixteen bytes, followed by zeros, without reading beyond them.
  private static func block(at start: UnsafeRawPointer, count: Int) -> SIMD16<UInt8> {
    var halves = SIMD2<UInt64>()
    switch count {
    case 8...:
      halves.x = start.loadUnaligned(as: UInt64.self)
      halves.y = start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) >> UInt64(8 * (16 - count))
    case 4...:
      let tail = UInt64(start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      halves.x = UInt64(start.loadUnaligned(as: UInt32.self)) | tail << UInt64(8 * (count - 4))
    default:
      for index in 0..<count { halves.x |= UInt64(start.load(fromByteOffset: index, as: UInt8.self)) << UInt64(8 * index) }
    }
    // Lane 0 is the byte at the lowest address, because Swift's platforms are little-endian.
    return unsafeBitCast(halves, to: SIMD16<UInt8>.self)
  }
}
