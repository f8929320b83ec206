package import QuarryEngine

/// A total order of a table's rows by the terms of a key, with the SQL that continues from a position.
///
/// The rows after a position are read range by range, one for each term that may be the first to differ. An index can serve each range,
/// regardless of the directions, collations and NULLs of its terms:
///
///     -- after ('x', 3) in the order of (a COLLATE NOCASE, b DESC)
///     WHERE a COLLATE NOCASE = 'x' AND b < 3 ORDER BY b DESC
///     WHERE a COLLATE NOCASE > 'x' ORDER BY a COLLATE NOCASE, b DESC
package struct KeysetOrder: Hashable, Sendable {
  /// The direction in which rows are read from a position.
  package enum Direction: Hashable, Sendable {
    case forward, backward

    package var reversed: Direction { self == .forward ? .backward : .forward }
  }

  /// The operand of a comparison with a term: a value, or an SQL expression.
  package struct Operand: Hashable, Sendable {
    package var sql: SQLText
    package var isNull: Bool

    package init(sql: SQLText, isNull: Bool) {
      (self.sql, self.isNull) = (sql, isNull)
    }
  }

  /// The rows found by one index seek: a condition, empty for all rows, and the order within it.
  package struct Range: Hashable, Sendable {
    package var condition = SQLText()
    package var order: SQLText
  }

  package var terms: [Term]

  /// Returns the whole order, read in a direction.
  package func everything(_ direction: Direction) -> Range {
    range([], from: 0, direction)
  }

  /// Returns the rows after a position, nearest first.
  ///
  /// - Parameter isInclusive: Whether to include the row at the position itself.
  func ranges(from place: [DatabaseValue], _ direction: Direction, isInclusive: Bool) -> [Range] {
    ranges(from: place.map(Operand.init), direction, isInclusive: isInclusive)
  }

  package func ranges(from place: [Operand], _ direction: Direction, isInclusive: Bool) -> [Range] {
    guard place.count == terms.count else { return [] }
    return terms.indices.reversed().flatMap { level in
      let isLast = level == terms.count - 1
      let prefix = zip(terms, place).prefix(level).map { $0.equality(with: $1) }
      return terms[level].comparisons(with: place[level], direction, isInclusive: isInclusive && isLast).map { comparison in
        range(prefix + [comparison], from: level, direction)
      }
    }
  }

  /// Returns the range of the row at a position.
  package func row(at place: [DatabaseValue]) -> Range {
    range(zip(terms, place).map { $0.equality(with: Operand($1)) }, from: 0, .forward)
  }

  private func range(_ conditions: [SQLText], from level: Int, _ direction: Direction) -> Range {
    Range(condition: conditions.joined(by: " AND "), order: terms[level...].map { $0.key(direction) }.joined(by: ", "))
  }
}

extension KeysetOrder.Operand {
  package init(_ value: DatabaseValue) {
    self.init(sql: "\(value)", isNull: value == .null)
  }
}

extension KeysetOrder {
  /// Returns whether one position is before another, as compared by SQLite.
  ///
  ///     SELECT ('a' COLLATE NOCASE < 'b') OR ('a' COLLATE NOCASE IS 'b' AND 4 > 3)
  package func precedes(_ place: [DatabaseValue], _ other: [DatabaseValue], in database: Database) throws -> Bool {
    guard place.count == terms.count, other.count == terms.count else { return false }
    let operands = zip(terms, place).map { $0.collated("\($1)") }
    let levels = terms.indices.map { level -> SQLText in
      let equal = terms[..<level].indices.map { "\(operands[$0]) IS \(other[$0])" as SQLText }
      return "(\((equal + [isBefore(level, operands[level], "\(other[level])")]).joined(by: " AND ")))"
    }
    var result = false
    try database.scan("SELECT \(levels.joined(by: " OR "))") { statement in
      result = try statement.columnValue(at: 0) == .integer(1)
      return false
    }
    return result
  }

  /// Returns the condition that one value comes before another in the order of a term; NULL comes first in an ascending order.
  private func isBefore(_ level: Int, _ first: SQLText, _ second: SQLText) -> SQLText {
    terms[level].isDescending
      ? "(\(first) > \(second) OR \(second) IS NULL AND \(first) IS NOT NULL)"
      : "(\(first) < \(second) OR \(first) IS NULL AND \(second) IS NOT NULL)"
  }
}

extension KeysetOrder {
  /// A term of the order.
  package struct Term: Hashable, Sendable {
    /// A column, or any other expression.
    package var expression: SQLText
    /// The collation of the order, which may differ from the column's; nil for a rowid, which has none.
    var collation: String?
    var isDescending = false
    var isNullable = false
    /// The position of NULL; nil for SQLite's default, in which NULL is less than any value.
    var nulls: Ordering.NullsPlace?

    private var sql: SQLText { collated(expression) }

    /// Returns an operand with the collation of the term.
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

    /// Returns the term for ORDER BY, reversed to read backward.
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
    /// Virtual tables seek with `=`, but not with `IS`.
    func equality(with operand: Operand) -> SQLText {
      operand.isNull ? "\(sql) IS NULL" : "\(sql) = \(operand.sql)"
    }

    /// Returns the conditions on the values after a value of the term; several if NULL is separate from the other values.
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
