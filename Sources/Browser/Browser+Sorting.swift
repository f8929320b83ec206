import QuarryEngine

/// What the rows are sorted by.
extension Browser {
  /// Sorts by the column under the cursor: upwards, then downwards, then no more.
  ///
  /// - Parameter isFurther: Keeps the keys before it.
  mutating func sortColumn(isFurther: Bool) -> [Effect] {
    guard let grid else { return [] }
    let name = grid.columns[grid.column].name
    return rewrite(.sort) { text, columns throws(FilterErrors) in
      var sort = try FilterSort.compile(text, columns: columns)
      if isFurther { sort.add(name) } else { sort.toggle(name) }
      return sort.text
    }
  }

  mutating func sortNaturally() -> [Effect] {
    rewrite(.sort) { _, _ in "" }
  }
}
