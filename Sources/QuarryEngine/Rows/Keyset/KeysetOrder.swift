/// A total order of a table's rows by terms that a key holds, and the SQL that goes on from a place in it.
///
/// The rows beyond a place are read range by range, one for each term that may be the first to differ, so that an index serves each range
/// whatever the directions, collations and NULLs of its terms:
///
///     -- after ('x', 3) in the order of (a COLLATE NOCASE, b DESC)
///     WHERE a COLLATE NOCASE = 'x' AND b < 3 ORDER BY b DESC
///     WHERE a COLLATE NOCASE > 'x' ORDER BY a COLLATE NOCASE, b DESC
struct KeysetOrder: Hashable, Sendable {
  /// Which way rows are read from a place.
  enum Direction: Hashable, Sendable {
    case forward, backward

    var reversed: Direction { self == .forward ? .backward : .forward }
  }

  /// What a term is compared with.
  struct Operand: Hashable, Sendable {
    var sql = "?"
    var arguments: [DatabaseValue]
    var isNull: Bool
  }

  /// Rows that one index seek finds: a condition, what it binds, and the order within it.
  struct Range: Hashable, Sendable {
    /// Empty where every row is meant.
    var condition = ""
    var arguments: [DatabaseValue] = []
    var order: String
    var orderArguments: [DatabaseValue] = []
  }

  var terms: [Term]

  /// The whole order, read in a direction.
  func everything(_ direction: Direction) -> Range {
    range([], from: 0, direction)
  }

  /// The rows beyond a place, nearest first.
  ///
  /// - Parameter isInclusive: whether the row in the place itself is among them.
  func ranges(from place: [DatabaseValue], _ direction: Direction, isInclusive: Bool) -> [Range] {
    ranges(from: place.map(Operand.init), direction, isInclusive: isInclusive)
  }

  func ranges(from place: [Operand], _ direction: Direction, isInclusive: Bool) -> [Range] {
    guard place.count == terms.count else { return [] }
    return terms.indices.reversed().flatMap { level in
      let isLast = level == terms.count - 1
      let prefix = zip(terms, place).prefix(level).map { $0.equality(with: $1) }
      return terms[level].comparisons(with: place[level], direction, isInclusive: isInclusive && isLast).map { comparison in
        range(prefix + [comparison], from: level, direction)
      }
    }
  }

  /// The row in a place: the condition that finds it.
  func row(at place: [DatabaseValue]) -> Range {
    range(zip(terms, place).map { $0.equality(with: Operand($1)) }, from: 0, .forward)
  }

  private func range(_ conditions: [Condition], from level: Int, _ direction: Direction) -> Range {
    Range(
      condition: conditions.map(\.sql).joined(separator: " AND "),
      arguments: conditions.flatMap(\.arguments),
      order: terms[level...].map { $0.key(direction) }.joined(separator: ", "),
      orderArguments: terms[level...].flatMap(\.arguments))
  }

  /// A part of a WHERE clause, and what it binds.
  typealias Condition = (sql: String, arguments: [DatabaseValue])
}

extension KeysetOrder.Operand {
  init(_ value: DatabaseValue) {
    self.init(arguments: [value], isNull: value == .null)
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
