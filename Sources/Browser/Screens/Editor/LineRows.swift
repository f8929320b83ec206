/// The screen rows of a line of text that is wrapped to a width.
package struct LineRows: Hashable, Sendable {
  /// The width of a row.
  ///
  /// The last column is reserved for the space after a word and for the caret at the end of the line.
  package let columns: Int
  /// The length of the line in bytes.
  private var length: Int
  /// The start of each row after the first, as a byte offset.
  private var breaks: [Int] = []

  /// The largest number of later rows that the end of a row depends on.
  private static let lookahead = 3

  package init(_ line: TextLine, columns: Int) {
    self.columns = columns
    length = line.count
    var start = 0
    while let next = line.rowEnd(from: start, columns: columns) {
      breaks.append(next)
      start = next
    }
  }

  package var count: Int { breaks.count + 1 }

  /// Returns the byte range of a row.
  package subscript(row: Int) -> Range<Int> {
    let start = row == 0 ? 0 : breaks[row - 1]
    return start..<(row < breaks.count ? breaks[row] : length)
  }

  /// Returns the row of an offset; at a break, the row that begins there.
  func row(of offset: Int) -> Int {
    var (low, high) = (0, breaks.count)
    while low < high {
      let middle = (low + high) / 2
      if breaks[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Updates the rows after a replacement of `range` by `count` bytes, without wrapping unchanged rows again.
  ///
  /// - Parameter line: The line after the replacement.
  mutating func replace(_ range: Range<Int>, withBytes count: Int, in line: TextLine) {
    let change = count - range.count
    let first = max(0, row(of: range.lowerBound) - Self.lookahead)
    var known = row(of: range.upperBound - 1)
    var made: [Int] = []
    var start = self[first].lowerBound
    length = line.count
    while let next = line.rowEnd(from: start, columns: columns) {
      while known < breaks.count, breaks[known] + change < next { known += 1 }
      if known < breaks.count, breaks[known] + change == next {
        let rest = breaks[known...].map { $0 + change }
        breaks.replaceSubrange(first..., with: made + rest)
        return
      }
      made.append(next)
      start = next
    }
    breaks.replaceSubrange(first..., with: made)
  }
}
