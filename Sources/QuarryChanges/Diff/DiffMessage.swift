internal import Essentials
internal import QuarryEngine
internal import QuarryRows

/// A message between a comparison and the program that reads one of its files on another host.
///
/// Its head is JSON. Rows follow as the bytes of a ``DiffBlock``. Both have their number of bytes in front.
package struct DiffMessage: Sendable {
  private var head: [UInt8]
  private var rows: ArraySlice<UInt8>

  private static let lengthSize = 4

  init(_ head: some Encodable, _ rows: DiffBlock? = nil) throws {
    self.head = Array(try JSONEncoder().encode(head))
    self.rows = rows?.content ?? []
  }

  /// The message to send.
  ///
  /// - Throws: `SQLITE_TOOBIG` for 4 GiB of rows.
  package var bytes: [UInt8] {
    get throws {
      guard let headSize = UInt32(exactly: head.count), let size = UInt32(exactly: rows.count) else {
        throw DatabaseError(DatabaseError.SQLITE_TOOBIG)
      }
      return [headSize, size].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } } + head + rows
    }
  }

  /// Removes the first message of the received bytes, or returns nil while it is incomplete.
  package static func take(from bytes: inout ArraySlice<UInt8>) -> DiffMessage? {
    guard bytes.count >= 2 * lengthSize else { return nil }
    func size(at offset: Int) -> Int { bytes.dropFirst(offset).prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) } }
    let (headSize, size) = (size(at: 0), size(at: lengthSize))
    let content = bytes.dropFirst(2 * lengthSize)
    guard content.count >= headSize + size else { return nil }
    let message = DiffMessage(head: Array(content.prefix(headSize)), rows: content.dropFirst(headSize).prefix(size))
    bytes = content.dropFirst(headSize + size)
    return message
  }

  private init(head: [UInt8], rows: ArraySlice<UInt8>) {
    (self.head, self.rows) = (head, rows)
  }

  /// Decodes the head.
  ///
  /// - Throws: ``DiffMessageError``
  func decoded<Head: Decodable>(as type: Head.Type = Head.self) throws(DiffMessageError) -> Head {
    do { return try JSONDecoder().decode(type, from: Data(head)) } catch { throw DiffMessageError() }
  }

  /// Decodes the rows.
  ///
  /// - Throws: ``DiffMessageError``
  func block(width: Int, count: Int) throws(DiffMessageError) -> DiffBlock {
    try DiffBlock(content: rows, width: width, count: count)
  }
}

/// The error for a message that Quarry on another host cannot have sent.
package struct DiffMessageError: Error, CustomStringConvertible {
  package var description: String { "the other host sent something that is not an answer of this version of Quarry" }
}

/// What a comparison asks about a file on another host.
struct DiffQuestion: Codable, Sendable {
  enum Kind: Codable, Sendable {
    /// Opens the file; the answer is the number of the new side.
    case open(isWatched: Bool)
    case close
    /// Asks for the schema, unless the database still has this state.
    case schema(unless: DiffState?)
    case state
    case isUTF8
    case rows(SentSQL, width: Int)
    /// Asks for the first rows of a query.
    case block(SentSQL, width: Int, limit: Int)
    case copy(SentSQL, table: String)
    case drop(database: String, name: String)
    case checkReached(count: Int, table: String, state: DiffState)
  }

  /// The number of the side.
  var side: Int
  var kind: Kind
}

/// The answer to a question.
enum DiffAnswer: Codable, Sendable {
  case done
  case opened(Int)
  case sameSchema
  /// The rows of `sqlite_schema`.
  case schema(DiffState, count: Int)
  case state(DiffState)
  case isUTF8(Bool)
  case rows(width: Int, count: Int)
  case block(count: Int, isEnd: Bool)
  case copied(database: String, name: String)
  case failed(SentError)
}

/// The text of an SQL statement, divided at its values, which follow the head of a message as a row.
struct SentSQL: Codable, Sendable {
  private var parts: [String] = []

  init(_ sql: SQLText) throws {
    try sql.checkStorable()
    var rest = sql.sql.utf8[...]
    var start = 0
    for value in sql.placedValues {
      parts.append(String(Substring(rest.prefix(value.offset - start))))
      rest = rest.dropFirst(value.offset - start + 1)
      start = value.offset + 1
    }
    parts.append(String(Substring(rest)))
  }

  /// The number of values.
  var width: Int { max(0, parts.count - 1) }

  /// Returns the values as a row.
  static func values(of sql: SQLText) throws -> DiffBlock {
    sql.values.isEmpty ? DiffBlock(width: 0) : try DiffBlock([sql.values.map { .value($0) }], width: sql.values.count)
  }

  /// Returns the statement with the values of a message.
  func text(_ message: DiffMessage) throws(DiffMessageError) -> SQLText {
    let values = width == 0 ? [] : try message.block(width: width, count: 1).values(at: 0)
    var text = SQLText()
    for (index, part) in parts.enumerated() {
      if index > 0 { text.append(argument: values[index - 1].databaseValue) }
      text.raw(part)
    }
    return text
  }
}

/// An error of the program on another host.
struct SentError: Codable, Sendable {
  private enum Kind: Codable {
    case obstacle(isUnknownKey: Bool)
    case database(code: Int32, systemError: Int32, sql: String?, offset: Int?)
    case source(isOfOpening: Bool)
  }

  private var kind: Kind
  private var text: String

  init(_ error: any Error) {
    switch error {
    case let error as DiffObstacle: (kind, text) = (.obstacle(isUnknownKey: error.isUnknownKey), error.reason)
    case let error as DatabaseError:
      let code = error.extendedResultCode.rawValue
      (kind, text) = (.database(code: code, systemError: error.systemError, sql: error.sql, offset: error.offset), error.message)
    case let error as DataSourceError: (kind, text) = (.source(isOfOpening: error.isOfOpening), error.description)
    default: (kind, text) = (.source(isOfOpening: false), "\(error)")
    }
  }

  /// The error as it would be thrown for a local file.
  var error: any Error {
    switch kind {
    case .obstacle(let isUnknownKey): return DiffObstacle(text, isUnknownKey: isUnknownKey)
    case .source(let isOfOpening): return DataSourceError(text, isOfOpening: isOfOpening)
    case .database(let code, let systemError, let sql, let offset):
      var error = DatabaseError(ResultCode(rawValue: code), text, sql: sql, offset: offset)
      error.systemError = systemError
      return error
    }
  }
}
