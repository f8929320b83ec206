import Loops
import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization

/// Compares looking for a text in all tables with LIKE on every column of texts.
func searchingEverywhere(in file: EventsFile) -> [Comparison] {
  let source = Lazily { try SQLiteDataSource(path: file.path) }
  return [
    Comparison(
      number: "20", what: "search all tables for zz: first hit", goals: [.within(.milliseconds(16))], stretch: [.within(.milliseconds(8))],
      contestants: [(.ours, { (try search(source.value).first, nil) })]),
    Comparison(
      number: "20", what: "the same: all", goals: [.atMost(0.6, .c)], stretch: [.atMost(0.45, .c)],
      contestants: [
        (
          .ours,
          {
            let found = try search(source.value); return (found.all, found.hits)
          }
        ), (.c, { try searchByC(file.path) }),
      ]),
  ]
}

/// Searches; tells when the first hit was there, and when all was, and how many there are.
private func search(_ source: SQLiteDataSource) throws -> (first: Amount, all: Amount, hits: Int64) {
  let first = Mutex<Duration?>(nil)
  let start = ContinuousClock.now
  let tables = try waiting {
    try await source.search(EverywhereSearch("zz")) { report in
      guard case .progress(let progress) = report, !progress.hits.isEmpty else { return }
      let time = ContinuousClock.now - start
      first.withLock { $0 = $0 ?? time }
    }
  }
  let all = ContinuousClock.now - start
  guard let first = first.withLock(\.self) else { throw CError("nothing is found") }
  return (.seconds(first / .seconds(1)), .seconds(all / .seconds(1)), Int64(tables.reduce(0) { $0 + $1.hitCount }))
}

private func searchByC(_ path: String) throws -> Comparison.Result {
  let conditions = ["ts", "kind", "note", "payload"].map { "\($0) LIKE '%zz%'" }.joined(separator: " OR ")
  var nanoseconds: Int64 = 0
  var message: UnsafePointer<CChar>?
  let count = loops_query(path, "SELECT count(*) FROM events WHERE \(conditions)", nil, 0, &nanoseconds, &message)
  guard count >= 0 else { throw CError(message.map { String(cString: $0) } ?? "") }
  return (.seconds(Double(nanoseconds) / 1e9), count)
}
