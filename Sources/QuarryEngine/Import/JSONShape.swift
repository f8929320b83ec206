/// How the objects lie in a JSON text.
enum JSONShape {
  /// `[{…}, {…}]`
  case array
  /// `{"album": [{…}], "track": [{…}]}`: a table for each key.
  case tables
  /// `{…} {…}`: one after the other, each on one line or not.
  case sequence(isLineByLine: Bool)
}

extension JSONShape {
  /// Finds the shape of a text by its first value.
  ///
  /// An object that nothing follows, and all of whose values are arrays of objects, has tables; any other is a record. One that does not end
  /// in the first 64 KiB has tables if its first value is an array that begins with an object.
  ///
  /// - Throws: As ``TextSample/readMore()``
  init(_ sample: TextSample) throws {
    while true {
      if let shape = sample.withTerminator({ JSONShape(sample.batch.bytes, count: sample.count, isLast: sample.isLast) }) {
        self = shape
        return
      }
      _ = try sample.readMore()
    }
  }

  /// Finds the shape by the first bytes of a text; nil where they do not tell.
  private init?(_ bytes: UnsafeMutablePointer<UInt8>, count: Int, isLast: Bool) {
    bytes[count] = 0
    var cursor = JSONCursor(base: bytes, from: TextPosition(offset: 0, line: 1, lineStart: 0), count: count, isLast: isLast)
    cursor.skipBlanks()
    guard cursor.position.pointee == UInt8(ascii: "{") else {
      self = .array
      return
    }
    let line = cursor.place.line
    var object = TopObject()
    do throws(JSONCursor.Stop) {
      try object.read(&cursor)
      let isLineByLine = cursor.place.line == line
      cursor.skipBlanks()
      guard cursor.position < cursor.end || isLast else { return nil }
      self = cursor.position == cursor.end && object.hasOnlyTables ? .tables : .sequence(isLineByLine: isLineByLine)
    } catch .incomplete {
      if count < TextSample.length { return nil }
      self = object.beginsWithTable ? .tables : .sequence(isLineByLine: cursor.place.line == line)
    } catch {
      // Where one line breaks off, the fault is at the beginning of the next one.
      let isLineByLine = cursor.place.line == line || cursor.place.column == 1
      self = object.beginsWithTable && !isLineByLine ? .tables : .sequence(isLineByLine: isLineByLine)
    }
  }
}

/// What the first object of a text has.
private struct TopObject {
  private(set) var beginsWithTable = false
  private var tableCount = 0
  private var memberCount = 0

  var hasOnlyTables: Bool { memberCount > 0 && tableCount == memberCount }

  mutating func read(_ cursor: inout JSONCursor) throws(JSONCursor.Stop) {
    try cursor.expect(UInt8(ascii: "{"))
    if cursor.take(UInt8(ascii: "}")) { return }
    repeat {
      try cursor.string()
      try cursor.expect(UInt8(ascii: ":"))
      cursor.skipBlanks()
      try readMember(&cursor)
    } while cursor.take(UInt8(ascii: ","))
    try cursor.expect(UInt8(ascii: "}"))
  }

  private mutating func readMember(_ cursor: inout JSONCursor) throws(JSONCursor.Stop) {
    memberCount += 1
    guard cursor.take(UInt8(ascii: "[")) else {
      _ = try cursor.value()
      return
    }
    var isTable = true
    if !cursor.take(UInt8(ascii: "]")) {
      repeat {
        cursor.skipBlanks()
        if cursor.position.pointee == UInt8(ascii: "{") { beginsWithTable = beginsWithTable || memberCount == 1 } else { isTable = false }
        _ = try cursor.value()
      } while cursor.take(UInt8(ascii: ","))
      try cursor.expect(UInt8(ascii: "]"))
    }
    if isTable { tableCount += 1 }
  }
}
