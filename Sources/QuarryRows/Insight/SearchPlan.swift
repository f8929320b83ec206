internal import QuarryEngine

/// The columns of a table to search, with their conditions.
struct SearchPlan: Sendable {
  /// A column whose values are compared with the text as a number or a date.
  struct Holder: Sendable {
    var column: String
    var condition: SQLText
  }

  /// The text to search for, with its ASCII letters in lower case.
  var needle: String
  /// The columns whose texts are searched.
  var texts: [String]
  /// The numeric columns to compare, if the text is one number or one date.
  var holders: [Holder]

  /// Whether numbers among texts are searched in their text form.
  var seesNumbers: Bool { Needle.text(needle).mayBeInNumbers }

  /// Whether the table has no column that could contain the text.
  var isEmpty: Bool { texts.isEmpty && holders.isEmpty }

  /// Selects the columns as a filter of words does.
  init(_ text: String, in schema: TableSchema, _ database: Database) {
    needle = text.asciiLowercased
    let columns = FilterColumns(of: schema, in: database)
    let readable = Set(schema.rowSetColumns.map(\.name))
    texts = columns.searched.map(\.name).filter(readable.contains)
    holders = columns.holders(of: text).filter { readable.contains($0.column.name) }.compactMap { column, condition in
      guard let truth = condition.asTruth else { return nil }
      return Holder(column: column.name, condition: truth.sqlText)
    }
  }

  /// The maximum number of arguments of a function, less those of a key.
  private static let width = 80

  /// Plans with few enough columns for one function call, which together equal this plan.
  var parts: [SearchPlan] {
    guard texts.count + 2 * holders.count > Self.width else { return [self] }
    let ofTexts = stride(from: 0, to: texts.count, by: Self.width).map { first in
      with(texts: Array(texts[first..<min(texts.count, first + Self.width)]), holders: [])
    }
    let ofHolders = stride(from: 0, to: holders.count, by: Self.width / 2).map { first in
      with(texts: [], holders: Array(holders[first..<min(holders.count, first + Self.width / 2)]))
    }
    return ofTexts + ofHolders
  }

  private func with(texts: [String], holders: [Holder]) -> SearchPlan {
    var plan = self
    (plan.texts, plan.holders) = (texts, holders)
    return plan
  }

  /// The columns to read.
  var columns: [InsightColumn] { (texts + holders.map(\.column)).map { InsightColumn($0) } }

  /// The values read from each row after its key: the texts, then for each numeric column whether it matches, and its value.
  var values: [SQLText] {
    texts.map { "\(identifier: $0)" } + holders.flatMap { ["\($0.condition)", "\(identifier: $0.column)"] as [SQLText] }
  }
}
