import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("A text from the person's own editor", .gated)
struct LongTextTests {
  /// Edits the name of the first person in an editor that leaves a text.
  private static func edit(_ text: String, body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "text")
      try Data(text.utf8).write(to: file)
      try await StagingTests.play(externalEditor: ExternalEditor(environment: ["VISUAL": "cp '\(file.path)'"])) { driver, _ in
        driver.press("l E")
        try body(driver)
      }
    }
  }

  private static func name(_ driver: SessionDriver) -> StagedValue? {
    driver.browser.workspace.staged.value(of: "name", in: .stored(.rowID(1)), of: TableReference(name: "person"))
  }

  @Test("is shown in the field before it is staged")
  func short() async throws {
    try await Self.edit("Ada L.") { driver in
      driver.screen.expectLine("will be stored: text 'Ada L.'")
      #expect(Self.name(driver) == nil, "\(driver.screen)")
    }
  }

  @Test("is staged at once where it is too large for the field, and its change is listed with its beginning")
  func long() async throws {
    let text = String(repeating: "a", count: 3_000_000)
    try await Self.edit(text) { driver in
      #expect(!driver.browser.hasTopScreen && Self.name(driver) == .value(.text(text)))
      driver.screen.expectLine("staged: name, 3.0 MB from $VISUAL")
      driver.press("ctrl-s j")
      driver.screen.expectLine(beginning: "UPDATE main.person SET name = '\(String(repeating: "a", count: 60))…' WHERE")
    }
  }
}
