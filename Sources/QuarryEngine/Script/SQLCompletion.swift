/// A text that could stand at a caret in SQL.
///
/// ```swift
/// SQLCompletion(label: "Order Details", detail: "table", range: 14..<17, replacement: "\"Order Details\"")
/// ```
public struct SQLCompletion: Hashable, Sendable {
  /// What a list shows: a name without its quotes.
  public var label: String
  /// What it is: `integer · Track`, `table`, `view`, `function`, `keyword`.
  public var detail: String
  /// What it replaces, in bytes of the script's UTF-8: what has been typed of it.
  public var range: Range<Int>
  /// What is put there: a name as SQL spells it, a function with its `(`.
  public var replacement: String

  /// Makes a completion.
  public init(label: String, detail: String, range: Range<Int>, replacement: String) {
    self.label = label
    self.detail = detail
    self.range = range
    self.replacement = replacement
  }
}

extension SQLScript {
  /// Returns what could stand at a caret, sorted by kind and name: columns, then tables and their aliases, functions, keywords.
  ///
  /// ```swift
  /// let script = SQLScript("SELECT t.Na FROM Track t")
  /// script.completions(at: 11, schema: schema).map(\.label)   // ["Name"]
  /// ```
  ///
  /// After FROM and the like there are only tables, after `t.` only the columns of what `t` stands for, after `:` only the parameters that
  /// the statement has, after PRAGMA and COLLATE their names. Tables whose rows are to be changed are those that take that. A name with
  /// blanks is found by its first words, too. Where nothing has been typed, there is something only where a table or column must follow;
  /// within texts and comments there is nothing. A name that two tables have is written with its table.
  ///
  /// - Parameters:
  ///   - offset: the caret's place in bytes of UTF-8.
  ///   - schema: the tables, columns and functions that there are.
  ///   - limit: the greatest number of completions.
  public func completions(at offset: Int, schema: SQLCompletionSchema, limit: Int = 100) -> [SQLCompletion] {
    let caret = min(max(offset, 0), text.utf8.count)
    guard let part = parts.first(where: { $0.range.upperBound > caret || !$0.isEnded }), part.range.lowerBound <= caret else { return [] }
    let start = part.range.lowerBound
    let end = part.isEnded ? part.range.upperBound : text.utf8.count
    guard let word = CaretWord(Array(bytes(start..<end)), caret: caret - start) else { return [] }
    var found: [SQLCompletion] = []
    // A name with blanks can have been begun without quotes: the words before the caret are a part of it then.
    for count in (1...CaretWord.mostWords).reversed() where found.isEmpty {
      guard let words = word.extended(by: count, where: schema.hasName) else { continue }
      var completer = SQLCompleter(words, schema: schema)
      found = completer.completions(shiftedBy: start, limit: limit)
    }
    var completer = SQLCompleter(word, schema: schema)
    return Array((found + completer.completions(shiftedBy: start, limit: limit)).prefix(max(limit, 0)))
  }
}
