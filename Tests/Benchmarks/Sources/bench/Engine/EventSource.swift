import Foundation
import Loops

/// The rows to insert: a few thousand events that are ready before the clock starts, gone round as often as it takes.
struct EventSource: Sendable {
  let rows: Int
  let events: [Event]
  let forC: CEvents

  init(rows: Int) {
    self.rows = rows
    events = (1...min(rows, 10_000)).map { Event($0, of: rows) }
    forC = CEvents(events)
  }

  /// Calls `body` with the number of each row and its event, where it lies: a copy would be work that C has not.
  @inline(__always)
  func forEach(_ body: (Int, UnsafePointer<Event>) throws -> Void) rethrows {
    try events.withUnsafeBufferPointer { events in
      guard let start = events.baseAddress else { return }
      var place = 0
      for row in 1...rows {
        try body(row, start + place)
        place = place + 1 == events.count ? 0 : place + 1
      }
    }
  }
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
