internal import QuarryEngine

extension GroupShape {
  /// Returns the completions at a caret of a text of a shape: columns, paths and functions, and for a value of groups also aggregates.
  ///
  /// ```swift
  /// GroupShape.completions(of: "sum(Mill", at: 8, part: .aggregate(0), columns: columns).items.map(\.text)   // ["Milliseconds"]
  /// ```
  ///
  /// - Parameters:
  ///   - text: The unfinished text.
  ///   - caret: The position of the caret in bytes of UTF-8.
  ///   - part: The part of the shape that has the text.
  ///   - columns: The columns of the rows to group.
  public static func completions(of text: String, at caret: Int, part: Part, columns: FilterColumns) -> FilterCompletions {
    var completer = FilterCompleter(text, caret: caret, columns: columns)
    if case .aggregate = part { completer.aggregates = GroupAggregate.allCases }
    var result = completer.completions { parser in
      parser.isOfGroups = true
      _ = parser.columnName()
      _ = parser.wholeValue()
    }
    result.values = nil
    return result
  }
}
