public import QuarryEngine

/// A search for a text in the tables of a database.
///
/// ```swift
/// let search = EverywhereSearch("green day", limit: 100)
/// let tables = try await source.search(search) { report in
///   if case .progress(let progress) = report { for hit in progress.hits { print(hit.table.name, hit.key, hit.value) } }
/// }
/// ```
///
/// Rows are searched as with a filter of words. The text may be a part of a value in any text column, ignoring the case of ASCII letters. A
/// number or a date is also searched for as a value in numeric columns. Blobs are not searched. Invalid UTF-8 and bytes after a NUL are
/// searched as well.
///
/// An FTS5 table is searched with MATCH, which finds words. A text that is not a valid FTS5 query is searched for as a phrase. Shadow
/// tables and SQLite's own tables are skipped.
public struct EverywhereSearch: Hashable, Sendable {
  /// The text; whitespace around it is ignored.
  public var text: String
  /// The tables and views to search; nil for all tables.
  ///
  /// Views are searched only if they are named, because their data comes from tables.
  public var tables: [TableReference]?
  /// The maximum number of hits reported for a table; all hits are counted.
  public var limit: Int

  /// Creates a search.
  public init(_ text: String, tables: [TableReference]? = nil, limit: Int = 1_000) {
    self.text = text
    self.tables = tables
    self.limit = limit
  }

  /// The text without surrounding whitespace.
  package var needle: String {
    let isBlank = { (scalar: Unicode.Scalar) in scalar.value < 0x80 && scalar.properties.isWhitespace }
    let scalars = text.unicodeScalars.drop(while: isBlank)
    guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(scalars[...last])
  }

  /// Whether there is no text to search for.
  public var isEmpty: Bool { needle.isEmpty }
}

/// A value that matches a search.
public struct SearchHit: Hashable, Sendable {
  /// The table of the value.
  public var table: TableReference
  /// The key of the row.
  public var key: RowKey
  /// The name of the column; nil if a full-text index does not provide it.
  public var column: String?
  /// The value: a stored number, or an excerpt of a text around the match, with `…` for omitted parts.
  ///
  /// For a full-text table, it is the snippet created by FTS5, or NULL if the index does not store texts.
  public var value: DatabaseValue
  /// The ranges of the matching characters, in order; only the first match, except in snippets.
  public var matches: [Range<Int>] = []
  /// The rank of the row of a full-text table, the lowest being the best (`rank`); nil for other tables, and if too many rows match.
  public var rank: Double?
}

/// The results of a search in one table so far.
public struct SearchedTable: Hashable, Sendable {
  /// The state of the search of a table.
  public enum State: Hashable, Sendable {
    /// The search has not begun.
    case waiting
    /// The table is being searched.
    case searching
    /// The whole table has been searched.
    case done
    /// The search failed, with the reason.
    case failed(String)
  }

  /// The table.
  public var table: TableReference
  /// Whether its full-text index is searched, which finds words, instead of its rows.
  public var isFullText: Bool
  /// The state of its search.
  public var state = State.waiting
  /// The number of matching values; for a full-text table, of matching rows.
  public var hitCount = 0
  /// The number of searched rows; 0 for a full-text table.
  public var rowCount = 0
  /// Whether another connection has written to the file since the search began, so that the rows were read in several states of the file.
  public var sawChanges = false

  /// A description of the failure for people; nil if the search has not failed.
  ///
  ///     not searched: no such module: nowhere
  ///     searched up to an error: malformed JSON, in column b of v after 10,000 rows
  public var failure: String? {
    guard case .failed(let reason) = state else { return nil }
    return "\(rowCount == 0 ? "not searched" : "searched up to an error"): \(reason)"
  }

  /// Creates a table whose search has not begun.
  public init(_ table: TableReference, isFullText: Bool = false) {
    self.table = table
    self.isFullText = isFullText
  }
}

/// A report of a running search.
public enum SearchReport: Hashable, Sendable {
  /// The tables to search, in this order: full-text tables, then the other tables in catalog order.
  case tables([SearchedTable])
  /// The new results in a table since its last report.
  case progress(SearchProgress)
}

/// The new results in a table since its last report.
public struct SearchProgress: Hashable, Sendable {
  /// The index of the table in the list of searched tables.
  public var index: Int
  /// The current state of the table.
  public var table: SearchedTable
  /// The new hits, in row order or, for a full-text table, the best first.
  public var hits: [SearchHit]
}
