public import QuarryEngine

/// A text that is looked for in the tables of a database.
///
/// ```swift
/// let search = EverywhereSearch("green day", limit: 100)
/// let tables = try await source.search(search) { report in
///   if case .progress(let progress) = report { for hit in progress.hits { print(hit.table.name, hit.key, hit.value) } }
/// }
/// ```
///
/// Rows are searched as a filter of words searches them: the text is a part of a value in any column that holds texts, the case of ASCII
/// letters is ignored, and a text that is a number or a date is looked for as a value in columns of numbers too. Blobs have no text. Bytes
/// that are no UTF-8 and those after a NUL are searched as well.
///
/// A full-text table of FTS5 is asked by MATCH, and so finds words; a text that is no query for it is looked for as a phrase. The tables in
/// which a virtual table keeps its data are left out, and so are SQLite's own.
public struct EverywhereSearch: Hashable, Sendable {
  /// The text; blanks around it are ignored.
  public var text: String
  /// The tables and views to search; nil for all tables.
  ///
  /// Views are searched only where they are named: what they show lies in tables.
  public var tables: [TableReference]?
  /// How many hits of a table are reported at most; all are counted.
  public var limit: Int

  /// Makes a search.
  public init(_ text: String, tables: [TableReference]? = nil, limit: Int = 1_000) {
    self.text = text
    self.tables = tables
    self.limit = limit
  }

  /// What is looked for.
  package var needle: String {
    let isBlank = { (scalar: Unicode.Scalar) in scalar.value < 0x80 && scalar.properties.isWhitespace }
    let scalars = text.unicodeScalars.drop(while: isBlank)
    guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(scalars[...last])
  }

  /// Whether there is nothing to look for.
  public var isEmpty: Bool { needle.isEmpty }
}

/// A value in which a search has found something.
public struct SearchHit: Hashable, Sendable {
  /// The table.
  public var table: TableReference
  /// The row.
  public var key: RowKey
  /// The column; nil where a full-text index does not tell.
  public var column: String?
  /// The value: a number as it is stored, of a text the part around the match, with `…` for what is left out.
  ///
  /// In a full-text table it is the snippet that FTS5 makes, and NULL where the index keeps no texts.
  public var value: DatabaseValue
  /// Which characters of the text match, in their order; the first match alone, but for snippets.
  public var matches: [Range<Int>] = []
  /// How well the row of a full-text table matches, the least being the best (`rank`); nil elsewhere, and where too many match.
  public var rank: Double?
}

/// What a search has found in one table so far.
public struct SearchedTable: Hashable, Sendable {
  /// How far the search of a table is.
  public enum State: Hashable, Sendable {
    /// It has not begun.
    case waiting
    /// It is being searched.
    case searching
    /// All of it has been searched.
    case done
    /// It cannot be searched, and why.
    case failed(String)
  }

  /// The table.
  public var table: TableReference
  /// Whether its full-text index is asked, which finds words, and not its rows.
  public var isFullText: Bool
  /// How far its search is.
  public var state = State.waiting
  /// The number of values that match; of a full-text table, of rows.
  public var hitCount = 0
  /// The number of rows that have been looked at; 0 for a full-text table.
  public var rowCount = 0
  /// Whether others have written to the file since the search of the table began, so that not all rows were read in the same state of it.
  public var sawChanges = false

  /// Why not all of it was searched, as a person reads it; nil where all was, or is being searched.
  ///
  ///     not searched: no such module: nowhere
  ///     searched up to an error: malformed JSON, in column b of v after 10,000 rows
  public var failure: String? {
    guard case .failed(let reason) = state else { return nil }
    return "\(rowCount == 0 ? "not searched" : "searched up to an error"): \(reason)"
  }

  /// Makes a table whose search has not begun.
  public init(_ table: TableReference, isFullText: Bool = false) {
    self.table = table
    self.isFullText = isFullText
  }
}

/// What a search tells while it runs.
public enum SearchReport: Hashable, Sendable {
  /// The tables that are searched, in this order: full-text tables, then the others as the catalog lists them.
  case tables([SearchedTable])
  /// What has been found in a table since the last report of it.
  case progress(SearchProgress)
}

/// What has been found in a table since the last report of it.
public struct SearchProgress: Hashable, Sendable {
  /// The index of the table among those that are searched.
  public var index: Int
  /// The table as it is by now.
  public var table: SearchedTable
  /// The new hits, in the order of the rows or, in a full-text table, the best first.
  public var hits: [SearchHit]
}
