internal import QuarryEngine

/// A search of an FTS5 table's index for words.
///
///     SELECT rowid, rank, snippet(notes, 0, …), snippet(notes, 1, …) FROM main.notes(?) ORDER BY rank LIMIT 1000
///
/// A text that is not a valid FTS5 query is searched for as a phrase: `AC/DC` as `"AC/DC"`.
struct FullTextSearch {
  private let table: TableReference
  private let columns: [String]
  private let text: String
  private let limit: Int
  private let collector: SearchCollector

  /// The maximum number of rows to rank, because ranking reads all of them before the first is returned.
  private static let rankedRows = 10_000
  /// The number of words of a snippet.
  private static let snippetLength = 16
  /// The marks around matches in a snippet: the last characters of Unicode's private use area, which texts do not contain.
  private static let (opener, closer) = ("\u{10FFFC}", "\u{10FFFD}")

  /// Creates a search.
  ///
  /// - Parameter limit: The maximum number of reported rows.
  init(_ text: String, in schema: TableSchema, limit: Int, _ collector: SearchCollector) {
    table = schema.entry.reference
    columns = schema.rowSetColumns.map(\.name)
    self.text = text
    self.limit = limit
    self.collector = collector
  }

  func run(in database: Database) throws {
    // SQLite reads a query up to the first NUL.
    guard !text.utf8.contains(0) else { return try run(phrase, in: database) }
    let isQuery: Bool
    do {
      isQuery = try count(text, atMost: 1, in: database) >= 0
    } catch DatabaseError.SQLITE_ERROR {
      isQuery = false
    }
    try run(isQuery ? text : phrase, in: database)
  }

  /// The text as an FTS5 phrase.
  private var phrase: String {
    "\"" + text.replacing("\0", with: " ").replacing("\"", with: "\"\"") + "\""
  }

  private func run(_ query: String, in database: Database) throws {
    let isRanked = try count(query, atMost: Self.rankedRows + 1, in: database) <= Self.rankedRows
    let snippets = columns.indices.map { index in
      "snippet(\(identifier: table.name), \(index), \(Self.opener), \(Self.closer), '…', \(Self.snippetLength))" as SQLText
    }
    let values = (["rowid", isRanked ? "rank" : "NULL"] + snippets).joined(by: ", ")
    let order: SQLText = isRanked ? "rank, rowid" : "rowid"
    try database.scan("SELECT \(values) FROM \(source(query)) ORDER BY \(order) LIMIT \(limit)") { statement in
      collector.add(SearchVisitor.Found(hits: [try hit(statement)], hitCount: 1))
      return true
    }
    collector.set(hitCount: try count(query, atMost: .max, in: database))
  }

  private func source(_ query: String) -> SQLText { "\(table.sqlText)(\(query))" }

  /// Counts the matching rows, up to a limit.
  ///
  ///     SELECT count(*) FROM (SELECT 1 FROM main.notes('green day') LIMIT 10001)
  private func count(_ query: String, atMost limit: Int, in database: Database) throws -> Int {
    var count = 0
    try database.scan("SELECT count(*) FROM (SELECT 1 FROM \(source(query)) LIMIT \(limit))") { statement in
      count = try Int(statement.columnInteger(at: 0))
      return false
    }
    return count
  }

  /// Reads the hit in a statement's current row: the snippet of the first matching column.
  private func hit(_ statement: Statement) throws -> SearchHit {
    let key = RowKey.rowID(try statement.columnInteger(at: 0))
    let rank = try statement.columnStorageClass(at: 1) == .null ? nil : statement.columnReal(at: 1)
    for (index, column) in columns.enumerated() where try statement.columnStorageClass(at: index + 2) == .text {
      let marked = try statement.withColumnBytes(at: index + 2) { String(decoding: $0, as: UTF8.self) }
      guard let snippet = Snippet(marked, opener: Self.opener, closer: Self.closer) else { continue }
      return SearchHit(table: table, key: key, column: column, value: .text(snippet.text), matches: snippet.matches, rank: rank)
    }
    return SearchHit(table: table, key: key, column: nil, value: .null, rank: rank)
  }
}

/// An FTS5 snippet without the marks around its matches.
private struct Snippet {
  var text = ""
  var matches: [Range<Int>] = []

  /// Parses a snippet; nil if it contains no marks.
  init?(_ marked: String, opener: String, closer: String) {
    guard marked.contains(opener) else { return nil }
    var length = 0
    for (index, piece) in marked.split(separator: opener, omittingEmptySubsequences: false).enumerated() {
      let halves = index == 0 ? [piece] : piece.split(separator: closer, maxSplits: 1, omittingEmptySubsequences: false)
      if index > 0, let match = halves.first, !match.isEmpty { matches.append(length..<length + match.count) }
      for half in halves { text += half }
      length = text.count
    }
  }
}
