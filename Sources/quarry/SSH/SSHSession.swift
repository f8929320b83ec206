internal import Browser
internal import CursesTerminal
internal import Essentials
internal import Libc
internal import Synchronization

/// This program where another one has started it by ssh: what is asked of it, and what belongs to that on the other machine.
enum SSHSession {
  /// The first word of the command line, before the request.
  static let word = "--ssh-request"

  private static let state = Mutex<SSHRequest?>(nil)

  /// What is asked; nil where a person here has started the program.
  static var current: SSHRequest? { state.withLock(\.self) }

  /// Takes a request, says that the program is ready, and returns the words of the command line.
  ///
  /// To be called before there is another thread: it sets the environment.
  ///
  /// - Parameter argument: The request as base64, or `-` where it and all that is read come through standard input.
  static func begin(_ argument: String) throws -> [String] {
    let line = Array("\(SSHMarker.ready)\n".utf8)
    _ = line.withUnsafeBytes { Descriptor.write($0, to: STDOUT_FILENO) }
    let request =
      argument == StandardInput.name ? try SSHInput.readRequest() : Data(base64Encoded: argument).flatMap { try? SSHRequest(json: $0) }
    guard let request else {
      throw Failure.usage("\(word) is how quarry on another machine starts this one: it cannot be written by hand")
    }
    for (name, value) in request.environment { setenv(name, value, 1) }
    nameKnownTerminal()
    state.withLock { $0 = request }
    return request.words
  }

  /// Takes the terminal for the most common one where this machine has never heard of it: new ones all understand that.
  private static func nameKnownTerminal() {
    guard let name = ProcessInfo.processInfo.environment["TERM"], !name.isEmpty, name != "dumb", !CursesTerminal.knows(name) else { return }
    setenv("TERM", "xterm-256color", 1)
  }

  // MARK: What the command line names

  /// Returns the path of a FILE of the command line.
  @Sendable static func path(_ file: String) -> String {
    guard let path = current?.paths[file].map(expanded) else { return file }
    // What would be read as an address, a URI or standard input is a file with such a name.
    return path == StandardInput.name || !path.hasPrefix("/") && path.contains(":") ? "./" + path : path
  }

  /// Returns a path with the folder that a `~` or `~user` at its beginning stands for.
  private static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~") else { return path }
    let name = path.dropFirst().prefix { $0 != "/" }
    let home = name.isEmpty ? ProcessInfo.processInfo.environment["HOME"] : home(of: String(name))
    return home.map { $0 + path.dropFirst(name.count + 1) } ?? path
  }

  private static func home(of user: String) -> String? {
    getpwnam(user).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
  }

  /// Returns a path as the person has to write it: as an address, where that person is on another machine.
  static func address(ofPath path: String) -> String {
    current.map { $0.host.address(of: path) } ?? path
  }

  /// Returns a file that the command line names beside those that are read as databases; nil where it was not sent along.
  static func file(_ path: String) -> [UInt8]? {
    current?.files[path].map { [UInt8]($0) }
  }
}

extension ConfigurationFiles {
  /// Makes the files of what was sent along.
  init(_ preferences: SSHRequest.Preferences) {
    self.init()
    settings = preferences.settings.map { File(path: $0.path, text: $0.text) }
    keymap = preferences.keymap.map { File(path: $0.path, text: $0.text) }
    themes = preferences.themes.map { ThemeSource(path: $0.path, text: $0.text) }
    warnings = preferences.warnings.map { ConfigurationWarning(file: $0.path, line: nil, message: $0.text) }
  }
}

extension SSHRequest.Preferences {
  /// The path of a theme in the folder of settings.
  static func themePath(_ name: String) -> String { "themes/\(name).toml" }

  /// Takes what can be sent.
  init(_ files: ConfigurationFiles) {
    settings = files.settings.map { SSHRequest.File(path: $0.path, text: $0.text) }
    keymap = files.keymap.map { SSHRequest.File(path: $0.path, text: $0.text) }
    themes = files.themes.map { SSHRequest.File(path: Self.themePath($0.name), text: $0.text) }
    warnings = files.warnings.map { SSHRequest.File(path: $0.file, text: $0.message) }
  }
}
