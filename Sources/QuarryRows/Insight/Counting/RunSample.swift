/// Some elements of a run, at equal distances: they stay in memory where the others are in a file.
package struct RunSample<Element: Sendable>: Sendable {
  let elements: [Element]
  private let count: Int
  private let stride: Int

  /// Takes a sample of a run.
  ///
  /// - Parameters:
  ///   - count: The number of elements of the run.
  ///   - stride: The number of elements of which one is taken.
  package init(of count: Int, stride: Int, _ element: (Int) -> Element) {
    (self.count, self.stride) = (count, stride)
    elements = Swift.stride(from: stride / 2, to: count, by: stride).map(element)
  }

  /// Returns the index of the run's first element that does not come before some place.
  ///
  /// - Parameters:
  ///   - sampledPrecedes: Whether an element of the sample comes before the place.
  ///   - precedes: Whether the element of the run with an index does.
  @inline(__always)
  package func lowerBound(_ sampledPrecedes: (Element) -> Bool, precedes: (Int) -> Bool) -> Int {
    let next = Self.firstIndex(in: 0..<elements.count) { !sampledPrecedes(elements[$0]) }
    let start = next > 0 ? (next - 1) * stride + stride / 2 + 1 : 0
    return Self.firstIndex(in: start..<(next < elements.count ? next * stride + stride / 2 : count)) { !precedes($0) }
  }

  /// Returns the first index of a range that is behind the place; the end where none is.
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
