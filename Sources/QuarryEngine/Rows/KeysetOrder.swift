/// A total order of a table's rows by terms that a key holds, and the SQL that goes on from a place in it.
///
/// The rows beyond a place are read range by range, one for each term that may be the first to differ, so that an index serves each range
/// whatever the directions, collations and NULLs of its terms:
///
///     -- after ('x', 3) in the order of (a COLLATE NOCASE, b DESC)
///     WHERE a COLLATE NOCASE = 'x' AND b < 3 ORDER BY b DESC
///     WHERE a COLLATE NOCASE > 'x' ORDER BY a COLLATE NOCASE, b DESC
struct KeysetOrder: Hashable, Sendable {
  /// One term of the order.
  struct Term: Hashable, Sendable {
    /// A column, or any other expression, as SQL.
    var column: String
    /// What the order compares texts by, which need not be the column's own collation; nil for a rowid, which has none.
    var collation: String?
    var isDescending = false
    var isNullable = false

    var sql: String { collated(column) }

    /// The condition that the term has a value. Virtual tables seek by `=`, and not by `IS`.
    var equality: String { isNullable ? "\(sql) IS ?" : "\(sql) = ?" }

    /// An operand that is compared as the term is.
    func collated(_ operand: String) -> String {
      collation.map { "\(operand) COLLATE \(SQLIdentifier.quoted($0))" } ?? operand
    }
  }

  /// Which way rows are read from a place.
  enum Direction: Hashable, Sendable {
    case forward, backward
  }

  /// Rows that one index seek finds: a condition, what it binds, and the order within it.
  struct Range: Hashable, Sendable {
    /// Empty where every row is meant.
    var condition = ""
    var arguments: [DatabaseValue] = []
    var order: String
  }

  var terms: [Term]

  /// The whole order, read in a direction.
  func everything(_ direction: Direction) -> Range {
    Range(order: orderBy(from: 0, direction))
  }

  /// The rows beyond a place, nearest first.
  ///
  /// - Parameter isInclusive: whether the row in the place itself is among them.
  func ranges(from place: [DatabaseValue], _ direction: Direction, isInclusive: Bool) -> [Range] {
    guard place.count == terms.count else { return [] }
    return terms.indices.reversed().flatMap { level in
      let prefix = zip(terms, place).prefix(level)
      let isLast = level == terms.count - 1
      return comparisons(of: terms[level], with: place[level], direction, isInclusive: isInclusive && isLast).map { comparison in
        Range(
          condition: (prefix.map { $0.0.equality } + [comparison.sql]).joined(separator: " AND "),
          arguments: prefix.map(\.1) + comparison.arguments,
          order: orderBy(from: level, direction))
      }
    }
  }

  /// The row in a place: the condition that finds it.
  func row(at place: [DatabaseValue]) -> Range {
    Range(
      condition: terms.map(\.equality).joined(separator: " AND "), arguments: place,
      order: orderBy(from: 0, .forward))
  }

  /// `a, b DESC`, for the terms from one on, each turned round to read backward.
  private func orderBy(from level: Int, _ direction: Direction) -> String {
    terms[level...].map { term in
      term.sql + (term.isDescending == (direction == .forward) ? " DESC" : "")
    }.joined(separator: ", ")
  }

  private typealias Comparison = (sql: String, arguments: [DatabaseValue])

  /// The conditions that hold beyond a value of one term; several where NULL lies apart from the other values.
  private func comparisons(
    of term: Term, with value: DatabaseValue, _ direction: Direction, isInclusive: Bool
  ) -> [Comparison] {
    let sql = term.sql
    let grows = term.isDescending == (direction == .backward)
    switch (grows, value) {
    case (true, .null):
      return (isInclusive ? [("\(sql) IS NULL", [])] : []) + [("\(sql) IS NOT NULL", [])]
    case (false, .null):
      return isInclusive ? [("\(sql) IS NULL", [])] : []
    case (true, _):
      return [("\(sql) \(isInclusive ? ">=" : ">") ?", [value])]
    case (false, _):
      return [("\(sql) \(isInclusive ? "<=" : "<") ?", [value])] + (term.isNullable ? [("\(sql) IS NULL", [])] : [])
    }
  }
}

extension KeysetOrder {
  /// Whether one place lies before another, as SQLite itself compares them.
  ///
  ///     SELECT (?1 COLLATE NOCASE < ?3) OR (?1 COLLATE NOCASE IS ?3 AND ?2 > ?4)
  func precedes(_ place: [DatabaseValue], _ other: [DatabaseValue], in database: Database) throws -> Bool {
    guard place.count == terms.count, other.count == terms.count else { return false }
    let levels = terms.indices.map { level in
      let equal = terms[..<level].indices.map { "\(operand($0)) IS ?\(terms.count + $0 + 1)" }
      return "(" + (equal + [isBefore(level)]).joined(separator: " AND ") + ")"
    }
    var result = false
    try database.scan("SELECT " + levels.joined(separator: " OR "), place + other) { statement in
      result = try statement.columnValue(at: 0) == .integer(1)
      return false
    }
    return result
  }

  private func operand(_ level: Int) -> String {
    terms[level].collated("?\(level + 1)")
  }

  /// NULL comes before any other value in an ascending order.
  private func isBefore(_ level: Int) -> String {
    let (first, second) = (operand(level), "?\(terms.count + level + 1)")
    return terms[level].isDescending
      ? "(\(first) > \(second) OR \(second) IS NULL AND \(first) IS NOT NULL)"
      : "(\(first) < \(second) OR \(first) IS NULL AND \(second) IS NOT NULL)"
  }
}
