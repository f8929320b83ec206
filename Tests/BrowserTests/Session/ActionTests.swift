import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal
import TestSupport
import Testing

@testable import Browser

@Suite("What is to be changed is done in turn, and each is answered", .gated)
struct ActionTests {
  /// A session on an empty database, with a folder for files.
  private func withSession(_ body: @escaping @Sendable (Session, HeadlessTerminal, URL) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)")
      try await onOwnThread {
        let queue = try DatabaseQueue(path: path)
        let terminal = HeadlessTerminal(size: Size(columns: 80, rows: 24))
        let source = SQLiteDataSource(
          rows: ReadConnections(foreground: queue, background: queue), background: queue,
          script: ScriptConnection(refusal: nil) { try DatabaseQueue(path: path) })
        try body(Session(source: source, waker: terminal.waker), terminal, folder)
      }
    }
  }

  @Test("a commit that is asked for while a statement runs has its turn after it, and both are answered")
  func commit() async throws {
    try await withSession { session, terminal, _ in
      let statement = SQLRequest.Part(sql: "INSERT INTO t VALUES (1)", grid: GridID(number: 1))
      let run = RunStatements(request: SQLRequest(number: 1, statements: [statement, statement]), inputs: [:], limit: 10)
      session.run(.request(IssuedRequest(id: RequestID(number: 1), request: run)))
      session.run(.request(IssuedRequest(id: RequestID(number: 2), request: EndTransaction(isCommitted: true))))
      let told = session.messagesUntilSettled(on: terminal).compactMap { message -> String? in
        switch message {
        case .reported(RequestID(number: 1), let report as RunStatements.Report):
          if case .ended = report { "ran" } else { nil }
        case .answered(RequestID(number: 1), .success(let end as RunStatements.Answer)): "ended with \(end.transaction?.changes ?? 0)"
        case .answered(RequestID(number: 2), .success(let end as EndTransaction.Answer)):
          end.problem == nil && end.left == nil ? "committed" : "not committed"
        default: nil
        }
      }
      #expect(told == ["ran", "ran", "ended with 2", "committed"])
    }
  }

  @Test("of texts that are saved at once none goes without an answer, whatever is asked for after them")
  func saving() async throws {
    try await withSession { session, terminal, folder in
      let path = folder.appending(path: "kept.sql").path
      let places = [TextOrigin.file(path: path), .file(path: folder.appending(path: "none/kept.sql").path), .file(path: path)]
      for (number, place) in places.enumerated() {
        let save = SaveText(text: "SELECT 1", origin: place, isReplacing: false)
        session.run(.request(IssuedRequest(id: RequestID(number: number), request: save)))
      }
      session.run(.request(IssuedRequest(id: RequestID(number: places.count), request: LoadStatements())))
      let told = session.messagesUntilSettled(on: terminal).compactMap { message -> String? in
        guard case .answered(let id, let result) = message, id.number < places.count else { return nil }
        return switch result {
        case .success(let isWritten): isWritten as? Bool == true ? "written" : "taken"
        case .failure(let problem): problem.text
        }
      }
      #expect(told.count == 3)
      #expect(told.first == "written" && told.last == "taken")
      #expect(told.contains { $0.contains("No such file or directory") && !$0.contains("Error") }, "\(told)")
    }
  }

  @Test("a stop ends what runs and what waits for its turn")
  func stop() async throws {
    try await withSession { session, terminal, _ in
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      let statement = SQLRequest.Part(sql: endless, grid: GridID(number: 1))
      for number in 1...2 {
        let run = RunStatements(request: SQLRequest(number: number, statements: [statement]), inputs: [:], limit: 10)
        session.run(.request(IssuedRequest(id: RequestID(number: number), request: run)))
      }
      for number in 1...2 { session.run(.cancel(RequestID(number: number))) }
      let ended = session.messagesUntilSettled(on: terminal).compactMap { if case .answered(let id, _) = $0 { id.number } else { nil } }
      #expect(ended == [1, 2])
    }
  }

  @Test("the end of a session stops what runs")
  func end() async throws {
    try await withSession { session, terminal, _ in
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      let run = RunStatements(
        request: SQLRequest(number: 1, statements: [SQLRequest.Part(sql: endless, grid: GridID(number: 1))]), inputs: [:], limit: 10)
      session.run(.request(IssuedRequest(id: RequestID(number: 1), request: run)))
      session.finish(remembering: SessionMemory())
      let ended = session.messagesUntilSettled(on: terminal).compactMap { if case .answered(let id, _) = $0 { id.number } else { nil } }
      #expect(ended == [1])
    }
  }

  /// A browser whose editor runs something.
  private func runningBrowser() -> Browser {
    var browser = BrowserFixture.openBrowser()
    browser.press("f4")
    browser.type("DELETE FROM songs")
    browser.press("f5")
    browser.answer(PrepareRun.self, .success(PrepareRun.Answer(result: .success(PreparedRun()))))
    return browser
  }

  @Test("neither commit nor rollback is to be had while a statement runs")
  func availability() throws {
    var browser = runningBrowser()
    browser.workspace.source.transaction = OpenTransaction(changes: 1)
    #expect(browser.unavailability(of: .commit)?.text.contains("a statement is running") == true)
    #expect(browser.unavailability(of: .rollBack)?.text.contains("a statement is running") == true)
    browser.answer(RunStatements.self, .success(RunStatements.Answer(transaction: OpenTransaction(changes: 1))))
    #expect(browser.unavailability(of: .commit) == nil)
    browser.perform(.commit)
    #expect(browser.requests.takeEffects().requests(EndTransaction.self).map(\.request) == [EndTransaction(isCommitted: true)])
    #expect(browser.unavailability(of: .commit)?.text.contains("is being committed") == true)
    #expect(browser.press("f5").requests(PrepareRun.self).isEmpty, "nothing runs before the commit has been answered")
    browser.answer(EndTransaction.self, .success(EndTransaction.Answer()))
    #expect(browser.sql.ending == nil)
  }

  @Test("leaving stops what runs first, and asks of what it has changed")
  func leaving() throws {
    var browser = runningBrowser()
    let run = try #require(browser.outstanding(RunStatements.self).first)
    #expect(browser.press("ctrl-q").contains(.cancel(run.id)))
    #expect(!browser.hasEnded)
    browser.answer(RunStatements.self, .success(RunStatements.Answer(transaction: OpenTransaction(changes: 2))))
    browser.screen.expectLine("A transaction is open: 2 rows changed")
    #expect(!browser.hasEnded)
  }

  @Test("leaving while a transaction is being committed waits for the answer")
  func leavingAtCommit() {
    var browser = BrowserFixture.openBrowser()
    browser.workspace.source.transaction = OpenTransaction(changes: 2)
    browser.perform(.commit)
    browser.press("ctrl-q")
    #expect(!browser.hasEnded)
    browser.answer(EndTransaction.self, .success(EndTransaction.Answer()))
    #expect(browser.hasEnded)
  }

  @Test("a text that is saved while it is being changed stays marked as changed")
  func savedMeanwhile() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("f4")
    browser.type("SELECT 1")
    try save(in: &browser, thenType: "")
    #expect(!browser.sql.buffer.isChanged)
    try save(in: &browser, thenType: "2")
    #expect(browser.sql.buffer.isChanged)
  }

  /// Saves the text, and goes on typing before the answer is here.
  private func save(in browser: inout Browser, thenType text: String) throws {
    browser.press("alt-s")
    if browser.sql.buffer.origin == nil { browser.type("one") }
    let save = try #require(browser.press("enter").requests(SaveText.self).first)
    browser.type(text)
    _ = browser.update(.answered(save.id, .success(true)))
  }
}
