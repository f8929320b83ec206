/// Parses the rows of an answer, message by message.
package struct DqliteRowReader {
  /// The maximum number of columns for which SQLite can be built.
  private static let greatestColumnCount = 32_767

  /// The names of the columns, which every message repeats.
  private(set) var columns: [String] = []
  /// The header bytes of the previous message.
  ///
  /// If the header bytes are equal, so are the names.
  private var head: ArraySlice<UInt8> = []

  /// Creates a reader of an answer.
  package init() {}

  /// Appends the rows of a message.
  ///
  /// - Returns: Whether the message contained rows or was the last one.
  /// - Throws: ``DqliteViolation``
  package mutating func read(_ frame: DqliteFrame, into values: inout [RemoteValue]) throws(DqliteViolation) -> Bool {
    var reader = DqliteReader(frame.body)
    try readHead(&reader)
    let headerSize = (columns.count + 15) / 16 * 8
    var hasRows = false
    while true {
      let start = reader.offset
      let mark = try reader.word()
      if mark == DqliteFrame.doneMark { return true }
      if mark == DqliteFrame.partMark { return hasRows }
      guard !columns.isEmpty else { throw DqliteViolation("a row has no columns") }
      try reader.skip(headerSize - 8)
      for index in columns.indices {
        let nibbles = reader.bytes[start + index / 2]
        values.append(try Self.value(of: index % 2 == 0 ? nibbles & 15 : nibbles >> 4, &reader))
      }
      hasRows = true
    }
  }

  private mutating func readHead(_ reader: inout DqliteReader) throws(DqliteViolation) {
    if !head.isEmpty, reader.bytes.starts(with: head) {
      try reader.skip(head.count)
      return
    }
    guard head.isEmpty else { throw DqliteViolation("the columns of an answer change within it") }
    let count = try reader.word()
    guard count <= Self.greatestColumnCount else { throw DqliteViolation("an answer announces \(count) columns") }
    for _ in 0..<count { columns.append(String(decoding: try reader.text(), as: UTF8.self)) }
    head = reader.bytes[..<reader.offset]
  }

  private static func value(of type: UInt8, _ reader: inout DqliteReader) throws(DqliteViolation) -> RemoteValue {
    switch DqliteType(rawValue: type) {
    case .integer, .unixTime, .boolean: return .integer(Int64(bitPattern: try reader.word()))
    case .real: return .real(Double(bitPattern: try reader.word()))
    case .text, .isoTime: return .text(try reader.text())
    case .blob: return .blob(try reader.blob())
    case .null:
      _ = try reader.word()
      return .null
    case nil: throw DqliteViolation("a value has the unknown type \(type)")
    }
  }
}
