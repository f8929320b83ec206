extension RandomAccessCollection where Index == Int {
  /// Returns the first index of which a predicate holds that holds for all that follow, too; the end where there is none.
  package func partitionIndex(_ predicate: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
