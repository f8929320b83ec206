import Terminal

/// The width of the labels at the left of a form; the values are at their right.
enum LabelColumn {
  /// Returns the number of columns for the labels.
  ///
  /// Labels are only truncated if the values need the space, and never below half of it.
  ///
  /// - Parameters:
  ///   - labels: The labels.
  ///   - values: The width of the widest value; more than `room` if values may be wrapped.
  ///   - room: The total width of labels and values.
  static func columns(of labels: some Sequence<String>, values: Int, in room: Int) -> Int {
    let needed = labels.reduce(0) { max($0, TextWidth.columns(of: $1)) }
    return max(0, min(needed, max(room / 2, room - values)))
  }
}
