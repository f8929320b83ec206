/// A keyword of SQLite, ignoring case; see <https://www.sqlite.org/lang_keywords.html>.
///
///     Keyword("Select".utf8)   // .select
package enum Keyword: String, CaseIterable, Sendable {
  case abort, action, add, after, all, alter, always, analyze, and, `as`, asc, attach, autoincrement, before, begin, between, by
  case cascade, `case`, cast, check, collate, column, commit, conflict, constraint, create, cross, current
  case currentDate = "current_date", currentTime = "current_time", currentTimestamp = "current_timestamp", database, `default`
  case deferrable, deferred, delete, desc, detach, distinct, `do`, drop, each, `else`, end, escape, except, exclude, exclusive
  case exists, explain, fail, filter, first, following, `for`, foreign, from, full, generated, glob, group, groups, having, `if`
  case ignore, immediate, `in`, index, indexed, initially, inner, insert, instead, intersect, into, `is`, isnull, join, key, last
  case left, like, limit, match, materialized, natural, no, not, nothing, notnull, null, nulls, of, offset, on, or, order, others
  case outer, over, partition, plan, pragma, preceding, primary, query, raise, range, recursive, references, regexp, reindex
  case release, rename, replace, restrict, returning, right, rollback, row, rows, savepoint, select, set, table, temp, temporary
  case then, ties, to, transaction, trigger, unbounded, union, unique, update, using, vacuum, values, view, virtual, when, `where`
  case window, with, without

  /// Creates the keyword spelled by a word; nil if it is not a keyword.
  package init?(_ word: some Collection<UInt8>) {
    guard let keyword = Self.lookup.keyword(word) else { return nil }
    self = keyword
  }

  private static let lookup = KeywordTable()
}

extension Keyword {
  /// Whether it cannot be an unquoted name of a table or column.
  ///
  /// SQLite allows some keywords as names. Keywords that begin a statement or a clause are reserved here, so that an incomplete statement
  /// is parsed as intended.
  var isReserved: Bool { !Self.names.contains(self) }

  /// Whether a query begins with it.
  package var beginsQuery: Bool { [.select, .with, .values].contains(self) }

  /// Whether it is a value, or follows one.
  var endsOperand: Bool {
    switch self {
    case .asc, .currentDate, .currentTime, .currentTimestamp, .desc, .end, .isnull, .notnull, .null: true
    default: false
    }
  }

  private static let names: [Keyword] = [
    .abort, .action, .after, .always, .asc, .before, .cascade, .column, .conflict, .current, .database, .deferred, .desc, .each,
    .exclude, .exclusive, .fail, .first, .following, .generated, .groups, .ignore, .immediate, .initially, .instead, .key, .last,
    .match, .materialized, .no, .nulls, .of, .offset, .others, .partition, .plan, .preceding, .query, .range, .rename, .restrict, .row,
    .rows, .temp, .temporary, .ties, .trigger, .unbounded, .view, .virtual, .without,
  ]
}

/// The keywords by length and first letter, because hashing every word of a long line would cost more.
private struct KeywordTable {
  /// The keywords, grouped by length and first letter.
  private let keywords: [Keyword]
  /// Their letters, each padded to the length of the longest keyword.
  private let letters: [UInt8]
  private let longest: Int
  /// The beginning of the keywords of each length and first letter.
  private let starts: [Int]

  init() {
    let spellings = Keyword.allCases.map { (keyword: $0, letters: Array($0.rawValue.utf8)) }
    let buckets = Dictionary(grouping: spellings) { Self.bucket(length: $0.letters.count, first: $0.letters.first ?? 0) }
    let sorted = buckets.sorted { $0.key < $1.key }.flatMap(\.value)
    let longest = spellings.map(\.letters.count).max() ?? 0
    keywords = sorted.map(\.keyword)
    letters = sorted.flatMap { $0.letters + Array(repeating: 0, count: longest - $0.letters.count) }
    starts = (0..<32 * (longest + 1)).reduce(into: [0]) { starts, number in
      starts.append((starts.last ?? 0) + (buckets[number]?.count ?? 0))
    }
    self.longest = longest
  }

  func keyword(_ word: some Collection<UInt8>) -> Keyword? {
    guard let first = word.first, word.count <= longest else { return nil }
    let bucket = Self.bucket(length: word.count, first: first)
    return (starts[bucket]..<starts[bucket + 1]).first { hasLetters(of: word, at: longest * $0) }.map { keywords[$0] }
  }

  private func hasLetters(of word: some Collection<UInt8>, at start: Int) -> Bool {
    var position = start
    for byte in word {
      guard letters[position] == byte.asciiLowercased else { return false }
      position += 1
    }
    return true
  }

  private static func bucket(length: Int, first: UInt8) -> Int {
    32 * length + Int(first & 0x1F)
  }
}

/// The keywords of SQLite.
package enum SQLKeywords {
  /// All 147 keywords, in upper case and alphabetical order; see <https://www.sqlite.org/lang_keywords.html>.
  ///
  /// ```swift
  /// SQLKeywords.all.first   // ABORT
  /// ```
  package static let all = Keyword.allCases.map { $0.rawValue.uppercased() }.sorted()
}
