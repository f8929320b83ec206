package import QuarryEngine

/// A table of which rows are copied, without long values that the statement does not need.
///
/// The rows keep their width on the pages of the table, because a statement that finds rows by an index reads those pages: narrower rows
/// would be found on fewer pages, and in less time than in the file. A value that does not fit on such a page continues on pages of its own.
/// SQLite reads these only for columns that are needed, or that come before a needed one. So a column that is not needed, and comes after
/// all that are, has fewer of these pages in the copy: its long values are replaced by zeros, shorter by whole pages. What remains on the
/// pages of the table has the same length. Short values are copied as they are: zeros would need the same room.
package struct CopiedTable: Sendable {
  package let schema: TableSchema
  /// The columns whose values are stored.
  let columns: [String]
  /// The columns that are not needed, after all that are.
  private let shortened: Set<String>
  private let pageSize: Int
  private let characterBytes: Int

  /// - Parameter needed: The columns that the statement reads, and those of new indexes.
  package init(_ schema: TableSchema, needed: Set<String>, pageSize: Int, encoding: String) {
    (self.schema, self.pageSize, characterBytes) = (schema, pageSize, encoding == "UTF-8" ? 1 : 2)
    columns = schema.columns.filter { $0.generation == nil && !$0.isHidden }.map(\.name)
    let indexed = schema.primaryKey + schema.indexes.flatMap { $0.terms.compactMap(\.column) }
    let all = (needed.union(indexed)).map(\.asciiLowercased)
    // Expressions may need any column.
    let hasExpressions = schema.indexes.contains { $0.isPartial || $0.terms.contains { $0.column == nil } }
    let needsAll = hasExpressions || columns.count < schema.columns.count
    let last = columns.lastIndex { all.contains($0.asciiLowercased) }
    shortened = needsAll ? [] : Set(columns.dropFirst(last.map { $0 + 1 } ?? 0))
  }

  func isShortened(_ column: String) -> Bool { shortened.contains(column) }

  /// Returns the value of a column in the copy.
  ///
  ///     CASE WHEN length(CAST(body AS BLOB)) <= 8192 THEN body … ELSE zeroblob(4096 + (length(body) - 4096) % 4092) END
  package func expression(for column: String) -> String {
    let name = SQLIdentifier.quoted(column)
    guard isShortened(column) else { return name }
    let bytes = "length(CAST(\(name) AS BLOB))"
    // A page of a long value begins with the number of the next one, in four bytes.
    let rest = "(\(pageSize) + (\(bytes) - \(pageSize)) % \(pageSize - 4))"
    let text = "substr(hex(zeroblob(\(rest))), 1, \(rest) / \(characterBytes))"
    return "CASE WHEN typeof(\(name)) NOT IN ('text', 'blob') OR \(bytes) <= \(2 * pageSize) THEN \(name) "
      + "WHEN typeof(\(name)) = 'blob' THEN zeroblob(\(rest)) ELSE \(text) END"
  }
}
