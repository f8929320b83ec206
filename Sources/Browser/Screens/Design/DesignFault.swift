import QuarryChanges
import QuarryEngine
import QuarrySources

/// The reason why a design has no plan, with the place of the error.
struct DesignFault: Error, Hashable, Sendable {
  /// The sentence.
  var text: String
  /// The place of the error; nil if SQLite names none.
  var place: Place?
  /// The expression with the error; nil for an error in another part.
  var expression: String?

  /// A place in a line of SQL.
  struct Place: Hashable, Sendable {
    /// The line without indentation.
    var line: String
    /// The characters of the token with the error.
    var columns: Range<Int>

    /// Finds a place.
    ///
    /// - Parameter offset: The offset in bytes of UTF-8; the place is nil for an offset outside the SQL.
    init?(in sql: String, at offset: Int) {
      let bytes = Array(sql.utf8)
      guard (0..<bytes.count).contains(offset) else { return nil }
      let newline = UInt8(ascii: "\n")
      let start = bytes[..<offset].lastIndex(of: newline).map { $0 + 1 } ?? 0
      let end = bytes[offset...].firstIndex(of: newline) ?? bytes.count
      var tokenizer = SQLTokenizer(bytes, from: offset, yieldsComments: true)
      let token = tokenizer.next()?.range.upperBound ?? offset + 1
      let head = String(decoding: bytes[start..<offset], as: UTF8.self).drop { $0 == " " }
      let marked = String(decoding: bytes[offset..<min(max(token, offset + 1), end)], as: UTF8.self)
      line = head + marked + String(decoding: bytes[min(max(token, offset + 1), end)..<end], as: UTF8.self)
      columns = head.count..<head.count + marked.count
    }
  }

  init(_ text: String) { self.text = text }

  init(_ error: any Error) {
    text = Problem(describing: error).text
    switch error {
    case DefinitionError.invalidExpression(let sql, _, let offset, _):
      (expression, place) = (sql, Place(in: sql, at: offset))
    case let error as DatabaseError:
      guard let sql = error.sql, let offset = error.offset else { return }
      (text, place) = (error.message, Place(in: sql, at: offset))
    default: break
    }
  }
}

extension DesignScreen {
  /// The line of the form with the error that prevents a plan; nil if it is in none, or if SQLite names no place.
  var faultyLine: Line? {
    guard let fault, let new = change?.new else { return nil }
    let line = fault.place.map { $0.line.last == "," ? String($0.line.dropLast()) : $0.line }
    func isFaulty(_ sql: String) -> Bool { fault.expression.map { sql.contains($0) } ?? (sql == line) }
    return new.columns.firstIndex { isFaulty($0.sql) }.map(Line.column)
      ?? new.constraints.firstIndex { isFaulty($0.sql) }.map(Line.constraint)
      ?? new.indexes.firstIndex { isFaulty($0.sql) }.map(Line.index)
  }
}
