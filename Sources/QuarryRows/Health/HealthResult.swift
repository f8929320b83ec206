/// A line of a check of a database: a fact, or what is wrong and what mends it.
package struct HealthResult: Hashable, Sendable {
  /// The meaning of a result.
  package enum Status: String, Hashable, Comparable, Sendable, CaseIterable {
    /// A fact, or a check that found nothing.
    case ok
    /// A fact worth knowing that needs no repair.
    case note
    /// Something to mend.
    case finding
    /// Damage: a part of the file cannot be read, or contradicts another part.
    case damaged

    package static func < (left: Status, right: Status) -> Bool { left.severity < right.severity }

    private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The name of the check: `integrity`, `types`.
  package var check: String
  /// The table, column, index or property; nil for the whole file.
  package var object: String?
  package var status: Status
  package var text: String
  /// The SQL or the command that mends it; nil if nothing is wrong, or if it needs a decision.
  package var remedy: String?

  /// The text with the remedy.
  package var detail: String { remedy.map { "\(text). Fix: \($0)" } ?? text }

  package init(_ check: String, _ object: String? = nil, _ status: Status, _ text: String, remedy: String? = nil) {
    (self.check, self.object, self.status, self.text, self.remedy) = (check, object, status, text, remedy)
  }
}
