import Terminal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The person's own editor: `VISUAL`, then `EDITOR`, then vi.
public struct ExternalEditor: Sendable {
  private let command: String

  public init(environment: [String: String]) {
    let wanted = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isBlank }
    command = wanted ?? "vi"
  }

  /// Lets the editor change a text, which is in a file for as long as that takes.
  func edit(_ text: String, on terminal: any Terminal) -> Result<String, Problem> {
    let file = FileManager.default.temporaryDirectory.appending(path: "quarry-\(UUID().uuidString).sql")
    defer { try? FileManager.default.removeItem(at: file) }
    guard FileManager.default.createFile(atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]) else {
      return .failure(Problem("the text cannot be put into \(file.path) for the editor"))
    }
    let status = terminal.run(shellCommand: "\(command) '\(file.path)'")
    guard status == 0 else { return .failure(Problem("“\(command)” ended with status \(status); the text is as it was")) }
    guard let data = try? Data(contentsOf: file), let edited = String(validating: data, as: UTF8.self) else {
      return .failure(Problem("what “\(command)” has left is not UTF-8; the text is as it was"))
    }
    // Editors end the last line, which the text need not have.
    return .success(edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited)
  }
}
