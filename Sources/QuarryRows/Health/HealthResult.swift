/// A line of a check of a database: a fact, or what is wrong and what mends it.
public struct HealthResult: Hashable, Sendable {
  /// The meaning of a result.
  public enum Status: String, Hashable, Comparable, Sendable, CaseIterable {
    /// A fact about the file.
    case info
    /// A check that found nothing.
    case ok
    /// Something worth knowing that needs no repair.
    case note
    /// Something to mend.
    case finding
    /// Damage: reads fail or return wrong rows.
    case damaged

    public static func < (left: Status, right: Status) -> Bool { left.severity < right.severity }

    private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The name of the check: `integrity_check`, `types`.
  public var check: String
  /// The table, column, index or property; nil for the whole file.
  public var object: String?
  /// How much it matters.
  public var status: Status
  /// What was found.
  public var text: String
  /// What mends it; nil if nothing is wrong, or if it needs no repair.
  public var remedy: HealthRemedy?

  /// Creates a result.
  public init(_ check: String, _ object: String? = nil, _ status: Status, _ text: String, remedy: HealthRemedy? = nil) {
    (self.check, self.object, self.status, self.text, self.remedy) = (check, object, status, text, remedy)
  }

  /// The text with the remedy.
  package var detail: String { remedy.map { "\(text). Fix: \($0.text)" } ?? text }
}
