/// The answer of a node.
package enum DqliteResponse: Sendable {
  case failure(DqliteFailure)
  /// The leader, or an empty address if none is known.
  case server(address: String)
  case servers([DqliteServer])
  /// A database was opened.
  case database
  /// A statement was prepared.
  ///
  /// Schema 1 is used since 1.15.
  case statement(schema: UInt8)
  case result(RemoteChange)
  /// Rows, to be read by a ``DqliteRowReader``.
  case rows
  case empty

  /// Parses a message.
  ///
  /// - Throws: ``DqliteViolation`` if it is malformed or unexpected.
  package init(_ frame: DqliteFrame) throws(DqliteViolation) {
    var reader = DqliteReader(frame.body)
    switch frame.type {
    case 0: self = .failure(try DqliteFailure(frame.body))
    case 1:
      _ = try reader.word()
      self = .server(address: String(decoding: try reader.text(), as: UTF8.self))
    case 3: self = .servers(try Self.servers(&reader))
    case 4: self = .database
    case 5: self = .statement(schema: frame.schema)
    case 6:
      let lastRowID = Int64(bitPattern: try reader.word())
      self = .result(RemoteChange(rows: Int(clamping: try reader.word()), lastRowID: lastRowID))
    case DqliteFrame.rows: self = .rows
    case 8: self = .empty
    default: throw DqliteViolation("it sent an unexpected answer of kind \(frame.type)")
    }
  }

  private static func servers(_ reader: inout DqliteReader) throws(DqliteViolation) -> [DqliteServer] {
    let count = try reader.word()
    // A server needs at least three words.
    guard count <= reader.left / 24 else { throw DqliteViolation("a list of nodes is longer than its message") }
    var servers: [DqliteServer] = []
    for _ in 0..<count {
      _ = try reader.word()
      let address = String(decoding: try reader.text(), as: UTF8.self)
      servers.append(DqliteServer(address: address, isVoter: try reader.word() == 0))
    }
    return servers
  }
}

/// A node as listed by the cluster.
package struct DqliteServer: Sendable, Hashable {
  var address: String
  /// Whether the node is a voter.
  var isVoter: Bool
}

/// An error reported by a node.
package struct DqliteFailure: Error, Hashable {
  /// SQLite's extended result code, or one of dqlite's own codes.
  var code: UInt64
  var message: String
}

extension DqliteFailure {
  /// Parses a failure from its end, because rows that the node had written before the statement failed may precede it.
  ///
  /// The last word ends the message. Words before it belong to the message while they contain no zero byte. The word before those is the
  /// code, which is small.
  package init(_ body: [UInt8]) throws(DqliteViolation) {
    var start = body.count - 8
    while start >= 8, !body[start - 8..<start].contains(0) { start -= 8 }
    guard body.count % 8 == 0, start >= 8 else { throw DqliteViolation("a failure has no code") }
    code = (0..<8).reduce(0) { $0 | UInt64(body[start - 8 + $1]) << (8 * UInt64($1)) }
    message = String(decoding: body[start...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
