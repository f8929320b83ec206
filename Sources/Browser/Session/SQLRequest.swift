package import QuarryEngine
import QuarryFiles
internal import QuarryRows
internal import QuarrySources

/// Statements from the editor to run one after the other.
package struct SQLRequest: Hashable, Sendable {
  /// The number of the run; never reused.
  var number: Int
  var statements: [Part]
  /// Whether the run is added to the history.
  var isKept = true

  /// One statement.
  struct Part: Hashable, Sendable {
    var sql: String
    /// The offset of the statement in the editor's text, in bytes; nil for a statement from elsewhere.
    var offset: Int?
    /// The grid for its rows.
    var grid: GridID
  }
}

/// The requirements of a request before it runs.
package struct PreparedRun: Hashable, Sendable {
  /// The parameters, each once, in order of first appearance.
  var parameters: [FormParameter] = []
  /// Warnings to confirm before the run, one sentence each.
  var warnings: [String] = []
  /// Whether all warnings concern statements that take long and change nothing.
  var onlyTakesLong = false
  /// Warnings about statements that may not mean what the person intended, one sentence each.
  var remarks: [String] = []
  /// Whether one of the statements can be reverted neither by a rollback nor by an undo.
  var isIrreversible = false
}

/// The input for a parameter.
package enum ParameterInput: Hashable, Sendable {
  case value(DatabaseValue)
  /// The bytes of a file.
  case file(String)
}

/// The outcome of a statement.
package struct StatementOutcome: Hashable, Sendable {
  var content: Content
  var elapsed: Duration

  enum Content: Hashable, Sendable {
    /// The rows, opened in the grid of the request.
    case rows(RowSet, OpenedRows)
    /// The number of rows, which are not stored because too many results follow; `isAll` is false if reading stopped before the end.
    case read(count: Int, isAll: Bool)
    case done(changes: Int, lastRowID: Int64?)
    case failed(SQLFault)
  }
}

/// The reason why a statement did not run, and the position of the error.
package struct SQLFault: Error, Hashable, Sendable {
  /// The index of the statement in its request.
  var statement: Int
  package var sentence: String
  /// The range of the error, in bytes of the editor's text; nil if SQLite reports none.
  var range: Range<Int>?
  /// The position where the range begins; nil if the text has changed.
  var place: FaultPlace?
  /// The fix for the error; nil if none is known.
  var mend: Mend?

  /// A replacement for a range of bytes in the editor's text.
  struct Mend: Hashable, Sendable {
    var range: Range<Int>
    var text: String
  }
}

/// A position in a text, with the line and the column counted from 1.
struct FaultPlace: Hashable, Sendable {
  var line: Int
  var column: Int

  /// Creates the position at an offset in a text.
  ///
  /// - Parameter offset: The offset in bytes.
  init(of offset: Int, in text: String) {
    let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    (line, column) = (lines.count, (lines.last?.count ?? 0) + 1)
  }

  /// The position in words: `line 2, column 15, marked in the text`.
  var words: String { "line \(line), column \(column), marked in the text" }
}

extension OpenTransaction {
  /// The changes in words: `3 rows changed`.
  var words: String {
    guard changesSchema else { return "\(Plural.of(changes, "row")) changed" }
    return changes == 0 ? "the schema changed" : "\(Plural.of(changes, "row")) and the schema changed"
  }
}

/// A run in the history.
package struct HistoryEntry: Hashable, Sendable, Codable {
  /// The time when the run began: `2024-01-31T12:30:00Z`.
  var time: String
  package var database: String
  package var sql: String
  var arguments: [StoredArgument] = []
  /// The number of returned or changed rows; nil if unknown.
  var rows: Int?
  var milliseconds: Int
  var error: String?

  package init(
    time: String, database: String, sql: String, arguments: [StoredArgument] = [], rows: Int? = nil, milliseconds: Int, error: String? = nil
  ) {
    self.time = time
    self.database = database
    self.sql = sql
    self.arguments = arguments
    self.rows = rows
    self.milliseconds = milliseconds
    self.error = error
  }
}

/// The exact value of a parameter as stored in a file, with its storage class.
package struct StoredArgument: Hashable, Sendable, Codable {
  /// The parameter's identity in its statement: `:min`, `2`.
  var identity: String
  var type: ParameterType
  /// The value in the notation of its type: blobs in hexadecimal.
  var text: String

  package init(_ identity: String, _ value: DatabaseValue) {
    self.identity = identity
    (type, text) = (value.parameterType, value.parameterText)
  }

  /// The value; nil if the file contains an invalid text.
  var value: DatabaseValue? { try? type.value(of: text) }
}

extension DatabaseValue {
  /// The type that parses the text back to the value.
  var parameterType: ParameterType {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// The value in the notation of its type: an empty text for NULL, blobs in hexadecimal.
  var parameterText: String {
    switch self {
    case .null: ""
    case .integer(let number): String(number)
    case .real(let number): RealText.shortest(number)
    case .text(let text): text
    case .blob(let bytes): bytes.hexadecimal()
    }
  }
}
