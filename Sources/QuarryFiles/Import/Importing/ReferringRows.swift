internal import QuarryEngine

/// Tells which records of a file rows came from that refer to none once all are there.
struct ReferringRows {
  /// A record of the file.
  struct Place: Hashable {
    /// Its number among the records of the table, from 0: several may stand on one line.
    var record: Int
    /// The line on which it begins, from 1.
    var line: Int
  }

  /// Rows and records that follow one another.
  private struct Run {
    var rowID: Int64
    var place: Place
    var count: Int

    /// Whether a row continues the run.
    func isFollowed(by rowID: Int64, at next: Place) -> Bool {
      self.rowID + Int64(count) == rowID && place.record + count == next.record && place.line + count == next.line
    }
  }

  private var runs: [Run] = []

  /// Adds a row that was written from a record.
  mutating func add(_ rowID: Int64, at place: Place) {
    if let last = runs.last, last.isFollowed(by: rowID, at: place) {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(rowID: rowID, place: place, count: 1))
    }
  }

  /// Returns the records that rows came from, the last one of each; rows that were there before have none.
  ///
  /// - Parameter rowIDs: The rows, from the least to the greatest.
  func places(of rowIDs: [Int64]) -> [Int64: Place] {
    var places: [Int64: Place] = [:]
    for run in runs {
      for rowID in rowIDs[rowIDs.partitionIndex { $0 >= run.rowID }...].prefix(while: { $0 < run.rowID + Int64(run.count) }) {
        let offset = Int(rowID - run.rowID)
        places[rowID] = Place(record: run.place.record + offset, line: run.place.line + offset)
      }
    }
    return places
  }
}
