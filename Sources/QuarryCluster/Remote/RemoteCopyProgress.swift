internal import QuarryRows
package import QuarrySources
internal import Synchronization

/// Reports the progress of copying rows, and the time of the copy.
package final class RemoteCopyProgress: Sendable {
  package init() {}

  private let listener = Mutex<(@Sendable (SourceCopy?) -> Void)?>(nil)

  /// The time between two reports.
  private static let interval = Duration.milliseconds(100)

  /// Sets the function that receives reports from now on, on any thread.
  package func onChange(_ body: @escaping @Sendable (SourceCopy?) -> Void) { listener.withLock { $0 = body } }

  func tell(_ copy: SourceCopy?) { listener.withLock(\.self)?(copy) }

  /// Returns a function to be called with the number of rows of each copied batch.
  ///
  /// - Parameters:
  ///   - name: The name of the rows.
  ///   - total: The approximate number of rows, or nil if it is not known.
  package func beginning(_ name: String, total: Int?) -> @Sendable (_ rows: Int) -> Void {
    let start = ContinuousClock.now
    let passed = Mutex((rows: 0, told: start))
    return { [self] rows in
      let now = ContinuousClock.now
      let count = passed.withLock { passed -> Int? in
        passed.rows += rows
        guard now - passed.told >= Self.interval else { return nil }
        passed.told = now
        return passed.rows
      }
      guard let count else { return }
      tell(.underWay(name: name, RowProgress(rows: count, total: total.map { max($0, count) }, elapsed: now - start)))
    }
  }
}
