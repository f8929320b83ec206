import Browser
import Foundation
import TestSupport
import Testing

@Suite("The desktop's clipboard programs", .gated)
struct ClipboardTests {
  /// More than a pipe holds.
  private static let longText = String(repeating: "Größe ", count: 200_000)

  @Test("the tool reads the whole text, and its name is returned")
  func whole() async throws {
    try await withTemporaryFolder { folder in
      let copy = folder.appending(path: "copy")
      let clipboard = Clipboard(tools: [Clipboard.Tool("sh", ["-c", "echo output; echo errors >&2; exec cat > '\(copy.path)'"])])
      #expect(await clipboard.copy(Self.longText) == "sh")
      let copied = try String(contentsOf: copy, encoding: .utf8)
      #expect(copied == Self.longText)
    }
  }

  @Test("a tool that is missing or fails is skipped, and one that reads nothing may succeed")
  func skipped() async {
    let tools = [Clipboard.Tool("/no/such/tool"), Clipboard.Tool("false"), Clipboard.Tool("sh", ["-c", "kill -TERM $$"])]
    #expect(await Clipboard(tools: tools).copy(Self.longText) == nil)
    #expect(await Clipboard(tools: tools + [Clipboard.Tool("true")]).copy(Self.longText) == "true")
    #expect(await Clipboard(tools: []).copy("text") == nil)
  }

  @Test("a tool that does not end is killed when the session ends", arguments: ["text", longText])
  func cancelled(_ text: String) async throws {
    try await withTemporaryFolder { folder in
      let mark = folder.appending(path: "mark")
      let clipboard = Clipboard(tools: [Clipboard.Tool("sh", ["-c", "echo > '\(mark.path)'; exec sleep 100000"])])
      let task = Task { await clipboard.copy(text) }
      try await onOwnThread {
        try Waiting.wait(for: "the tool to start") { FileManager.default.fileExists(atPath: mark.path) }
      }
      task.cancel()
      #expect(await task.value == nil)
    }
  }
}
