import Browser
import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("What is kept of the way in which a table is looked at", .gated)
struct KeptViewTests {
  /// Plays on two tables, of 1,000 rows and of one, as many times as there are plays, each from a start of its own.
  private func play(_ bodies: (@Sendable (SessionDriver) throws -> Void)...) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)", "CREATE TABLE a(x)", "INSERT INTO a VALUES (1)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i, 'row ' || i FROM n")
      let state = folder.path
      for body in bodies {
        try await onOwnThread {
          let driver = try SessionDriver(path: path, storage: Storage(memory: MemoryFile(state: state, database: path)))
          driver.press("tab")
          #expect(driver.browser.grid?.title == "a")
          try body(driver)
        }
      }
    }
  }

  private static let t = TableReference(name: "t")
  /// The table that is shown first.
  private static let a = TableReference(name: "a")

  private static func filterByParameter(_ driver: SessionDriver) {
    driver.press("&")
    driver.type("id > :least")
    driver.press("enter")
    driver.type("990")
    driver.press("enter")
    #expect(driver.browser.grid?.total == .exact(10), "\(driver.screen)")
  }

  @Test("a filter with a parameter is there again with its value, when one comes back and at the next start")
  func parameter() async throws {
    try await play(
      { driver in
        driver.open(Self.t)
        Self.filterByParameter(driver)
        driver.open(Self.a)
        driver.open(Self.t)
        #expect(driver.browser.grid?.total == .exact(10), "\(driver.screen)")
      },
      { driver in
        driver.open(Self.t)
        #expect(driver.browser.grid?.total == .exact(10), "\(driver.screen)")
        driver.press("g F")
        #expect(driver.browser.grid?.total == .exact(1_000), "\(driver.screen)")
      },
      { driver in
        driver.open(Self.t)
        #expect(driver.browser.grid?.total == .exact(1_000), "\(driver.screen)")
      })
  }

  @Test("what was looked for is looked for again")
  func needle() async throws {
    try await play { driver in
      driver.open(Self.t)
      driver.press("/")
      driver.type("99")
      driver.press("enter")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(99))
      driver.open(Self.a)
      driver.press("n")
      driver.screen.expectLine("no search to repeat: / searches")
      driver.open(Self.t)
      driver.press("n")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(99), "\(driver.screen)")
      driver.press("n")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(199), "\(driver.screen)")
    }
  }

  @Test("what comes from a former start is told of until a key is pressed, and once")
  func former() async throws {
    let told = "remembered: filter, sort · gF and gS remove them"
    try await play(
      { driver in
        driver.open(Self.t)
        driver.press("&")
        driver.type("id > 10")
        driver.press("enter l s")
        driver.press("-")
        driver.open(Self.a)
        driver.open(Self.t)
        #expect(!driver.screen.contains("remembered:"), "of this start, it needs no telling")
        driver.press("g -")
      },
      { driver in
        #expect(!driver.screen.contains("remembered:"))
        driver.open(Self.t)
        driver.screen.expectLine(told)
        driver.press("j")
        #expect(!driver.screen.contains("remembered:"))
        driver.open(Self.a)
        driver.open(Self.t)
        #expect(!driver.screen.contains("remembered:"))
        driver.press("g F g S")
        driver.press("h -")
      },
      { driver in
        driver.open(Self.t)
        driver.screen.expectLine("remembered: columns · g- shows them all")
      })
  }
}
