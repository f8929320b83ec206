package import QuarryEngine

/// Nested JSON whose leaves are values of a database, written as ``ExportFormat/json`` writes them.
///
/// ```swift
/// JSONTree.object([("id", .value(1)), ("rows", .list([.text("a")]))]).bytes  // {"id":1,"rows":["a"]}
/// ```
package enum JSONTree: Sendable {
  case object([(String, JSONTree)])
  case list([JSONTree])
  case value(StoredValue)

  /// A text, or null for nil.
  package static func text(_ text: String?) -> JSONTree { .value(text.map { .value(.text($0)) } ?? .null) }

  /// A number.
  package static func number(_ number: Int) -> JSONTree { .value(.value(.integer(Int64(number)))) }

  /// The text without line breaks.
  package var bytes: [UInt8] {
    var out = ByteBuffer(capacity: 256)
    write(to: &out)
    return Array(out.bytes)
  }

  private func write(to out: inout ByteBuffer) {
    switch self {
    case .object(let members):
      out.append("{")
      for (index, (name, value)) in members.enumerated() {
        if index > 0 { out.append(",") }
        JSONFormat.leaves.write(.text(name), &out)
        out.append(":")
        value.write(to: &out)
      }
      out.append("}")
    case .list(let elements):
      out.append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { out.append(",") }
        element.write(to: &out)
      }
      out.append("]")
    case .value(let value): value.withBorrowedValue { JSONFormat.leaves.write($0, &out) }
    }
  }
}

extension JSONFormat {
  /// A format for single values.
  fileprivate static let leaves = JSONFormat(columns: [], isArray: false)
}
