/// The places of every thousandth row of an order, so that any row is at most a thousand steps away from one of them.
struct Anchors: Hashable, Sendable {
  static let stride = 1000

  /// The places of the rows 0, 1000, 2000 and so on.
  private(set) var places: [[DatabaseValue]] = []
  /// The number of rows that have been passed.
  private(set) var rowCount = 0
  /// Whether every row has been passed.
  var isComplete = false

  /// Goes back to the last place that was kept and returns it, to go on from there.
  mutating func resume() -> [DatabaseValue]? {
    rowCount = max(0, places.count - 1) * Self.stride
    return places.last
  }

  /// Counts one more row; `place` is evaluated only for rows whose place is kept.
  mutating func pass(_ place: @autoclosure () throws -> [DatabaseValue]) rethrows {
    if rowCount == places.count * Self.stride {
      try places.append(place())
    }
    rowCount += 1
  }

  /// Returns the anchor at or before the row of this number.
  func before(_ number: Int) -> (number: Int, place: [DatabaseValue])? {
    guard !places.isEmpty else { return nil }
    let index = min(max(0, number) / Self.stride, places.count - 1)
    return (index * Self.stride, places[index])
  }

  /// Returns the last anchor for which `precedes` is true, by binary search.
  func last(where precedes: ([DatabaseValue]) throws -> Bool) rethrows -> (number: Int, place: [DatabaseValue])? {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if try precedes(places[middle]) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low == 0 ? nil : ((low - 1) * Self.stride, places[low - 1])
  }
}
