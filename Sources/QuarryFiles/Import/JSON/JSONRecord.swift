/// A JSON object as positions in a batch.
///
/// It is checked first, so that its original bytes can be kept if it is rejected.
struct JSONRecord {
  private struct Member {
    /// The key without quotes, as offsets.
    var key: Range<Int>
    /// A string without quotes, or any other complete value, as offsets.
    var value: Range<Int>
    var kind: JSONCursor.Kind
    var hasEscapes: Bool
    var column = 0
  }

  /// The reason why the object is not a record of its table, with its place, or nil if it is a record.
  private(set) var problem: Problem?
  private var members: [Member] = []
  /// The number of the last object with a value for each column.
  private var seen: [Int] = []
  private var number = 0

  struct Problem {
    var reason: RecordFault.Reason
    var place: TextPosition
  }

  /// Reads the object at the cursor and moves past it.
  mutating func read(_ cursor: inout JSONCursor, columns: inout JSONColumns) throws(JSONCursor.Stop) {
    members.removeAll(keepingCapacity: true)
    problem = nil
    let start = cursor.place
    try cursor.expect(UInt8(ascii: "{"))
    if cursor.take(UInt8(ascii: "}")) { return }
    repeat {
      let key = try cursor.string() - cursor.base..<cursor.offset - 1
      noteHalfCharacter(in: cursor)
      try cursor.expect(UInt8(ascii: ":"))
      try readValue(&cursor, key: key)
    } while cursor.take(UInt8(ascii: ","))
    try cursor.expect(UInt8(ascii: "}"))
    if problem == nil { findColumns(cursor.base, &columns, at: start) }
  }

  private mutating func readValue(_ cursor: inout JSONCursor, key: Range<Int>) throws(JSONCursor.Stop) {
    let (kind, start) = try cursor.value()
    let value = start - cursor.base..<cursor.offset
    guard kind == .string else {
      members.append(Member(key: key, value: value, kind: kind, hasEscapes: false))
      return
    }
    noteHalfCharacter(in: cursor)
    members.append(Member(key: key, value: value.lowerBound + 1..<value.upperBound - 1, kind: kind, hasEscapes: cursor.hasEscapes))
  }

  private mutating func noteHalfCharacter(in cursor: JSONCursor) {
    guard problem == nil, let place = cursor.halfCharacter else { return }
    problem = Problem(reason: .halfCharacter, place: cursor.place(of: place))
  }

  private mutating func findColumns(_ base: UnsafeMutablePointer<UInt8>, _ columns: inout JSONColumns, at start: TextPosition) {
    number &+= 1
    for place in members.indices {
      let key = UnsafeBufferPointer(start: base + members[place].key.lowerBound, count: members[place].key.count)
      let found = columns.column(of: key, at: place)
      while seen.count <= found { seen.append(0) }
      if seen[found] == number {
        problem = Problem(reason: .duplicateKey(JSONColumns.text(of: key)), place: start)
        return
      }
      seen[found] = number
      members[place].column = found
    }
  }

  // MARK: - Values

  /// Writes the values as the fields of the next record of a batch, with unescaped strings.
  func write(to batch: RecordBatch) {
    let (fields, base) = (batch.nextFields(), batch.bytes)
    if members.count < batch.columnCount { batch.clear(fields) }
    for member in members { fields[member.column] = field(member, base) }
  }

  private func field(_ member: Member, _ base: UnsafeMutablePointer<UInt8>) -> RecordField {
    let (start, count) = (member.value.lowerBound, member.value.count)
    switch member.kind {
    case .null: return .null
    case .true: return RecordField(integer: 1)
    case .false: return RecordField(integer: 0)
    case .number: return JSONBytes.number(base + start, count: count, offset: start)
    case .string:
      return RecordField(.text, offset: start, length: member.hasEscapes ? JSONBytes.unescape(base + start, count: count) : count)
    case .array: return RecordField(.text, offset: start, length: count)
    case .object: return wrapped(base, member.value) ?? RecordField(.text, offset: start, length: count)
    }
  }

  /// Returns the bytes of an object that is exactly `{"blob":"<base64>"}` or `{"text":"<base64>"}`, or nil for any other.
  private func wrapped(_ base: UnsafeMutablePointer<UInt8>, _ range: Range<Int>) -> RecordField? {
    let start = TextPosition(offset: range.lowerBound + 1, line: 1, lineStart: 0)
    var cursor = JSONCursor(base: base, from: start, count: range.upperBound, isLast: true)
    guard let key = try? cursor.string() else { return nil }
    let name = UnsafeBufferPointer(start: key, count: cursor.position - 1 - key)
    let kind: RecordField.Kind
    if name.elementsEqual("blob".utf8) { kind = .blob } else if name.elementsEqual("text".utf8) { kind = .text } else { return nil }
    guard cursor.take(UInt8(ascii: ":")), let text = try? cursor.string() else { return nil }
    let count = cursor.position - 1 - text
    guard cursor.take(UInt8(ascii: "}")), cursor.offset == range.upperBound else { return nil }
    return JSONBytes.decodeBase64(text, count: count).map { RecordField(kind, offset: text - base, length: $0) }
  }
}
