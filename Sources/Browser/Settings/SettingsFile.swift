internal import Essentials
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows

/// The user's `config.toml`, in which single settings can be changed.
package struct SettingsFile: Hashable, Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The result of writing.
  package enum Outcome: Hashable, Sendable {
    /// The file contains the changes; this is its text.
    case written(String)
    /// Another program has changed the file since it was read; nothing was written, and this is the new text.
    case outdated(String)
  }

  /// Reads the text; it is empty if the file does not exist.
  ///
  /// - Throws: `Problem` if the file cannot be read.
  package func read() throws(Problem) -> String {
    do throws(ConfigurationWarning) {
      return try ConfigurationFiles.file(at: path)?.text ?? ""
    } catch {
      throw Problem(unreadable: error)
    }
  }

  /// Changes settings, and replaces the file atomically; links and permissions remain.
  ///
  /// A missing folder is created.
  ///
  /// - Parameters:
  ///   - changes: The new value of each setting; nil removes its line.
  ///   - known: The text that was last read.
  /// - Throws: `Problem` if the file cannot be parsed or written, which is then unchanged.
  package func write(_ changes: [SettingKey: SettingValue?], over known: String) throws -> Outcome {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try PrivateFile.makeFolder(folder)
    return try PrivateFile.withLock(onFolder: folder) {
      let text = try read()
      guard text == known else { return .outdated(text) }
      let changed = try SettingsText.changing(changes, in: text, file: path)
      if changed != text { try replace(with: changed) }
      return .written(changed)
    }
  }

  private func replace(with text: String) throws {
    do {
      let file = try OutputFile(path: path, isPlain: true)
      try Array(text.utf8).withUnsafeBytes { try file.write($0) }
      try file.finish()
    } catch let error as OutputFileError {
      throw Problem(sentence(on: error))
    }
  }

  private func sentence(on error: OutputFileError) -> String {
    let name = "“\(PathText.shown(path))”"
    return switch error.kind {
    case .isProtected: "\(name) is read-only: change its permissions, for example with `chmod u+w`; nothing was written"
    case .isDeadLink: "\(name) is a link to a missing file: create that file, or remove the link; nothing was written"
    case .isFolder: "\(name) is a folder: rename it; nothing was written"
    case .isNoFile: "\(name) is a pipe or a device: replace it by a file; nothing was written"
    default: "\(error.description.withoutFullStop); nothing was written"
    }
  }
}
