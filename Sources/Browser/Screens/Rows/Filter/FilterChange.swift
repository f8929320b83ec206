import QuarryRows

/// A change of the current or the requested filter.
enum FilterChange: Hashable, Sendable {
  /// Adds a condition.
  case add(FilterSyntax)
  /// Includes only the rows with some values of a column, or excludes them.
  case narrow([CountedValue], of: String, isExcluded: Bool)
  /// Includes the rows with a value of a column as well, or no longer.
  case toggle(CountedValue, of: String)
  /// Excludes the rows with a value of a column, or no longer.
  case toggleExclusion(CountedValue, of: String)
  /// Removes the condition on a column, and the exclusion of some of its values.
  case clear(String, admitting: [CountedValue])
  case removeLast
  case removeAll

  /// Returns a filter with the change applied.
  ///
  /// - Throws: The errors of `text`; the filter is then unchanged.
  func applied(to text: String, in columns: FilterColumns) throws(FilterErrors) -> String {
    switch self {
    case .add(let term): return try Filter.text(text, adding: term, in: columns)
    case .narrow(let values, let column, let isExcluded):
      return try Filter.text(text, with: values, of: column, isExcluded: isExcluded, in: columns)
    case .toggle(let value, let column): return try Filter.text(text, toggling: value, of: column, in: columns)
    case .toggleExclusion(let value, let column): return try Filter.text(text, togglingExclusionOf: value, of: column, in: columns)
    case .clear(let column, let values):
      var text = try Filter.text(text, choosing: [], of: column, in: columns)
      for value in values { text = try Filter.text(text, admitting: value, of: column, in: columns) }
      return text
    case .removeLast: return try Filter.text(text, droppingLastTermIn: columns)
    case .removeAll: return ""
    }
  }
}
