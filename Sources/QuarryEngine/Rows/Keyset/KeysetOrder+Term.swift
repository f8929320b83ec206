extension KeysetOrder {
  /// One term of the order.
  struct Term: Hashable, Sendable {
    /// A column, or any other expression.
    var expression: SQLText
    /// What the order compares texts by, which need not be the column's own collation; nil for a rowid, which has none.
    var collation: String?
    var isDescending = false
    var isNullable = false
    /// Where NULL is put; nil for SQLite's own place, where NULL is less than any value.
    var nulls: Ordering.NullsPlace?

    private var sql: SQLText { collated(expression) }

    /// Returns an operand so that it is compared as the term is.
    func collated(_ operand: SQLText) -> SQLText {
      collation.map { "\(operand) COLLATE \(identifier: $0)" } ?? operand
    }

    private func isDescending(_ direction: Direction) -> Bool {
      isDescending == (direction == .forward)
    }

    private func areNullsFirst(_ direction: Direction) -> Bool {
      let areFirst = nulls.map { $0 == .first } ?? !isDescending
      return areFirst == (direction == .forward)
    }

    /// Returns the term in ORDER BY, turned round to read backward.
    func key(_ direction: Direction) -> SQLText {
      switch (isDescending(direction), areNullsFirst(direction)) {
      case (false, true): sql
      case (false, false): "\(sql) NULLS LAST"
      case (true, true): "\(sql) DESC NULLS FIRST"
      case (true, false): "\(sql) DESC"
      }
    }

    /// Returns the condition that the term has a value.
    ///
    /// Virtual tables seek by `=`, and not by `IS`.
    func equality(with operand: Operand) -> SQLText {
      operand.isNull ? "\(sql) IS NULL" : "\(sql) = \(operand.sql)"
    }

    /// Returns the conditions that hold beyond a value of the term; several where NULL lies apart from the other values.
    func comparisons(with operand: Operand, _ direction: Direction, isInclusive: Bool) -> [SQLText] {
      let null: SQLText = "\(sql) IS NULL"
      guard !operand.isNull else {
        return (isInclusive ? [null] : []) + (areNullsFirst(direction) ? ["\(sql) IS NOT NULL"] : [])
      }
      let beyond: SQLText =
        switch (isDescending(direction), isInclusive) {
        case (true, true): "\(sql) <= \(operand.sql)"
        case (true, false): "\(sql) < \(operand.sql)"
        case (false, true): "\(sql) >= \(operand.sql)"
        case (false, false): "\(sql) > \(operand.sql)"
        }
      return isNullable && !areNullsFirst(direction) ? [beyond, null] : [beyond]
    }
  }
}
