import QuarryEngine

/// Work that a person may wait for: what the title calls it, and what goes before what where several are under way.
struct Activity: Hashable, Sendable {
  /// What is being done: `searching`; empty for work that is only named by its progress.
  var name: String
  var urgency: Urgency

  /// The most urgent is the one that the title names.
  enum Urgency: Int, Comparable, Sendable {
    /// Nobody has asked for it: a count.
    case background
    /// Rows for the screen.
    case reading
    /// What somebody has asked for by a key: a search, a copy.
    case asked
    /// What changes the database.
    case change

    static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
  }
}

/// A report that says how far an activity is.
protocol ActivityReport: Sendable {
  /// Returns what the title says now; nil to leave it as it is.
  func badge(of activity: Activity) -> String?
}

extension RowProgress: ActivityReport {
  func badge(of activity: Activity) -> String? {
    activity.urgency < .asked ? words : "\(activity.name): \(words)"
  }

  /// The part that has been read, and how long the rest will take; else how many rows that are.
  private var words: String {
    guard let total, total > 0 else { return "\(Plural.of(rows, "row")) read" }
    let part = "\(min(100, 100 * rows / total)) % read"
    guard let left = timeLeft?.components.seconds, left > 0 else { return part }
    return part + (left < 100 ? ", \(left) s left" : ", \((left + 30) / 60) min left")
  }
}
