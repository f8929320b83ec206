package import QuarryEngine

extension FileTable {
  /// The last part of the file's path, for a person.
  package var fileName: String {
    path == "-" ? "standard input" : PathText.shown(path.split(separator: "/").last.map(String.init) ?? path)
  }

  /// How the file was read: `separator “;”, header, utf-16le`.
  package var reading: String {
    var parts: [String] = []
    if let dialect {
      if let separator = dialect.separator {
        parts.append("separator " + (separator == UInt8(ascii: "\t") ? "tab" : "“\(Character(Unicode.Scalar(separator)))”"))
      }
      parts.append(dialect.hasHeader ? "header" : "no header")
    } else {
      parts.append("JSON" + (nameInFile.map { ", “\($0)”" } ?? ""))
    }
    if encoding != .utf8 { parts.append(encoding.rawValue) }
    return parts.joined(separator: ", ")
  }

  /// What could not be read, and where it is kept; nil for nothing.
  package var rejection: String? {
    guard rejected > 0 else { return nil }
    let first = rejects.first.map { "; line \(Plural.grouped($0.line)): \($0.reason)" } ?? ""
    let place = rejectsTable.map { ", which are in \($0)" } ?? ""
    return "\(fileName): \(Plural.of(rejected, "piece")) of it could not be read as a row\(place)\(first)"
  }
}
