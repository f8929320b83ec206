import QuarryEngine
import QuarryRows
import Testing

/// What plain SQL with OFFSET says of a row set, to hold pages against.
struct RowOracle {
  let reader: RowReader
  let queue: DatabaseQueue
  /// The SELECT with its order, without LIMIT.
  let sql: String

  init(_ rowSet: RowSet, _ queue: DatabaseQueue, background: DatabaseQueue? = nil, sql: String) {
    self.init(rowSet, on: ReadConnections(foreground: queue, background: background ?? queue), sql: sql)
  }

  init(_ rowSet: RowSet, on connections: ReadConnections, sql: String) {
    reader = RowReader(rowSet, on: connections)
    queue = connections.foreground
    self.sql = sql
  }

  func count() throws -> Int {
    try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM (\(sql))") ?? 0 }
  }

  func rows(_ first: Int, _ limit: Int) throws -> [[CellValue]] {
    try queue.read { db in
      let statement = try db.cachedStatement(sql: "\(sql) LIMIT ? OFFSET ?")
      try statement.reset()
      try statement.bind(limit, at: 1)
      try statement.bind(first, at: 2)
      var rows: [[CellValue]] = []
      while try statement.step() { try rows.append(statement.cells(statement.columnCount, limit: CellValue.prefixLimit)) }
      return rows
    }
  }

  /// Walks all rows forward and backward by pages, and compares each page: the numbers, too, once they are known.
  func walk(by limit: Int) async throws {
    let count = try count()
    try await walkForward(by: limit, count: count, areNumbersKnown: false)
    try await walkBackward(by: limit, count: count)
    await reader.numbersAreKnown()
    try await walkForward(by: limit, count: count, areNumbersKnown: true)
  }

  private func walkForward(by limit: Int, count: Int, areNumbersKnown: Bool) async throws {
    var page = try await reader.page(PageRequest(.first, limit: limit))
    var first = 0
    #expect(page.reachesStart)
    while true {
      #expect(try page.rows.map(\.cells) == rows(first, limit), "row \(first) of \(sql)")
      #expect(page.firstNumber == .exact(first) || page.firstNumber == nil && !areNumbersKnown && first > 0, "row \(first) of \(sql)")
      #expect(page.reachesEnd == (first + limit >= count), "end after row \(first) of \(sql)")
      guard !page.reachesEnd, let last = page.rows.last else { break }
      first += page.rows.count
      page = try await reader.page(PageRequest(.after(last.key), limit: limit))
      #expect(!page.reachesStart)
    }
  }

  private func walkBackward(by limit: Int, count: Int) async throws {
    var page = try await reader.page(PageRequest(.last, limit: limit))
    var end = count
    #expect(page.reachesEnd)
    while true {
      let first = max(0, end - limit)
      #expect(try page.rows.map(\.cells) == rows(first, end - first), "rows before \(end) of \(sql)")
      #expect(page.reachesStart == (first == 0))
      guard !page.reachesStart, let head = page.rows.first else { break }
      end = first
      page = try await reader.page(PageRequest(.before(head.key), limit: limit))
      #expect(!page.reachesEnd)
    }
  }

  /// Asks for rows by their numbers, and for the numbers of those rows.
  func jump(to numbers: [Int], limit: Int = 7) async throws {
    let count = try count()
    for number in numbers {
      let page = try await reader.page(PageRequest(.number(number), limit: limit))
      let first = min(max(0, number), max(0, count - 1))
      #expect(try page.rows.map(\.cells) == rows(first, number < count ? limit : 1), "row number \(number) of \(sql)")
      #expect(page.firstNumber == .exact(first))
      if let key = page.rows.first?.key {
        #expect(try await reader.number(of: key) == .exact(first))
        #expect(try await reader.page(PageRequest(.from(key), limit: limit)).rows == page.rows)
      }
    }
  }
}
