import Browser
import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization
import Terminal
import TestSupport
import Testing

/// Connections that the program does not need any more: closing one may take long.
@Suite(.gated) struct FormerSourceTests {
  /// Which threads have released a source.
  private final class Releases: Sendable {
    let threads = Mutex<[pthread_t]>([])
  }

  /// A source without tables, which notes the thread that releases it.
  private final class NotingSource: DataSource {
    let name = "noting"
    private let releases: Releases

    init(_ releases: Releases) { self.releases = releases }

    deinit { releases.threads.withLock { $0.append(pthread_self()) } }

    func catalog() async throws -> Catalog { Catalog(databases: []) }
    func schema(of table: TableReference) async throws -> TableSchema { throw DataSourceError("there is no table") }
    func references(to table: TableReference) async throws -> [InboundReference] { [] }
    func filterColumns(of schema: TableSchema) async throws -> FilterColumns { FilterColumns(schema) }
    func reader(of set: RowSet) throws -> RowReader { throw DataSourceError("there are no rows") }
  }

  private struct NoWaker: Waker {
    func wake() {}
  }

  @Test func `a source that another replaces is released on another thread, whichever is the faster`() async throws {
    try await onOwnThread {
      let (releases, rounds) = (Releases(), 500)
      let services = Services(
        source: NotingSource(releases), storage: Storage(), inbox: MessageQueue(waker: NoWaker()), now: { .now })
      for _ in 0..<rounds { services.use(NotingSource(releases)) }
      try Waiting.wait(for: "all but the last source to be released") { releases.threads.withLock(\.count) == rounds }
      #expect(!releases.threads.withLock(\.self).contains(pthread_self()))
      withExtendedLifetime(services) {}
    }
  }
}
