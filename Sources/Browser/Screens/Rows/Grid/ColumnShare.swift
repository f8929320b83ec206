/// How columns share the width of a grid: values come first, then headers, then the names of types, then values to come.
package enum ColumnShare {
  /// The widths that a column asks for, in cells, each but the last at least as great as the one before.
  package struct Demand: Hashable {
    /// The cells without which it is not shown whole.
    package var least: Int
    /// The cells of its values at hand.
    package var values: Int
    /// The cells of those and of its header.
    package var header: Int
    /// The cells of those and of the name of its type.
    package var type: Int
    /// The cells of those and of longer values that may become visible; 0 if no such values are expected.
    package var reserve: Int

    package init(least: Int, values: Int, header: Int, type: Int, reserve: Int = 0) {
      self.least = least
      self.values = values
      self.header = header
      self.type = type
      self.reserve = reserve
    }
  }

  /// Returns the width of each column; the sum is at most `room` if that is enough for the minimum width of every column.
  ///
  ///     widths(of: [a number under a long header, a text of 60 cells], in: 40)  // the header is cut before the text is
  package static func widths(of demands: [Demand], in room: Int) -> [Int] {
    var widths = demands.map(\.least)
    for wish in [\Demand.values, \Demand.header, \Demand.type, \Demand.reserve] {
      widths = raised(widths, to: demands.map { $0[keyPath: wish] }, in: room)
    }
    return widths
  }

  /// Returns widths raised toward the wanted widths; if there is not enough room for all, the widest are cut to the same width.
  private static func raised(_ widths: [Int], to wanted: [Int], in room: Int) -> [Int] {
    func cut(to cap: Int) -> [Int] { zip(widths, wanted).map { max($0, min($1, cap)) } }
    func fits(_ cap: Int) -> Bool { zip(widths, wanted).reduce(0) { $0 + max($1.0, min($1.1, cap)) } <= room }
    guard fits(0) else { return widths }
    let widest = wanted.max() ?? 0
    if fits(widest) { return cut(to: widest) }
    var (cap, tooWide) = (0, widest)
    while cap + 1 < tooWide {
      let middle = (cap + tooWide) / 2
      if fits(middle) { cap = middle } else { tooWide = middle }
    }
    var result = cut(to: cap)
    let cutColumns = result.indices.filter { result[$0] < wanted[$0] }.sorted { wanted[$0] > wanted[$1] }
    for column in cutColumns.prefix(room - result.reduce(0, +)) { result[column] += 1 }
    return result
  }
}
