package import QuarryEngine
internal import QuarryRows
internal import QuarrySources

/// Statements from the editor to be run one after the other.
package struct SQLRequest: Hashable, Sendable {
  /// The number of the run; never used twice.
  var number: Int
  var statements: [Part]
  /// Whether the run goes into the history.
  var isKept = true

  /// One statement.
  struct Part: Hashable, Sendable {
    var sql: String
    /// The statement's offset in the text of the editor, in bytes; nil where it is not from there.
    var offset: Int?
    /// The grid for its rows.
    var grid: GridID
  }
}

/// What a request needs before it runs.
package struct PreparedRun: Hashable, Sendable {
  /// The parameters, each once, in order of first appearance.
  var parameters: [FormParameter] = []
  /// Warnings to confirm first, a sentence each.
  var warnings: [String] = []
  /// Whether all that is warned of takes long, and changes nothing.
  var onlyTakesLong = false
  /// What the statements may not mean, a sentence each.
  var remarks: [String] = []
  /// Whether one of the statements can be taken back neither by a rollback nor by an undo.
  var isIrreversible = false
}

/// What the person entered for a parameter.
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
    /// Rows, opened in the grid that the request has for them.
    case rows(RowSet, OpenedRows)
    /// The number of rows, which are not kept because too many results follow; `isAll` is false where reading stopped before the end.
    case read(count: Int, isAll: Bool)
    case done(changes: Int, lastRowID: Int64?)
    case failed(SQLFault)
  }
}

/// Why a statement did not run, and where the error is.
package struct SQLFault: Error, Hashable, Sendable {
  /// The index of the statement in its request.
  var statement: Int
  package var sentence: String
  /// The error's range in bytes of the editor's text; nil where SQLite gives none.
  var range: Range<Int>?
  /// Where that begins; nil where the text has become another one.
  var place: FaultPlace?
  /// What would mend it; nil where nothing is known to.
  var mend: Mend?

  /// A text in the place of some bytes of the editor's.
  struct Mend: Hashable, Sendable {
    var range: Range<Int>
    var text: String
  }
}

/// A place of a text, its line and its column counted from 1.
struct FaultPlace: Hashable, Sendable {
  var line: Int
  var column: Int

  /// - Parameter offset: A number of bytes.
  init(of offset: Int, in text: String) {
    let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    (line, column) = (lines.count, (lines.last?.count ?? 0) + 1)
  }

  /// The place for a person: `line 2, column 15, marked in the text`.
  var words: String { "line \(line), column \(column), marked in the text" }
}

extension OpenTransaction {
  /// What was changed, in words: `3 rows changed`.
  var words: String {
    guard changesSchema else { return "\(Plural.of(changes, "row")) changed" }
    return changes == 0 ? "the schema changed" : "\(Plural.of(changes, "row")) and the schema changed"
  }
}

/// A run in the history.
package struct HistoryEntry: Hashable, Sendable, Codable {
  /// When the run began: `2024-01-31T12:30:00Z`.
  var time: String
  var database: String
  package var sql: String
  var arguments: [StoredArgument] = []
  /// The number of rows returned or changed; nil where unknown.
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

/// A parameter's value as stored in a file, exact and with its storage class.
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

  /// The value; nil where the file holds something that was not written here.
  var value: DatabaseValue? { try? type.value(of: text) }
}

extension DatabaseValue {
  /// The type that reads the text back as the value.
  var parameterType: ParameterType {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// The value in the notation of its type: NULL as nothing, blobs in hexadecimal.
  var parameterText: String {
    switch self {
    case .null: ""
    case .integer(let number): String(number)
    // SQLite does not read Swift's “inf” as a number.
    case .real(let number): number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : number.description
    case .text(let text): text
    case .blob(let bytes): bytes.hexadecimal()
    }
  }
}
