/// A term of a query's result: an expression, or all columns of a source as a record.
///
/// ```swift
/// Reminder.all().join(List.self) { $0.listID == $1.id }.select { ($0, $1.title) }
/// // SELECT reminders.*, lists.title FROM reminders JOIN lists ON (reminders.listID = lists.id)
/// ```
///
/// Every ``QueryExpression`` is one, and so are the columns of a ``Table`` that is a ``FetchableRecord``.
public protocol SelectTerm: Sendable {
  /// The type to which the term is decoded; for an expression, optional if the result may be NULL.
  associatedtype Output

  /// The term, without its type.
  var selectTerm: Selection { get }

  /// Decodes the term.
  ///
  /// - Parameters:
  ///   - row: A row of the query.
  ///   - columns: The indexes of the term's columns in the row.
  /// - Throws: `SQLITE_MISMATCH` if a value does not match its type, or an error of the record's own.
  static func selected(from row: Row, at columns: Range<Int>) throws -> Output
}

/// What a ``SelectTerm`` selects, without its type.
public struct Selection: Sendable {
  enum Content: Sendable {
    case expression(any QueryExpression)
    /// All columns of the source with this name.
    case columns(of: String)
  }

  let content: Content

  init(_ expression: any QueryExpression) {
    content = .expression(expression)
  }

  init(columnsOf source: String) {
    content = .columns(of: source)
  }
}

extension QueryExpression {
  /// The expression as a term.
  public var selectTerm: Selection { Selection(self) }

  /// Decodes the value of the only column.
  public static func selected(from row: Row, at columns: Range<Int>) throws -> Output {
    try row[columns.lowerBound]
  }
}

extension TableColumns: SelectTerm where Source: FetchableRecord {
  /// All columns of the table.
  public var selectTerm: Selection { Selection(columnsOf: source.name) }

  /// Decodes a record from the table's columns.
  public static func selected(from row: Row, at columns: Range<Int>) throws -> Source {
    try Source(row: row.copy(of: columns))
  }
}

extension OptionalTableColumns: SelectTerm where Source: FetchableRecord {
  /// All columns of the table.
  public var selectTerm: Selection { Selection(columnsOf: source.name) }

  /// Decodes a record from the table's columns; nil if all of them are NULL, because no row matches.
  public static func selected(from row: Row, at columns: Range<Int>) throws -> Source? {
    if try columns.allSatisfy({ try row.storageClass(at: $0) == .null }) { return nil }
    return try Source(row: row.copy(of: columns))
  }
}

extension SelectStatement {
  /// Returns the index of each selected term's first column, and the number of columns.
  ///
  /// - Parameter count: The number of the statement's columns; nil if it is unknown.
  /// - Throws: The errors of compiling a statement.
  func columnStarts(count: Int?, _ db: Database) throws -> [Int] {
    if case .everything = result, case .query(let query)? = sources.first?.origin { return try query.columnStarts(count: nil, db) }
    guard case .terms(let terms) = result else { return [0] }
    let records = terms.count { if case .columns = $0.content { true } else { false } }
    var starts = [0]
    for term in terms {
      let width =
        switch term.content {
        case .expression: 1
        case .columns: if let count, records == 1 { count - terms.count + 1 } else { try columnCount(of: term, db) }
        }
      starts.append((starts.last ?? 0) + width)
    }
    return starts
  }

  private func columnCount(of term: Selection, _ db: Database) throws -> Int {
    var statement = self
    statement.result = .terms([term])
    statement.combinations = []
    statement.orders = []
    return try db.makeStatement(literal: statement.sqlText).columnCount
  }
}
