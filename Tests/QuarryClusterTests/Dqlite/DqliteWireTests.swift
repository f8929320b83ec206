import TestSupport
import Testing

@testable import QuarryCluster
@testable import QuarryEngine
@testable import QuarryRows

/// What is sent to a node and received from one, byte for byte as a node of 1.11 sent and received it.
@Suite(.gated) struct DqliteWireTests {
  /// Returns the bytes of words that are written in hexadecimal digits.
  static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  static func frame(_ hex: String) throws -> DqliteFrame {
    var frames = DqliteFrames()
    frames.append(bytes(hex))
    return try #require(try frames.next())
  }

  @Test("a message that announces more than a row can have is refused by its header", arguments: [(0, true), (1, false)])
  func size(more: UInt8, isValid: Bool) throws {
    var frames = DqliteFrames()
    // The most words, or one more.
    frames.append([more, 0, 0, 8, 0, 0, 0, 0])
    if isValid {
      #expect(try frames.next() == nil)
    } else {
      #expect(throws: DqliteViolation.self) { try frames.next() }
    }
  }

  @Test("OPEN has the name, flags, and the name of a file system")
  func open() throws {
    let sent = Self.bytes("0400000003000000 64656d6f00000000 0000000000000000 766f6c6174696c65 0000000000000000")
    #expect(try DqliteRequest.open("demo").encoded() == sent)
    guard case .database = try DqliteResponse(Self.frame("0100000004000000 0000000000000000")) else {
      Issue.record("no database")
      return
    }
  }

  @Test("EXEC_SQL has the types of the values before the values")
  func insert() throws {
    let sent = Self.bytes(
      """
      0800000008000000 0000000000000000 494e534552542049 4e544f2074205641 4c554553283f2c3f 2900000000000000 0201030000000000 0700000000000000
      6869000000000000
      """)
    #expect(try DqliteRequest.execute("INSERT INTO t VALUES(?,?)", [7, "hi"]).encoded() == sent)
    guard case .result(let change) = try DqliteResponse(Self.frame("0200000006000000 0100000000000000 0100000000000000")) else {
      Issue.record("no result")
      return
    }
    #expect(change.rows == 1 && change.lastRowID == 1)
  }

  @Test("Rows are read without what fills the last word of a blob")
  func rows() throws {
    let sent = Self.bytes("0400000009000000 0000000000000000 53454c4543542061 2c622046524f4d20 7400000000000000")
    #expect(try DqliteRequest.query("SELECT a,b FROM t", []).encoded() == sent)
    let frame = try Self.frame(
      """
      0b00000007000000 0200000000000000 6100000000000000 6200000000000000 3100000000000000 0700000000000000 6869000000000000
      4500000000000000 0000000000000000 0200000000000000 00ffcc78037f0000 ffffffffffffffff
      """)
    var reader = DqliteRowReader()
    var values: [RemoteValue] = []
    #expect(try reader.read(frame, into: &values))
    #expect(frame.endsAnswer)
    #expect(reader.columns == ["a", "b"])
    #expect(values == [.integer(7), .text(Array("hi".utf8)[...]), .null, .blob([0, 255])])
  }

  @Test("What a node's own storage or memory fails at does not read like a failure here", arguments: [7, 10, 11, 13, 522] as [UInt64])
  func failureOfNode(code: UInt64) throws {
    let node = try #require(DqliteNode("10.0.0.1:9001", defaultPort: 1))
    let error = DqliteFailure(code: code, message: "disk I/O error").error(at: node).translated(sql: "INSERT INTO t VALUES (1)")
    let sentence = try #require(error as? DataSourceError).description
    #expect(sentence.contains("10.0.0.1:9001 could not do this") && sentence.contains("disk I/O error (\(code))"))
  }

  @Test("A failure is read from its end, behind the rows that came before it")
  func failureAfterRows() throws {
    let head = "0100000000000000 6100000000000000 0100000000000000 0500000000000000"
    for message in ["", "x", "seven..", "eight...", "integer overflow", "a message of thirty-one letters"] {
      var text = Array(message.utf8) + [0]
      while text.count % 8 != 0 { text.append(0) }
      let failure = try DqliteFailure(Self.bytes(head) + Self.bytes("0a28000000000000") + text)
      #expect(failure == DqliteFailure(code: 10250, message: message))
    }
    #expect(throws: DqliteViolation.self) { try DqliteFailure([]) }
    #expect(throws: DqliteViolation.self) { try DqliteFailure(Array("notermin".utf8)) }
  }

  @Test("More than 255 values are sent by the second schema")
  func manyValues() throws {
    let values = (0..<300).map { DatabaseValue.integer($0) }
    let sent = try DqliteRequest.query("SELECT ?", values).encoded()
    #expect(sent[5] == 1)
    // Header, database, statement of two words, count and types to a whole word, values.
    #expect(sent.count == 8 + 8 + 16 + 304 + 300 * 8)
    #expect(Array(sent[32..<38]) == [44, 1, 0, 0, 1, 1])
    #expect(try DqliteRequest.query("SELECT ?", Array(values.prefix(255))).encoded()[5] == 0)
  }

  @Test("No message has an empty body, and no text a NUL")
  func refused() throws {
    for request in [DqliteRequest.leader, .cluster, .open("x"), .prepare(""), .query("", []), .execute("", [])] {
      #expect(try request.encoded().count >= 16)
    }
    #expect(throws: DqliteViolation.self) { try DqliteRequest.query("SELECT 1\0;", []).encoded() }
    #expect(throws: DqliteViolation.self) { try DqliteRequest.query("SELECT ?", ["a\0b"]).encoded() }
  }

  @Test("Messages are the same however their bytes come")
  func pieces() throws {
    let bytes = Self.bytes("0200000006000000 0100000000000000 0100000000000000 0100000004000000 0000000000000000 0300000001000000")
    for size in 1...bytes.count {
      var frames = DqliteFrames()
      var types: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        frames.append(bytes[start..<min(start + size, bytes.count)])
        while let frame = try frames.next() { types.append(frame.type) }
      }
      #expect(types == [6, 4])
    }
  }

  @Test("A part without rows is told from one with rows, and from the last")
  func emptyPart() throws {
    var reader = DqliteRowReader()
    var values: [RemoteValue] = []
    let empty = try Self.frame("0300000007000000 0100000000000000 6100000000000000 eeeeeeeeeeeeeeee")
    #expect(!empty.endsAnswer)
    #expect(try !reader.read(empty, into: &values))
    let last = try Self.frame("0300000007000000 0100000000000000 6100000000000000 ffffffffffffffff")
    #expect(try reader.read(last, into: &values))
    #expect(values.isEmpty)
  }
}

/// Nothing that comes over the wire may end the program.
@Suite(.gated) struct DqliteWireFuzzTests {
  /// Reads bytes as a channel would, and all that can be made of each message.
  private func read(_ bytes: [UInt8]) {
    var frames = DqliteFrames()
    frames.append(bytes)
    var reader = DqliteRowReader()
    var values: [RemoteValue] = []
    while let frame = try? frames.next() {
      _ = frame.endsAnswer
      _ = try? DqliteResponse(frame)
      _ = try? DqliteFailure(frame.body)
      _ = try? reader.read(frame, into: &values)
      var fresh = DqliteRowReader()
      _ = try? fresh.read(frame, into: &values)
    }
  }

  private static let whole: [String] = [
    """
    0b00000007000000 0200000000000000 6100000000000000 6200000000000000 3100000000000000 0700000000000000 6869000000000000
    4500000000000000 0000000000000000 0200000000000000 00ffcc78037f0000 ffffffffffffffff
    """,
    "0700000003000000 0100000000000000 0100000000000000 3132372e302e302e 313a393130310000 0000000000000000 0000000000000000 0000000000000000",
    "0200000000000000 0100000000000000 6e6f000000000000",
    "0300000005000000 0000000000000000 0100000000000000 0000000000000000",
  ]

  @Test("Random bytes, with headers that are right and wrong")
  func random() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let words = Int.random(in: 1...12, using: &generator)
      let body = (0..<words * 8).map { _ in
        Bool.random(using: &generator) ? [0, 1, 5, 0xEE, 0xFF][Int.random(in: 0..<5, using: &generator)] : UInt8.random(in: 0...255)
      }
      let header: [UInt8] = [UInt8(words), 0, 0, 0, UInt8.random(in: 0...11, using: &generator), 0, 0, 0]
      read(Bool.random() ? header + body : body)
    }
  }

  @Test("Messages of nodes with some of their bytes changed, cut anywhere")
  func changed() {
    var generator = SystemRandomNumberGenerator()
    for hex in Self.whole {
      let bytes = DqliteWireTests.bytes(hex)
      for end in 0...bytes.count { read(Array(bytes[..<end])) }
      for _ in 0..<10_000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          changed[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        read(changed)
      }
    }
  }
}
