import QuarryEngine

/// What the title shows of work that is under way.
struct Activity: Hashable, Sendable {
  /// What is done, in a word or two: `counting`.
  var title: String
  /// Of several activities the one with the highest rank is shown.
  var rank: Int
  /// How far it is; nil where that is not known.
  var progress: RowProgress?
  /// Whether ^C and Esc end it.
  var isStoppable = true
}
