import Browser
import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("What is pasted as rows", .gated)
struct PastingTests {
  private static let person = TableReference(name: "person")

  private static func rows(_ driver: SessionDriver) -> [StagedRow] {
    driver.browser.workspace.staged.rows(of: person).map(\.change)
  }

  @Test("begins in the column of the cursor; whole rows begin in the first, wherever the cursor is")
  func place() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("l")
      driver.send([.paste("Ken\t64\nRob\t65\n")])
      #expect(
        Self.rows(driver) == [
          .inserted(["name": .value("Ken"), "age": .value(64)]), .inserted(["name": .value("Rob"), "age": .value(65)]),
        ], "\(driver.screen)")
      driver.press("u l l")
      driver.send([.paste("7\tKen\t64\tx\n")])
      #expect(
        Self.rows(driver) == [.inserted(["id": .value(7), "name": .value("Ken"), "age": .value(64), "note": .value("x")])],
        "\(driver.screen)")
      driver.press("u $")
      driver.send([.paste("Ken\t64\n")])
      driver.screen.expectLine("2 columns were copied, too many to paste from note on")
    }
  }

  @Test("is refused with the line and the column of what cannot be stored, and nothing of it is staged")
  func refusal() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("l")
      driver.send([.paste("Ken\t64\n\"two\nlines\"\t65\nRob\tten\n")])
      driver.screen.expectLine("nothing was pasted: line 4, age: “ten” is not valid here: expected an integer such as 42")
      #expect(driver.browser.workspace.staged.isEmpty)
      driver.press("v l j")
      driver.send([.paste("Ken\t64\nRob\tten\n")])
      driver.screen.expectLine("nothing was pasted: line 2, age: “ten” is not valid here: expected an integer such as 42")
      #expect(driver.browser.workspace.staged.isEmpty)
    }
  }

  @Test("a single line goes into each of the selected rows")
  func singleLine() async throws {
    try await StagingTests.play { driver, _ in
      driver.press("l v l j j")
      driver.send([.paste("Ken\t64\n")])
      #expect(driver.browser.workspace.staged.counts.updatedRows == 3, "\(driver.screen)")
      let ages = [1, 2, 3].map { driver.browser.workspace.staged.value(of: "age", in: .stored(.rowID($0)), of: Self.person) }
      #expect(ages == [.value(64), .value(64), .value(64)])
    }
  }
}
