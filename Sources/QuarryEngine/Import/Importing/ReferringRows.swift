/// Tells which lines of a file rows came from that refer to none once all are there.
struct ReferringRows {
  /// Rows and lines that follow one another.
  private struct Run {
    var rowID: Int64
    var line: Int
    var count: Int
  }

  private var runs: [Run] = []

  /// Adds a row that was inserted from a line.
  mutating func add(_ rowID: Int64, line: Int) {
    if let last = runs.last, last.rowID + Int64(last.count) == rowID, last.line + last.count == line {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(rowID: rowID, line: line, count: 1))
    }
  }

  /// Returns the line that a row came from; nil for one that was there before.
  func line(of rowID: Int64) -> Int? {
    let run = runs.last { $0.rowID <= rowID && rowID < $0.rowID + Int64($0.count) }
    return run.map { $0.line + Int(rowID - $0.rowID) }
  }
}
