import Foundation
import QuarryChanges
import QuarryCluster
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

/// Commits of staged edits on a node that is killed when it has got their COMMIT.
@Suite(.gated, .enabled(if: DqliteNodes.areInstalled, Comment(rawValue: DqliteNodes.missing)))
struct DqliteCommitTests {
  /// Commits an edit whose COMMIT is lost, with a node that is killed then and started again.
  ///
  /// - Returns: How it ended, what the row is then, how many commits are recorded, and how often the node was to write.
  private func commit(
    losing loss: DqliteProxy.Loss
  ) async throws -> (error: (any Error)?, name: [[String]], recorded: Int, writes: Int) {
    let writes = Mutex(0)
    let isLost = Mutex(false)
    let proxy = try DqliteProxy { request in
      let text = String(decoding: request, as: UTF8.self)
      if text.contains("UPDATE") { writes.withLock { $0 += 1 } }
      // Only once the edit is on its way: connections that are made later commit nothing.
      guard text.contains("COMMIT"), writes.withLock({ $0 > 0 }) else { return nil }
      return isLost.withLock { isLost in
        defer { isLost = true }
        return isLost ? nil : loss
      }
    }
    defer { proxy.end() }
    let nodes = try DqliteNodes(count: 1, advertised: proxy.address)
    defer { nodes.end() }
    proxy.connect(toPort: nodes.port(of: 0)) {
      nodes.kill(0)
      do { try nodes.restart(0) } catch { Issue.record(error) }
    }
    let cluster = try DqliteCluster(DqliteAddress("dqlite://\(proxy.address)/test"), limits: .patient)
    defer { cluster.close() }
    let session = try await cluster.session(for: "test", isReadOnly: false)
    _ = try await session.execute("CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT)", [])
    _ = try await session.execute("INSERT INTO player VALUES (1, 'Ann')", [])
    return try await withTemporaryFolder { folder in
      let source = RemoteDataSource(cluster, changesFolder: folder.appendingPathComponent("changes").path, watchInterval: nil)
      var changes = StagedChanges()
      try changes.set("Zoe", column: "name", row: .stored(.rowID(1)), of: TableReference(name: "player"), was: "Ann")
      var failure: (any Error)?
      do { _ = try await source.commit(changes) } catch { failure = error }
      #expect(isLost.withLock { $0 })
      let reader = try await cluster.session(for: "look", isReadOnly: true)
      return (failure, try await reader.rows("SELECT name FROM player"), try await source.recordedCommits().count, writes.withLock { $0 })
    }
  }

  @Test("Killed once it has committed: the commit is looked up, and is one")
  func committed() async throws {
    let end = try await commit(losing: .afterIt)
    #expect(end.error == nil)
    #expect(end.name == [["Zoe"]])
    #expect(end.recorded == 1 && end.writes == 1)
  }

  @Test("Killed before it has committed: nothing is written, which is said, and nothing is sent again")
  func lost() async throws {
    let end = try await commit(losing: .beforeIt)
    #expect((end.error as? DataSourceError)?.description.contains("nothing was written") == true, "\(String(describing: end.error))")
    #expect(end.name == [["Ann"]])
    #expect(end.recorded == 0 && end.writes == 1)
  }
}
