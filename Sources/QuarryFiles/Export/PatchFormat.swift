package import QuarryChanges
internal import QuarryEngine

/// Writes the statements that change a database as a script of the sqlite3 shell, with exact values.
package struct PatchFormat {
  private let reals = RealLiterals()

  /// The text before the statements.
  ///
  /// Foreign keys would change rows that the script changes itself.
  package static let beginning = "PRAGMA foreign_keys=OFF;\nBEGIN IMMEDIATE;\n"
  /// The text after the statements.
  package static let ending = "COMMIT;\n"

  /// Creates a writer.
  package init() {}

  /// Returns the text of a statement, which ends with a semicolon and a line break.
  package func bytes(of statement: PatchStatement) -> [UInt8] {
    switch statement {
    case .object(let sql): return SchemaStatement(Array(sql.utf8)).script
    case .sql(let sql), .row(let sql, _), .restore(let sql, _):
      var out = ByteBuffer(capacity: sql.sql.utf8.count + 64)
      var end = 0
      let text = Array(sql.sql.utf8)
      for placed in sql.placedValues {
        out.append(Array(text[end..<placed.offset]))
        placed.value.withBorrowedValue { reals.write($0, to: &out) }
        end = placed.offset + 1
      }
      out.append(Array(text[end...]))
      out.append(";\n")
      return Array(out.bytes)
    }
  }
}
