extension KeysetOrder {
  /// One term of the order.
  struct Term: Hashable, Sendable {
    /// A column, or any other expression, as SQL.
    var column: String
    /// What the expression binds.
    var arguments: [DatabaseValue] = []
    /// What the order compares texts by, which need not be the column's own collation; nil for a rowid, which has none.
    var collation: String?
    var isDescending = false
    var isNullable = false
    /// Nil is SQLite's own: NULL is less than any value.
    var nulls: Ordering.NullsPlace?

    var sql: String { collated(column) }

    /// An operand that is compared as the term is.
    func collated(_ operand: String) -> String {
      collation.map { "\(operand) COLLATE \(SQLIdentifier.quoted($0))" } ?? operand
    }

    private func isDescending(_ direction: Direction) -> Bool {
      isDescending == (direction == .forward)
    }

    private func areNullsFirst(_ direction: Direction) -> Bool {
      let areFirst = nulls.map { $0 == .first } ?? !isDescending
      return areFirst == (direction == .forward)
    }

    /// The term in ORDER BY, turned round to read backward.
    func key(_ direction: Direction) -> String {
      switch (isDescending(direction), areNullsFirst(direction)) {
      case (false, true): sql
      case (false, false): sql + " NULLS LAST"
      case (true, true): sql + " DESC NULLS FIRST"
      case (true, false): sql + " DESC"
      }
    }

    /// The condition that the term has a value.
    ///
    /// Virtual tables seek by `=`, and not by `IS`.
    func equality(with operand: Operand) -> Condition {
      operand.isNull ? ("\(sql) IS NULL", arguments) : ("\(sql) = \(operand.sql)", arguments + operand.arguments)
    }

    /// The conditions that hold beyond a value of the term; several where NULL lies apart from the other values.
    func comparisons(with operand: Operand, _ direction: Direction, isInclusive: Bool) -> [Condition] {
      let null: Condition = ("\(sql) IS NULL", arguments)
      guard !operand.isNull else {
        return (isInclusive ? [null] : []) + (areNullsFirst(direction) ? [("\(sql) IS NOT NULL", arguments)] : [])
      }
      let comparator = (isDescending(direction) ? "<" : ">") + (isInclusive ? "=" : "")
      let beyond: Condition = ("\(sql) \(comparator) \(operand.sql)", arguments + operand.arguments)
      return isNullable && !areNullsFirst(direction) ? [beyond, null] : [beyond]
    }
  }
}
