import Foundation
import Loops

/// A row of the table that is read and filled, made of its number alone: the same on every machine.
///
/// An object that does not change: a loop that binds its texts does not copy them first, as the loop in C does not.
final class Event: Sendable {
  static let columns = ["id", "ts", "user_id", "kind", "amount", "note", "payload"]

  static let schema = """
    CREATE TABLE events(id INTEGER PRIMARY KEY, ts TEXT NOT NULL, user_id INTEGER NOT NULL, kind TEXT NOT NULL,
                        amount REAL, note TEXT, payload TEXT NOT NULL)
    """

  let id: Int
  let ts: String
  let userID: Int
  let kind: String
  let amount: Double?
  let note: String?
  let payload: String

  init(_ number: Int, of rows: Int) {
    let hash = mix(UInt64(number))
    id = number
    ts = Self.time(number * 7)
    userID = Int(mix(UInt64(number + 1)) % UInt64(max(1, rows / 50)))
    kind = Self.kinds[Int(hash % 12)]
    amount = hash % 20 == 0 ? nil : Double((hash >> 8) % 1_000_000) / 100
    note = hash % 10 == 0 ? nil : Self.note(hash)
    let session = String(hash, radix: 16)
    let padding = String(repeating: "0", count: 16 - session.count)
    payload = #"{"session":"\#(padding)\#(session)","step":\#(hash % 40),"ok":\#(hash & 64 != 0)}"#
  }

  private static let kinds = [
    "view", "click", "login", "logout", "purchase", "refund", "search", "share", "signup", "upload", "comment", "error",
  ]
  private static let words = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "iris", "juniper", "kelp", "lotus",
  ]

  private static func note(_ hash: UInt64) -> String {
    let text = (0..<(hash >> 3) % 9).map { words[Int((hash >> (4 * $0)) % 12)] }.joined(separator: " ")
    return hash % 997 == 1 ? text + " pizzicato" : text
  }

  private static func time(_ seconds: Int) -> String {
    let date = [1 + seconds / 2_592_000 % 12, 1 + seconds / 86_400 % 30].map(twoDigits)
    let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(twoDigits)
    return "\(2015 + seconds / 31_104_000 % 10)-\(date.joined(separator: "-"))T\(time.joined(separator: ":"))"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

/// Mixes 64 bits.
private func mix(_ number: UInt64) -> UInt64 {
  var hash = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
  hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
  return hash ^ (hash >> 31)
}

/// The rows to insert: a few thousand events that are ready before the clock starts, gone round as often as it takes.
struct EventSource: Sendable {
  let rows: Int
  let events: [Event]
  let forC: CEvents

  init(rows: Int) {
    self.rows = rows
    events = (1...Swift.min(rows, 10_000)).map { Event($0, of: rows) }
    forC = CEvents(events)
  }

  /// Calls `body` with the number of each row and its event, which is lent to it as C lends its own.
  @inline(__always)
  func forEach(_ body: (Int, Event) throws -> Void) rethrows {
    for row in self { try row.event._withUnsafeGuaranteedRef { try body(row.number, $0) } }
  }
}

extension EventSource: Sequence {
  struct Iterator: IteratorProtocol {
    fileprivate let events: [Event]
    fileprivate let rows: Int
    private var number = 0
    private var place = 0

    fileprivate init(_ source: EventSource) { (events, rows) = (source.events, source.rows) }

    @inline(__always)
    mutating func next() -> (number: Int, event: Unmanaged<Event>)? {
      guard number < rows else { return nil }
      defer { place = place + 1 == events.count ? 0 : place + 1 }
      number += 1
      return (number, .passUnretained(events[place]))
    }
  }

  func makeIterator() -> Iterator { Iterator(self) }
}

/// The same events as C has them.
final class CEvents: @unchecked Sendable {
  // Sendable because nothing changes them once they are made.
  let start: UnsafeMutablePointer<loops_event>
  private let count: Int

  init(_ events: [Event]) {
    count = events.count
    start = .allocate(capacity: count)
    for (index, event) in events.enumerated() {
      start[index] = loops_event(
        id: Int64(event.id), ts: strdup(event.ts), ts_count: Int32(event.ts.utf8.count), user_id: Int64(event.userID),
        kind: strdup(event.kind), kind_count: Int32(event.kind.utf8.count), has_amount: event.amount == nil ? 0 : 1,
        amount: event.amount ?? 0, note: event.note.map { UnsafePointer(strdup($0)) } ?? nil,
        note_count: Int32(event.note?.utf8.count ?? 0), payload: strdup(event.payload), payload_count: Int32(event.payload.utf8.count))
    }
  }

  deinit {
    for event in UnsafeBufferPointer(start: start, count: count) {
      for text in [event.ts, event.kind, event.note, event.payload] { free(UnsafeMutableRawPointer(mutating: text)) }
    }
    start.deallocate()
  }
}

/// An error of SQLite's that a loop in C ended with.
struct CError: Error, CustomStringConvertible {
  let description: String

  init(_ message: String) {
    description = message
  }
}
