internal import Browser
internal import Essentials
internal import Libc
internal import QuarryEngine

/// The checks of the user's folders, of /proc, and of the system's limits.
struct SystemFindings {
  private let environment: [String: String]
  private let locations: Locations

  init(environment: [String: String]) {
    self.environment = environment
    locations = Locations(environment: environment)
  }

  var all: [Finding] {
    [
      folder(locations.state, "state", "XDG_STATE_HOME", losing: "staged changes, the history and the records for undo are not saved"),
      folder(locations.data, "statements", "XDG_DATA_HOME", losing: "statements cannot be saved"),
      temporary, proc, limits,
    ]
  }

  private func folder(_ path: String?, _ subject: String, _ variable: String, losing loss: String) -> Finding {
    guard let path else {
      let home = environment["HOME"].map { "HOME=\($0) is not an absolute path" } ?? "HOME is not set"
      return Finding(.fault, subject, "\(home), so \(loss)", fix: "set HOME, or \(variable), to a folder that you can write")
    }
    guard let obstacle = Self.obstacle(to: path) else { return Finding(.fine, subject, "\(path) is writable") }
    let problem = obstacle.place == path ? "cannot be written" : "cannot be created in \(obstacle.place)"
    return Finding(
      .fault, subject, "\(path) \(problem) (\(obstacle.error)), so \(loss)",
      fix: "correct its owner or permissions, or set \(variable) to a folder that you can write")
  }

  private var temporary: Finding {
    let path = environment["TMPDIR"].map { $0.isEmpty ? "/tmp" : $0 } ?? "/tmp"
    // Nothing creates this folder.
    guard let error = Self.obstacle(in: path) else { return Finding(.fine, "temporary", "\(path) is writable") }
    return Finding(
      .fault, "temporary", "\(path) cannot be written (\(error)), so CSV and JSON files cannot be opened as tables",
      fix: "set TMPDIR to a folder that you can write")
  }

  private var proc: Finding {
    #if os(Linux)
      if access("/proc/self/exe", F_OK) != 0 {
        return Finding(
          .fault, "/proc", "is not mounted, so Quarry cannot send itself to other machines (`quarry host:file`)",
          fix: "mount -t proc proc /proc")
      }
      return Finding(.fine, "/proc", "is mounted")
    #else
      return Finding(.fine, "/proc", "is not needed on this system")
    #endif
  }

  private var limits: Finding {
    do {
      try SystemLimits.checkForFullScreen()
      return Finding(.fine, "limits", "open files, memory and threads suffice for the full screen")
    } catch {
      return Finding(.fault, "limits", Failure(error)?.message ?? "\(error)")
    }
  }

  /// Returns the reason why a file or folder cannot be created at a path, or nil if it can.
  ///
  /// Missing parents can be created.
  private static func obstacle(to path: String) -> (place: String, error: SystemError)? {
    var place = path
    while access(place, F_OK) != 0, errno == ENOENT, let slash = place.lastIndex(of: "/"), place != "/" {
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    return obstacle(in: place).map { (place, $0) }
  }

  /// Returns the reason why no file can be created in a folder, or nil if one can.
  private static func obstacle(in folder: String) -> SystemError? {
    var status = stat()
    guard stat(folder, &status) == 0 else { return .last }
    if status.st_mode & S_IFMT != S_IFDIR { return SystemError(code: ENOTDIR) }
    return access(folder, W_OK | X_OK) == 0 ? nil : .last
  }
}
