internal import QuarryEngine

/// A division of rows into groups, as texts of the filter language: the values by which rows are grouped, and the values to show for each
/// group.
///
/// ```swift
/// let shape = GroupShape(levels: ["GenreId.Name"], aggregates: ["count", "sum(Milliseconds)"])
/// // SELECT (SELECT Name FROM main.Genre WHERE GenreId = Track.GenreId) AS "GenreId.Name", count(*) AS count,
/// //   sum(Milliseconds) AS "sum(Milliseconds)" FROM main.Track GROUP BY 1
/// ```
///
/// A text can begin with a name for its column: `revenue = sum(UnitPrice * Quantity)`. `year`, `quarter`, `month`, `week` and `day` group
/// dates, and `range` groups numbers: `month(InvoiceDate)`, `range(UnitPrice, 10)`.
public struct GroupShape: Hashable, Codable, Sendable {
  /// The values by which rows are grouped, the first one outermost; empty for one group of all rows.
  public var levels: [String]
  /// The values shown for each group: `count`, `sum(Milliseconds)`, `sum(UnitPrice * Quantity) / count`.
  ///
  /// Aggregates are `count`, `sum`, `total`, `avg`, `min`, `max` and `group_concat`; `count(distinct x)` counts different values.
  public var aggregates: [String]
  /// The value whose most frequent values become columns of a pivot; nil without a pivot.
  public var across: String?

  /// Creates a shape; without aggregates it counts the rows of each group.
  public init(levels: [String], aggregates: [String] = ["count"], across: String? = nil) {
    self.levels = levels
    self.aggregates = aggregates
    self.across = across
  }

  /// A text of a shape.
  public enum Part: Hashable, Sendable {
    /// A level, by its index.
    case level(Int)
    /// An aggregate, by its index.
    case aggregate(Int)
    /// The value that becomes columns.
    case across
  }

  /// Returns one of the texts; nil if the shape has no such text.
  public subscript(part: Part) -> String? {
    switch part {
    case .level(let index): levels.indices.contains(index) ? levels[index] : nil
    case .aggregate(let index): aggregates.indices.contains(index) ? aggregates[index] : nil
    case .across: across
    }
  }
}

extension GroupShape {
  /// Splits a list of texts at its commas, except those within parentheses and quotes.
  ///
  ///     GroupShape.texts("GenreId.Name, range(UnitPrice, 10)")   // ["GenreId.Name", "range(UnitPrice, 10)"]
  ///
  /// An empty list has no texts; a text between two commas may be empty.
  public static func texts(_ list: String) -> [String] {
    let bytes = Array(list.utf8)
    var (texts, start, depth): ([String], Int, Int) = ([], 0, 0)
    for token in FilterLexer(bytes).tokens {
      switch token.kind {
      case .symbol(.leftParenthesis): depth += 1
      case .symbol(.rightParenthesis): depth -= 1
      case .symbol(.comma) where depth <= 0:
        texts.append(trimmed(bytes[start..<token.start]))
        start = token.end
      default: break
      }
    }
    let last = trimmed(bytes[start...])
    return texts.isEmpty && last.isEmpty ? [] : texts + [last]
  }

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let text = bytes.drop { $0.isSQLBlank }
    let end = text.lastIndex { !$0.isSQLBlank }.map { $0 + 1 } ?? text.startIndex
    return String(decoding: text[..<end], as: UTF8.self)
  }
}

/// The errors in one of the texts of a ``GroupShape``.
public struct GroupError: Error, Hashable, Sendable {
  /// The text with the errors.
  public let part: GroupShape.Part
  /// The errors.
  public let faults: FilterErrors
}

/// The units of time by which dates are grouped, from coarse to fine.
public enum DateGrain: String, Hashable, Codable, Sendable, CaseIterable {
  case year, quarter, month, week, day

  /// The next finer unit; the coarsest one after the finest.
  public var next: DateGrain {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }
}
