package import QuarryEngine

/// What a node of dqlite is asked; what changes the cluster, or could end a node, is not among it.
///
/// DESCRIBE is missing because a node ends when its format is not 0, INTERRUPT because it is read only once the statement is done.
package enum DqliteRequest: Sendable {
  /// Which node leads.
  case leader
  /// Which nodes there are, with their roles.
  case cluster
  /// Opens a database, whether it exists or not.
  case open(String)
  /// Prepares a statement; answered by schema 1 since 1.15.
  case prepare(String)
  /// Runs a statement that yields rows.
  case query(String, [DatabaseValue])
  /// Runs a statement that yields none.
  case execute(String, [DatabaseValue])

  /// What a client sends first, once: the version of the protocol.
  static let greeting: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
  /// The greatest number of values that a node before 1.15 reads.
  static let shortParameterLimit = 255

  /// Returns the request as it is sent; no body is empty, for which a node would end.
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

/// A message that is being written: a header of one word, and a body of whole words.
struct DqliteMessage {
  private var bytes: [UInt8]

  init(type: UInt8, schema: UInt8 = 0) {
    bytes = [0, 0, 0, 0, type, schema, 0, 0]
  }

  mutating func append(word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a text with the NUL that ends it.
  ///
  /// - Throws: ``DqliteViolation`` for one with a NUL, at which the node would cut it.
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

  /// Appends the values of parameters: how many there are, the types of all, then each.
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
      throw DqliteViolation("a statement with \(bytes.count) bytes of text and values is more than a node takes at once")
    }
    var encoded = bytes
    withUnsafeBytes(of: UInt32(words).littleEndian) { encoded.replaceSubrange(0..<4, with: $0) }
    return encoded
  }
}

/// The type of a value as it is sent.
enum DqliteType: UInt8 {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5
  /// Seconds since 1970, of a column that is declared as a time and holds an integer.
  case unixTime = 9
  /// A text, of a column that is declared as a time.
  case isoTime = 10
  /// An integer, of a column that is declared as BOOLEAN.
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

/// What is wrong with bytes that were received, or were to be sent.
package struct DqliteViolation: Error, Hashable {
  /// What is wrong, without an end.
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
