import Terminal

/// The width of the labels at the left of a form, with the values at their right.
enum LabelColumn {
  /// Returns the columns of the labels: none is cut as long as the values keep what they need, or half of the room.
  ///
  /// - Parameters:
  ///   - labels: The labels.
  ///   - values: What the widest value needs; more than there is where values may be wrapped.
  ///   - room: What labels and values share.
  static func columns(of labels: some Sequence<String>, values: Int, in room: Int) -> Int {
    let needed = labels.reduce(0) { max($0, TextWidth.columns(of: $1)) }
    return max(0, min(needed, max(room / 2, room - values)))
  }
}
