package import QuarryEngine

/// A request to a dqlite node.
///
/// Requests that change the cluster or could crash a node are not included.
///
/// DESCRIBE is missing because a node crashes if its format is not 0. INTERRUPT is missing because it is read only once the statement has
/// ended.
package enum DqliteRequest: Sendable {
  /// Asks for the leader.
  case leader
  /// Asks for the nodes with their roles.
  case cluster
  /// Opens a database, whether it exists or not.
  case open(String)
  /// Prepares a statement.
  ///
  /// Since 1.15 the answer has schema 1.
  case prepare(String)
  /// Runs a statement that returns rows.
  case query(String, [DatabaseValue])
  /// Runs a statement that returns no rows.
  case execute(String, [DatabaseValue])

  /// The first message of a client, sent once: the version of the protocol.
  static let greeting: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
  /// The maximum number of values for a node before 1.15.
  static let shortParameterLimit = 255

  /// Returns the encoded request.
  ///
  /// No body is empty, because that would crash a node.
  package func encoded() throws(DqliteViolation) -> [UInt8] {
    switch self {
    case .leader:
      var message = DqliteMessage(type: 0)
      message.append(word: 0)
      return try message.encoded()
    case .cluster:
      var message = DqliteMessage(type: 16)
      message.append(word: 1)
      return try message.encoded()
    case .open(let name):
      var message = DqliteMessage(type: 3)
      try message.append(text: name)
      message.append(word: 0)
      try message.append(text: "volatile")
      return try message.encoded()
    case .prepare(let sql):
      var message = DqliteMessage(type: 4, schema: 1)
      message.append(word: 0)
      try message.append(text: sql)
      return try message.encoded()
    case .query(let sql, let values): return try Self.statement(9, sql, values)
    case .execute(let sql, let values): return try Self.statement(8, sql, values)
    }
  }

  private static func statement(_ type: UInt8, _ sql: String, _ values: [DatabaseValue]) throws(DqliteViolation) -> [UInt8] {
    let isLong = values.count > shortParameterLimit
    var message = DqliteMessage(type: type, schema: isLong ? 1 : 0)
    message.append(word: 0)
    try message.append(text: sql)
    if !values.isEmpty { try message.append(values, isLong: isLong) }
    return try message.encoded()
  }
}

/// A message to send: a header of one word, and a body of whole words.
struct DqliteMessage {
  private var bytes: [UInt8]

  init(type: UInt8, schema: UInt8 = 0) {
    bytes = [0, 0, 0, 0, type, schema, 0, 0]
  }

  mutating func append(word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a text with its terminating NUL.
  ///
  /// - Throws: ``DqliteViolation`` for a text that contains a NUL, at which the node would truncate it.
  mutating func append(text: String) throws(DqliteViolation) {
    guard !text.utf8.contains(0) else { throw DqliteViolation("a text with a NUL cannot be sent to a node") }
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
    pad()
  }

  mutating func append(blob: [UInt8]) {
    append(word: UInt64(blob.count))
    bytes.append(contentsOf: blob)
    pad()
  }

  /// Appends the values of parameters: their number, the types of all, then each value.
  mutating func append(_ values: [DatabaseValue], isLong: Bool) throws(DqliteViolation) {
    if isLong {
      guard let count = UInt32(exactly: values.count) else { throw DqliteViolation("too many values for one statement") }
      withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
    } else {
      bytes.append(UInt8(clamping: values.count))
    }
    for value in values { bytes.append(DqliteType(of: value).rawValue) }
    pad()
    for value in values {
      switch value {
      case .null: append(word: 0)
      case .integer(let value): append(word: UInt64(bitPattern: value))
      case .real(let value): append(word: value.bitPattern)
      case .text(let text): try append(text: text)
      case .blob(let blob): append(blob: blob)
      }
    }
  }

  private mutating func pad() {
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  /// Returns the message with its size in its header.
  func encoded() throws(DqliteViolation) -> [UInt8] {
    let words = bytes.count / 8 - 1
    guard words > 0, words <= DqliteFrame.greatestWords else {
      throw DqliteViolation("a statement with \(bytes.count) bytes of text and values is more than a node accepts at once")
    }
    var encoded = bytes
    withUnsafeBytes(of: UInt32(words).littleEndian) { encoded.replaceSubrange(0..<4, with: $0) }
    return encoded
  }
}

/// The type of a value in the protocol.
enum DqliteType: UInt8 {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5
  /// Seconds since 1970, for an integer in a column that is declared as a time.
  case unixTime = 9
  /// A text in a column that is declared as a time.
  case isoTime = 10
  /// An integer in a column that is declared as BOOLEAN.
  case boolean = 11

  init(of value: DatabaseValue) {
    self =
      switch value {
      case .null: .null
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .blob
      }
  }
}

/// An error in received bytes, or in bytes to be sent.
package struct DqliteViolation: Error, Hashable {
  /// The error as a sentence without a final period.
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
