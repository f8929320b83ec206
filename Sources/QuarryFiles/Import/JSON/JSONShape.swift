/// The arrangement of the objects in a JSON text.
enum JSONShape {
  /// `[{…}, {…}]`
  case array
  /// `{"album": [{…}], "track": [{…}]}`: a table for each key.
  case tables
  /// `{"page": 1, "results": [{…}]}`: the only array of objects, under this key, among other members.
  case member(key: [UInt8])
  /// `{…} {…}`: one object after another, each on its own line or not.
  case sequence(isLineByLine: Bool)
}

extension JSONShape {
  /// Detects the shape of a text from its first value.
  ///
  /// An object without following text, all of whose values are arrays of objects, contains tables. An object with one such array contains
  /// the records of that array. Any other object is itself a record. An object that does not end in the first 64 KiB contains tables if its
  /// first value is an array that begins with an object. It contains the records of an array of objects if that is the first such array and
  /// does not end in these bytes.
  ///
  /// - Parameter isSequence: Whether a text that begins with neither an object nor an array has an object on each line, according to the
  ///   file name.
  /// - Throws: The errors of ``TextSample/readMore()``.
  init(_ sample: TextSample, isSequence: Bool) throws {
    while true {
      if let shape = sample.withTerminator({ JSONShape(sample.batch.bytes, count: sample.count, isLast: sample.isLast) }) {
        self = shape
        if isSequence, case .array = shape, !sample.beginsArray { self = .sequence(isLineByLine: true) }
        return
      }
      _ = try sample.readMore()
    }
  }

  /// Detects the shape from the first bytes of a text.
  ///
  /// Returns nil if they are not sufficient.
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
      self = cursor.position == cursor.end ? object.shape ?? .sequence(isLineByLine: isLineByLine) : .sequence(isLineByLine: isLineByLine)
    } catch .incomplete {
      if count < TextSample.length { return nil }
      self = object.shapeOfBeginning ?? .sequence(isLineByLine: cursor.place.line == line)
    } catch {
      // If a line is truncated, the fault is at the beginning of the next one.
      let isLineByLine = cursor.place.line == line || cursor.place.column == 1
      self = object.beginsWithTable && !isLineByLine ? .tables : .sequence(isLineByLine: isLineByLine)
    }
  }
}

extension TextSample {
  fileprivate var beginsArray: Bool { text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[") }
}

/// The contents of the first object of a text.
private struct TopObject {
  private(set) var beginsWithTable = false
  private var memberCount = 0
  /// The number of members that are arrays of objects or empty arrays, which may contain anything.
  private var tableCount = 0
  /// The keys of the nonempty arrays of objects.
  private var filledKeys: [[UInt8]] = []
  /// The key of the current member, if it is an array with at least one object and only objects so far.
  private var openKey: [UInt8]?

  /// The shape of a complete object with arrays of objects, or nil for a record.
  var shape: JSONShape? {
    if memberCount > 0, tableCount == memberCount { return .tables }
    return filledKeys.count == 1 ? .member(key: filledKeys[0]) : nil
  }

  /// The shape of an object after only its beginning was read.
  var shapeOfBeginning: JSONShape? {
    if beginsWithTable { return .tables }
    guard filledKeys.isEmpty, let openKey else { return nil }
    return .member(key: openKey)
  }

  mutating func read(_ cursor: inout JSONCursor) throws(JSONCursor.Stop) {
    try cursor.expect(UInt8(ascii: "{"))
    if cursor.take(UInt8(ascii: "}")) { return }
    repeat {
      let start = try cursor.string()
      let key = Array(UnsafeBufferPointer(start: start, count: cursor.position - 1 - start))
      try cursor.expect(UInt8(ascii: ":"))
      cursor.skipBlanks()
      try readMember(&cursor, key)
    } while cursor.take(UInt8(ascii: ","))
    try cursor.expect(UInt8(ascii: "}"))
  }

  private mutating func readMember(_ cursor: inout JSONCursor, _ key: [UInt8]) throws(JSONCursor.Stop) {
    memberCount += 1
    guard cursor.take(UInt8(ascii: "[")) else {
      _ = try cursor.value()
      return
    }
    var (isTable, isEmpty) = (true, true)
    if !cursor.take(UInt8(ascii: "]")) {
      isEmpty = false
      repeat {
        cursor.skipBlanks()
        if cursor.position.pointee == UInt8(ascii: "{") {
          beginsWithTable = beginsWithTable || memberCount == 1
          openKey = isTable ? key : nil
        } else {
          (isTable, openKey) = (false, nil)
        }
        _ = try cursor.value()
      } while cursor.take(UInt8(ascii: ","))
      try cursor.expect(UInt8(ascii: "]"))
    }
    openKey = nil
    guard isTable else { return }
    tableCount += 1
    if !isEmpty { filledKeys.append(key) }
  }
}
