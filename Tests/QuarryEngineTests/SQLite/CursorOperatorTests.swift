import QuarryEngine
import TestSupport
import Testing

@Suite("Operators on cursors", .gated)
struct CursorOperatorTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase("CREATE TABLE n (x)", "INSERT INTO n VALUES (1), (2), (3), (4), (5)")
  }

  /// Returns what `body` makes of a cursor of 1 to 5, and how many of them it has read.
  private func run<Value>(_ body: (GeneratedCursor<Int>) throws -> Value) throws -> (value: Value, readCount: Int) {
    try queue.read { db in
      var readCount = 0
      let numbers = try Int.fetchCursor(db, sql: "SELECT x FROM n ORDER BY x").map { number in
        readCount += 1
        return number
      }
      return (try body(numbers), readCount)
    }
  }

  private func array<Element>(_ body: (GeneratedCursor<Int>) throws -> some Cursor<Element>) throws -> [Element] {
    try run { try Array(body($0)) }.value
  }

  @Test("the first elements, and all but those")
  func prefix() throws {
    #expect(try array { $0.prefix(2) } == [1, 2])
    #expect(try run { try Array($0.prefix(2)) }.readCount == 2)
    #expect(try array { $0.prefix(0) } == [] && array { $0.prefix(-1) } == [] && array { $0.prefix(9) } == [1, 2, 3, 4, 5])
    #expect(try array { $0.dropFirst() } == [2, 3, 4, 5])
    #expect(try array { $0.dropFirst(9) } == [] && array { $0.dropFirst(0) }.count == 5)
    #expect(try array { $0.prefix(while: { $0 != 3 }) } == [1, 2])
    #expect(try array { $0.drop(while: { $0 < 4 }) } == [4, 5])
    #expect(try array { $0.dropFirst(1).prefix(2) } == [2, 3])
  }

  @Test("an end that was reached is one for good")
  func ended() throws {
    try queue.read { db throws in
      let numbers = try Int.fetchCursor(db, sql: "SELECT x FROM n ORDER BY x").prefix { $0 != 2 }
      #expect(try numbers.next() == 1)
      #expect(try numbers.next() == nil && numbers.next() == nil)
    }
  }

  @Test("numbered elements, and those that can be transformed")
  func enumerated() throws {
    #expect(try array { $0.enumerated() }.map { "\($0.0):\($0.1)" } == ["0:1", "1:2", "2:3", "3:4", "4:5"])
    #expect(try array { $0.compactMap { $0 % 2 == 0 ? "\($0)" : nil } } == ["2", "4"])
  }

  @Test("one result of all, or of no more than are needed")
  func results() throws {
    #expect(try run { try $0.reduce(0, +) }.value == 15)
    #expect(try run { try $0.reduce(into: []) { $0.insert($1, at: 0) } }.value == [5, 4, 3, 2, 1])
    #expect(try run { try $0.first { $0 > 2 } } == (3, 3))
    #expect(try run { try $0.first { $0 > 9 } }.value == nil)
    #expect(try run { try $0.contains(2) } == (true, 2))
    #expect(try run { try $0.contains { $0 > 9 } } == (false, 5))
    #expect(try run { try $0.allSatisfy { $0 < 2 } } == (false, 2))
    #expect(try run { try $0.max(by: <) }.value == 5 && run { try $0.min(by: <) }.value == 1)
    #expect(try run { try $0.filter { $0 > 9 }.max(by: <) }.value == nil)
    #expect(try run { try $0.isEmpty() } == (false, 1))
  }

  @Test("rows that operators pass on can be kept where an array or a first one is made of them")
  func rows() throws {
    try queue.read { db throws in
      let rows = { try Row.fetchCursor(db, sql: "SELECT x FROM n ORDER BY x") }
      #expect(try Array(rows().dropFirst(3)) == [["x": 4], ["x": 5]])
      #expect(try Array(rows().prefix(2).enumerated()).map(\.1) == [["x": 1], ["x": 2]])
      #expect(try Array(rows().compactMap { $0 }).count == 5)
      #expect(try rows().first { try $0[0] as Int == 2 } == ["x": 2])
      #expect(try rows().max { try ($0[0] as Int) < ($1[0] as Int) } == ["x": 5])
    }
  }

  @Test("what a closure throws comes out")
  func failure() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try run { try Array($0.prefix { _ in throw Failure() }) } }
    #expect(throws: Failure.self) { try run { try $0.contains { _ in throw Failure() } } }
  }
}
