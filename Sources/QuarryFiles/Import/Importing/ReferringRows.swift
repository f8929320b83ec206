internal import QuarryEngine

/// Maps imported rows to their records in the file, to report rows with dangling references.
struct ReferringRows {
  /// A record of the file.
  struct Place: Hashable {
    /// The index of the record in the table, from 0.
    ///
    /// A line may contain several records.
    var record: Int
    /// The line on which the record begins, counted from 1.
    var line: Int
  }

  /// Consecutive rows from consecutive records.
  private struct Run {
    var rowID: Int64
    var place: Place
    var count: Int

    /// Returns whether a row continues the run.
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

  /// Returns the last record of each row.
  ///
  /// Rows that existed before the import have none.
  ///
  /// - Parameter rowIDs: The rowids in ascending order.
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
