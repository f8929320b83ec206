extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element satisfies a predicate that is also true for all following elements; the end if none does.
  package func partitionIndex(_ predicate: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
