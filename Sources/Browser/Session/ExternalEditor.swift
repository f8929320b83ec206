package import Essentials
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows
internal import Terminal

/// The external editor: `VISUAL`, then `EDITOR`, then vi.
package struct ExternalEditor: Sendable {
  private let command: String
  private let folder: URL

  package init(environment: [String: String]) {
    self.init(environment: environment, folder: FileManager.default.temporaryDirectory)
  }

  /// Creates the editor named in the environment, with a folder for its temporary files.
  package init(environment: [String: String], folder: URL) {
    self.folder = folder
    let wanted = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isBlank }
    command = wanted ?? "vi"
  }

  /// Edits a text in a file of a private folder, which is deleted afterwards with everything that the editor has left there.
  func edit(_ text: String, on terminal: any Terminal) -> Result<String, Problem> {
    let place: PrivateFolder
    do {
      place = try PrivateFolder(in: folder.path)
      _ = try PrivateFile.save(Array(text.utf8), to: place.editedFile, replacing: false, isSynced: false)
    } catch {
      return .failure(Problem("cannot write the text for the editor: \(error)"))
    }
    return withExtendedLifetime(place) { edit(text, in: place.editedFile, on: terminal) }
  }

  /// Edits the text of a file.
  private func edit(_ text: String, in file: String, on terminal: any Terminal) -> Result<String, Problem> {
    let status: Int32
    do throws(SystemError) {
      status = try run(file, on: terminal)
    } catch {
      return .failure(Problem("“\(command)” cannot be started (\(error)); the text is unchanged"))
    }
    guard status == 0 else { return .failure(Problem("“\(command)” exited with status \(status); the text is unchanged")) }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile.contents(of: file)
    } catch {
      return .failure(Problem("the text that “\(command)” saved cannot be read (\(error)); the text is unchanged"))
    }
    guard let edited = String(validating: bytes, as: UTF8.self) else {
      return .failure(Problem("“\(command)” saved text that is not UTF-8; the text is unchanged"))
    }
    // Editors add a line ending to the last line, which the text may not have had.
    return .success(edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited)
  }

  /// Runs the editor on the terminal until it ends, and returns its status.
  private func run(_ path: String, on terminal: any Terminal) throws(SystemError) -> Int32 {
    try terminal.whileReleased { () throws(SystemError) in
      // The command may have arguments.
      try ChildProgram("/bin/sh", ["-c", "\(command) \(ShellWord.quoted(path: path))"]).wait()
    }
  }
}
