internal import QuarryEngine
package import QuarryFiles

extension FileTable {
  /// The last part of the file's path, in display form.
  package var fileName: String {
    path == "-" ? "standard input" : PathText.shown(path.split(separator: "/").last.map(String.init) ?? path)
  }

  /// The number of rows and the format of the file: `sales.csv: 12 rows, separator “;”, header: yes`.
  package var summary: String { "\(fileName): \(Plural.of(rows, "row")), \(reading)" }

  /// The parts of the file that are in no row: `sales.csv: 2 empty lines were passed over`; nil for none.
  package var loss: String? { losses.isEmpty ? nil : "\(fileName): \(losses.joined(separator: "; "))" }

  /// The format of the file: `separator “;”, header: yes, utf-16le`.
  package var reading: String {
    var parts: [String] = []
    if let dialect {
      if let separator = dialect.separator {
        parts.append("separator " + (separator == UInt8(ascii: "\t") ? "tab" : "“\(Character(Unicode.Scalar(separator)))”"))
      }
      parts.append("header: \(dialect.hasHeader ? "yes" : "no")")
    } else {
      parts.append("JSON" + (nameInFile.map { ", “\($0)”" } ?? ""))
    }
    if encoding != .utf8 { parts.append(encoding.rawValue) }
    return parts.joined(separator: ", ")
  }

  /// The number of records that could not be parsed, and the table that stores them; nil for none.
  package var rejection: String? {
    guard rejected > 0 else { return nil }
    let place = rejectsTable.map { ": see \($0)" } ?? ""
    let first = rejects.first.map { "; the first is on \($0.clause)" } ?? ""
    return "\(fileName): \(Plural.of(rejected, "record")) could not be read as \(rejected == 1 ? "a row" : "rows")\(place)\(first)"
  }

  /// The columns that were renamed because of their names in the file; nil for none.
  package var renaming: String? {
    let renamed = columns.enumerated().filter(\.element.source.isRenamed).map { index, column in
      let given = column.source.nameInFile.isEmpty ? "without a name" : "“\(column.source.nameInFile)”"
      return "column \(index + 1), \(given), is named “\(column.source.name)”"
    }
    // A file without a header has no names for its columns.
    return renamed.isEmpty || dialect?.hasHeader == false ? nil : "\(fileName): \(renamed.joined(separator: "; "))"
  }
}
