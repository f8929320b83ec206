internal import Browser
internal import CursesTerminal
internal import Essentials
internal import Libc
internal import Synchronization

/// The session of a program that another machine has started through ssh: the request, and the files and names of the other machine.
enum SSHSession {
  /// The first word of the command line, before the request.
  static let word = "--ssh-request"

  private static let state = Mutex<SSHRequest?>(nil)

  /// The request, or nil if a local user has started the program.
  static var current: SSHRequest? { state.withLock(\.self) }

  private static let onScreen = Mutex(false)

  /// Whether the full screen of the other machine is meant to appear: then its terminal is that of this program.
  static var hasScreen: Bool { onScreen.withLock(\.self) }

  /// Reads a request, reports that the program is ready, and returns the words of the command line.
  ///
  /// Call this before any other thread exists, because it sets the environment.
  ///
  /// - Parameter argument: The request in base64, or `-` if the request and all input arrive on standard input.
  static func begin(_ argument: String) throws -> [String] {
    let line = Array("\(SSHMarker.ready)\n".utf8)
    _ = line.withUnsafeBytes { Descriptor.write($0, to: STDOUT_FILENO) }
    let request =
      argument == StandardInput.name ? try SSHInput.readRequest() : Data(base64Encoded: argument).flatMap { try? SSHRequest(json: $0) }
    guard let request else {
      throw Failure.usage("\(word) is internal: quarry on another machine starts this one with it")
    }
    for (name, value) in request.environment { setenv(name, value, 1) }
    nameKnownTerminal()
    state.withLock { $0 = request }
    onScreen.withLock { $0 = argument != StandardInput.name }
    return request.words
  }

  /// Replaces an unknown terminal type by the most common one, which all recent terminals understand.
  private static func nameKnownTerminal() {
    guard let name = ProcessInfo.processInfo.environment["TERM"], !name.isEmpty, name != "dumb", !CursesTerminal.knows(name) else { return }
    setenv("TERM", "xterm-256color", 1)
  }

  // MARK: Paths of the command line

  /// Returns the path of a file on the command line.
  @Sendable static func path(_ file: String) -> String {
    guard let path = current?.paths[file].map(expanded) else { return file }
    // Prevents a file name from being parsed as an address, a URI or standard input.
    return path == StandardInput.name || !path.hasPrefix("/") && path.contains(":") ? "./" + path : path
  }

  /// Returns a path with a leading `~` or `~user` expanded.
  private static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~") else { return path }
    let name = path.dropFirst().prefix { $0 != "/" }
    let home = name.isEmpty ? ProcessInfo.processInfo.environment["HOME"] : home(of: String(name))
    return home.map { $0 + path.dropFirst(name.count + 1) } ?? path
  }

  private static func home(of user: String) -> String? {
    getpwnam(user).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
  }

  /// Returns a path as the user must write it: as an address if the user is on another machine.
  static func address(ofPath path: String) -> String {
    current.map { $0.host.address(of: path) } ?? path
  }

  /// Returns a file named on the command line that is not a database, or nil if it was not sent.
  static func file(_ path: String) -> [UInt8]? {
    current?.files[path].map { [UInt8]($0) }
  }
}

extension ConfigurationFiles {
  /// Creates the files from the sent preferences.
  init(_ preferences: SSHRequest.Preferences) {
    self.init()
    settings = preferences.settings.map { File(path: $0.path, text: $0.text) }
    keymap = preferences.keymap.map { File(path: $0.path, text: $0.text) }
    themes = preferences.themes.map { ThemeSource(path: $0.path, text: $0.text) }
    warnings = preferences.warnings.map { ConfigurationWarning(file: $0.path, line: nil, message: $0.text) }
  }
}

extension SSHRequest.Preferences {
  /// Returns the path of a theme in the settings folder.
  static func themePath(_ name: String) -> String { "themes/\(name).toml" }

  /// Creates the preferences from the files that can be sent.
  init(_ files: ConfigurationFiles) {
    settings = files.settings.map { SSHRequest.File(path: $0.path, text: $0.text) }
    keymap = files.keymap.map { SSHRequest.File(path: $0.path, text: $0.text) }
    themes = files.themes.map { SSHRequest.File(path: Self.themePath($0.name), text: $0.text) }
    warnings = files.warnings.map { SSHRequest.File(path: $0.file, text: $0.message) }
  }
}
