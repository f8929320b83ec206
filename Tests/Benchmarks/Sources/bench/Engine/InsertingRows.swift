import GRDB
import Loops
import QuarryEngine

/// Compares inserting rows into a table in memory, in one transaction.
func insertingRows(_ rows: Int) -> [Comparison] {
  let source = EventSource(rows: rows)
  let byC: (Contestant, Comparison.Work) = (.c, { try insertByC(source) })
  return [
    Comparison(
      number: "13a", what: "insert with 7 named arguments as a literal", goals: [.timesAsFast(1.5, .grdb)],
      stretch: [.timesAsFast(2, .grdb)],
      contestants: [(.ours, { try insertNamed(source) }), byC, (.grdb, { try insertNamedByGRDB(source) })]),
    Comparison(
      number: "13b", what: "insert by statement.execute(rows)", goals: [.atMost(1.5, .c)], stretch: [.atMost(1.2, .c)],
      contestants: [(.ours, { try insertAtOnce(source) }), byC]),
    Comparison(
      number: "13b", what: "insert by bind(_:at:) and step()", goals: [.atMost(1.15, .c)], stretch: [.atMost(1.05, .c)],
      contestants: [(.ours, { try insertByHand(source) }), byC]),
  ]
}

private let namedInsert = "INSERT INTO events VALUES (:id, :ts, :user_id, :kind, :amount, :note, :payload)"
private let plainInsert = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"

// MARK: - Ours

private func insertNamed(_ source: EventSource) throws -> Comparison.Result {
  try inserting(namedInsert) { statement in
    try source.forEach { id, event in
      try statement.execute(arguments: [
        "id": id, "ts": event.ts, "user_id": event.userID, "kind": event.kind, "amount": event.amount,
        "note": event.note, "payload": event.payload,
      ])
    }
  }
}

private func insertAtOnce(_ source: EventSource) throws -> Comparison.Result {
  try inserting(plainInsert) { statement in
    try statement.execute(
      source.lazy.map { row in
        row.event._withUnsafeGuaranteedRef { event in
          [row.number, event.ts, event.userID, event.kind, event.amount, event.note, event.payload]
        }
      })
  }
}

private func insertByHand(_ source: EventSource) throws -> Comparison.Result {
  try inserting(plainInsert) { statement in
    try source.forEach { id, event in
      try statement.bind(id, at: 1)
      try statement.bind(event.ts, at: 2)
      try statement.bind(event.userID, at: 3)
      try statement.bind(event.kind, at: 4)
      try statement.bind(event.amount, at: 5)
      try statement.bind(event.note, at: 6)
      try statement.bind(event.payload, at: 7)
      try statement.step()
      try statement.reset()
    }
  }
}

private func inserting(_ sql: String, _ body: (QuarryEngine.Statement) throws -> Void) throws -> Comparison.Result {
  let queue = try QuarryEngine.DatabaseQueue()
  try queue.write { try $0.execute(sql: Event.schema) }
  return try measured {
    try queue.write { db in
      try body(db.makeStatement(sql: sql))
      return db.lastInsertedRowID
    }
  }
}

// MARK: - The others

private func insertNamedByGRDB(_ source: EventSource) throws -> Comparison.Result {
  let queue = try GRDB.DatabaseQueue()
  try queue.write { try $0.execute(sql: Event.schema) }
  return try measured {
    try queue.write { db in
      let statement = try db.makeStatement(sql: namedInsert)
      try source.forEach { id, event in
        try statement.execute(arguments: [
          "id": id, "ts": event.ts, "user_id": event.userID, "kind": event.kind, "amount": event.amount,
          "note": event.note, "payload": event.payload,
        ])
      }
      return db.lastInsertedRowID
    }
  }
}

private func insertByC(_ source: EventSource) throws -> Comparison.Result {
  var message: UnsafePointer<CChar>?
  guard let database = loops_open(Event.schema, &message) else { throw CError(message.map { String(cString: $0) } ?? "no memory") }
  defer { loops_close(database) }
  return try measured {
    let last = loops_insert(database, plainInsert, source.forC.start, Int64(source.events.count), Int64(source.rows), &message)
    if let message { throw CError(String(cString: message)) }
    return last
  }
}
