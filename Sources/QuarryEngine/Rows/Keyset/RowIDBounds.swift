/// The least and the greatest rowid of a table, from which a row's number can be guessed.
struct RowIDBounds: Hashable, Sendable {
  var least: Int64
  var greatest: Int64

  /// The number of rows that there would be with no gap; nil past what a file can hold.
  var span: Int? {
    let (difference, overflows) = greatest.subtractingReportingOverflow(least)
    return overflows || difference >= Self.plausibleSpan ? nil : Int(difference) + 1
  }

  /// Rowids that are spread wider than this are no numbering of rows.
  private static let plausibleSpan: Int64 = 1 << 40

  /// Whether no rowid is left out, so that each tells its row's number.
  func isDense(count: Int?) -> Bool {
    count != nil && span == count
  }

  /// About the number of the row with this rowid, of `count` rows.
  func number(of id: Int64, count: Int) -> Int {
    if let span, span <= count { return Int(clamping: id.subtractingReportingOverflow(least).partialValue) }
    let part = (Double(id) - Double(least)) / max(1, Double(greatest) - Double(least))
    return Int((min(max(part, 0), 1) * Double(max(0, count - 1))).rounded())
  }

  /// About the rowid of the row of this number, of `count` rows.
  func rowID(of number: Int, count: Int) -> Int64 {
    if let span, span <= count { return least + Int64(min(max(number, 0), span - 1)) }
    let part = Double(number) / Double(max(1, count - 1))
    let guess = Double(least) + min(max(part, 0), 1) * (Double(greatest) - Double(least))
    return Int64(exactly: guess.rounded(.down)).map { min(max($0, least), greatest) } ?? greatest
  }
}
