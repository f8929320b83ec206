/// Evenly spaced elements of a run, which stay in memory if the run itself is in a file.
package struct RunSample<Element: Sendable>: Sendable {
  let elements: [Element]
  private let count: Int
  private let stride: Int

  /// Creates a sample of a run.
  ///
  /// - Parameters:
  ///   - count: The number of elements of the run.
  ///   - stride: The distance between sampled elements.
  package init(of count: Int, stride: Int, _ element: (Int) -> Element) {
    (self.count, self.stride) = (count, stride)
    elements = Swift.stride(from: stride / 2, to: count, by: stride).map(element)
  }

  /// Returns the index of the run's first element that does not precede a position.
  ///
  /// - Parameters:
  ///   - sampledPrecedes: Returns whether an element of the sample precedes the position.
  ///   - precedes: Returns whether the element of the run with an index precedes it.
  @inline(__always)
  package func lowerBound(_ sampledPrecedes: (Element) -> Bool, precedes: (Int) -> Bool) -> Int {
    let next = Self.firstIndex(in: 0..<elements.count) { !sampledPrecedes(elements[$0]) }
    let start = next > 0 ? (next - 1) * stride + stride / 2 + 1 : 0
    return Self.firstIndex(in: start..<(next < elements.count ? next * stride + stride / 2 : count)) { !precedes($0) }
  }

  /// Returns the first index of a range for which `isBehind` is true; the range's end if it is false for all indices.
  @inline(__always)
  private static func firstIndex(in range: Range<Int>, _ isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
