/// A condition on the rows of a table that a change would refuse, lose or convert.
///
/// ```swift
/// for check in try change.plan(in: db).checks {
///   print(check.sentence(try db.rowCount(of: check)))   // NOT NULL of email refuses 3 rows
/// }
/// ```
public struct RowCheck: Hashable, Sendable {
  /// What happens to the rows.
  public enum Effect: Hashable, Sendable {
    /// They prevent the change.
    case refused
    /// The values of a dropped column are lost.
    case lost
    /// The values of a column are stored differently.
    case converted
  }

  /// What happens to the rows.
  public var effect: Effect
  /// The constraint or column: `NOT NULL of email`, `column note`.
  public var subject: String
  /// The statement that returns the rows: `SELECT * FROM player WHERE email IS NULL`.
  public var select: String

  /// Returns the effect on a number of rows as a sentence without a period.
  public func sentence(_ count: Int) -> String {
    let rows = Plural.of(count, "row")
    return switch effect {
    case .refused: "\(subject) refuses \(rows)"
    case .lost: "\(subject) is dropped with the values of \(rows)"
    case .converted: "\(subject) converts the values of \(rows)"
    }
  }
}

extension Database {
  /// Counts the rows of a check.
  ///
  ///     SELECT count(*) FROM (SELECT * FROM player WHERE email IS NULL)
  ///
  /// - Throws: ``DatabaseError``
  public func rowCount(of check: RowCheck) throws -> Int {
    try Int.fetchOne(self, sql: "SELECT count(*) FROM (\(check.select))") ?? 0
  }
}
