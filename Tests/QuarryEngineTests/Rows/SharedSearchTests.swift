import Synchronization
import TestSupport
import Testing

@testable import QuarryEngine

extension ParallelScanTests {
  @Test("The next match is the one that the order has next, once around", arguments: ["i", "(i - 30000) * 307445734561"])
  func searching(gap: String) async throws {
    try await withFile(gap: gap) { connections, _ in
      var random = SplitMix(seed: 11)
      for set in Self.sets {
        let reader = RowReader(Self.rowSet(set), on: connections)
        let sql = Self.sql(set)
        for text in ["99", "text 97", "b1", "nowhere"] {
          let (ids, places) = try await connections.foreground.read { db in
            let isHit = "(a LIKE '%\(text)%' AND typeof(a) <> 'blob' OR b LIKE '%\(text)%')"
            let hits = "SELECT n FROM (SELECT *, row_number() OVER () - 1 AS n FROM (\(sql))) WHERE \(isHit)"
            return try (Int64.fetchAll(db, sql: "SELECT id FROM (\(sql))"), Int.fetchAll(db, sql: hits))
          }
          for start in [nil, ids.indices.first, ids.indices.last, ids.indices.randomElement(using: &random)] {
            for backwards in [false, true] {
              let beyond = backwards ? places.last { $0 < start ?? .max } : places.first { $0 > start ?? -1 }
              let match = try await reader.find(
                .text(text), columns: [1, 2], from: start.map { .rowID(ids[$0]) }, backwards: backwards)
              let place = beyond ?? (backwards ? places.last : places.first)
              #expect(match?.key == place.map { .rowID(ids[$0]) }, "\(text) from \(start ?? -1) of \(sql)")
              #expect(match?.wrapped ?? false == (place != nil && beyond == nil))
            }
          }
        }
      }
    }
  }

  @Test("All rowids there can be are one part, where they are not to be divided")
  func undivided() {
    let all = RowIDBounds(least: .min, greatest: .max)
    let ranges = RowIDRanges([all], isOne: true)
    #expect(ranges.next()?.range == .min ... .max)
    #expect(ranges.next() == nil)
    let divided = RowIDRanges([all], .backward)
    #expect(divided.next()?.range.upperBound == .max)
  }

  @Test("A search tells how many rows it has passed of about how many")
  func pace() {
    let told = Mutex<[RowProgress]>([])
    let pace = SearchPace(total: 5_000, interval: .zero) { progress in told.withLock { $0.append(progress) } }
    pace.pass(1_024)
    pace.pass(2_000)
    let reports = told.withLock(\.self)
    #expect(reports.map(\.rows) == [1_024, 3_024])
    #expect(reports.allSatisfy { $0.total == 5_000 && $0.elapsed != nil })
  }
}
