import Browser
import QuarryEngine
import QuarrySources
import Terminal
import TestSupport
import Testing

/// Keys that were typed before the program has come to them.
@Suite("Keys typed ahead", .gated) struct TypedAheadTests {
  /// Runs a browser on events that come at once, and returns how many of them were handled and what has ended it.
  ///
  /// - Parameter endingAt: The number of the event while which a signal comes.
  private func run(_ events: [Event], endingAt number: Int? = nil) async throws -> (handled: Int, ending: Ending?) {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)")
      return try await onOwnThread {
        let terminal = HeadlessTerminal(size: Size(columns: 80, rows: 24))
        let session = Session(source: try SQLiteDataSource(path: path), waker: terminal.waker)
        let browser = Browser(
          options: BrowserOptions(title: "x"), size: terminal.size, themes: ThemeCatalog(), theme: .fallback, keymap: Keymap())
        var handled = 0
        let program = BrowserProgram(browser: browser, session: session, terminal: terminal) { line in
          guard line.contains("eventArrived"), line.contains("key") else { return }
          handled += 1
          if handled == number { terminal.ending = .hangup }
        }
        terminal.send(events)
        program.run()
        return (handled, program.browser.ending)
      }
    }
  }

  private let keys: [Event] = (0..<400).map { .key(Key($0 % 2 == 0 ? .down : .up)) }

  @Test("do not keep a signal waiting that ends the program")
  func signal() async throws {
    let run = try await run(keys + [.ended(.signal(15))], endingAt: 7)
    #expect(run.handled == 7 && run.ending == .hangup)
  }

  @Test("are all handled where nothing ends the program before")
  func all() async throws {
    let run = try await run(keys + [.ended(.hangup)])
    #expect(run.handled == keys.count && run.ending == .hangup)
  }
}
