import QuarryEngine

/// What the engine says of a view's text while it is written.
public struct ViewReport: Hashable, Sendable {
  /// What is wrong, in the order of the text; empty where all is right.
  var faults: [TextRemark] = []
  /// What is right, and may not be what was meant.
  var advice: [TextRemark] = []
  /// Whether the text is a word that a column's name begins with: rows do not follow it before Enter.
  var isBeginningOfName = false
  /// The condition or the order as SQL, with its values in place.
  var sql = ""
  /// The parameters of the filter, in order of first appearance.
  var parameters: [FormParameter] = []
  /// How SQLite will read the rows; nil where a text is wrong.
  var plan: PlanSummary?

  /// Whether rows can be read by the text as it stands.
  var isReady: Bool { faults.isEmpty && parameters.isEmpty && !isBeginningOfName }

  /// What is to be said of the text first.
  var remark: TextRemark? { faults.first ?? advice.first }
}

/// A place of a text that is wrong or doubtful, why, and what would mend it.
struct TextRemark: Hashable, Sendable {
  /// Bytes of UTF-8.
  var range: Range<Int>
  var sentence: String
  /// Each a text that is right, in place of the whole.
  var mended: [String]
}

/// How SQLite will read the rows of a view.
struct PlanSummary: Hashable, Sendable {
  enum Lamp: Hashable, Sendable {
    /// An index or the table's key leads to the rows.
    case search
    /// Every row is looked at.
    case scan
    /// The rows that an index or the table's key leads to are sorted first.
    case sort
    /// Every row is looked at, and what is kept is sorted.
    case scanAndSort
  }

  var lamp: Lamp
  /// What the lamp means, in a sentence.
  var sentence: String
  /// The index that would save the scan or the sort, as SQL; nil where none would.
  var index: String?
}

/// A parameter as a form asks for it.
public struct FormParameter: Hashable, Sendable {
  /// What tells it from the others: `:min`, `2`.
  var identity: String
  /// As written: `:min`, `?2`, `?`.
  var token: String
  /// The other ways it is written, where SQLite gives several tokens one number.
  var otherTokens: [String] = []
  /// The inferred type in a word: `integer`.
  var typeName: String
  /// How a text is read.
  var reading = ParameterReading()
  /// What stands in the field at first; nil for nothing.
  var defaultText: String?
  /// Where values to choose from come from.
  var choices: ParameterChoices?
}
