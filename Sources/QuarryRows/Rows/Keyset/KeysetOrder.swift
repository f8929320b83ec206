package import QuarryEngine

/// A total order of a table's rows by terms that a key holds, and the SQL that goes on from a place in it.
///
/// The rows beyond a place are read range by range, one for each term that may be the first to differ, so that an index serves each range
/// whatever the directions, collations and NULLs of its terms:
///
///     -- after ('x', 3) in the order of (a COLLATE NOCASE, b DESC)
///     WHERE a COLLATE NOCASE = 'x' AND b < 3 ORDER BY b DESC
///     WHERE a COLLATE NOCASE > 'x' ORDER BY a COLLATE NOCASE, b DESC
package struct KeysetOrder: Hashable, Sendable {
  /// Which way rows are read from a place.
  package enum Direction: Hashable, Sendable {
    case forward, backward

    package var reversed: Direction { self == .forward ? .backward : .forward }
  }

  /// What a term is compared with: a value, or SQL that gives one.
  package struct Operand: Hashable, Sendable {
    package var sql: SQLText
    package var isNull: Bool

    package init(sql: SQLText, isNull: Bool) {
      (self.sql, self.isNull) = (sql, isNull)
    }
  }

  /// Rows that one index seek finds: a condition, empty where every row is meant, and the order within it.
  package struct Range: Hashable, Sendable {
    package var condition = SQLText()
    package var order: SQLText
  }

  package var terms: [Term]

  /// Returns the whole order, read in a direction.
  package func everything(_ direction: Direction) -> Range {
    range([], from: 0, direction)
  }

  /// Returns the rows beyond a place, nearest first.
  ///
  /// - Parameter isInclusive: Whether the row in the place itself is among them.
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

  /// Returns the row in a place: the condition that finds it.
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
  /// Returns whether one place lies before another, as SQLite itself compares them.
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

  /// Returns the condition that a value comes before another in the order of a term; NULL comes before any other in an ascending one.
  private func isBefore(_ level: Int, _ first: SQLText, _ second: SQLText) -> SQLText {
    terms[level].isDescending
      ? "(\(first) > \(second) OR \(second) IS NULL AND \(first) IS NOT NULL)"
      : "(\(first) < \(second) OR \(first) IS NULL AND \(second) IS NOT NULL)"
  }
}

extension KeysetOrder {
  /// One term of the order.
  package struct Term: Hashable, Sendable {
    /// A column, or any other expression.
    package var expression: SQLText
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
