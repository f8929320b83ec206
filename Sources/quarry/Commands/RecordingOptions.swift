internal import ArgumentParser
internal import Browser
internal import Essentials
internal import QuarryChanges

/// Options for recording commits.
struct RecordingOptions: ParsableArguments {
  @Flag(name: .customLong("no-changes"), help: "Do not record changes. They cannot be undone.")
  var isOff = false

  /// The recorder of commits, or nil if commits are not recorded.
  var recorder: ChangeRecorder? { folder(.ofThisPerson()).map { ChangeRecorder($0) } }

  /// The folder of the records, or nil if commits are not recorded or the folder of the program's state is not known.
  func folder(_ settings: Settings) -> ChangeLogFolder? {
    isOff || !settings.recordsChanges ? nil : ChangeLogFolder(settings)
  }
}

extension ChangeLogFolder {
  /// Creates the reference to the user's folder, or returns nil if the folder of the program's state is not known.
  init?(_ settings: Settings) {
    guard let path = Locations(environment: ProcessInfo.processInfo.environment).changesFolder else { return nil }
    self.init(path: path, limit: settings.changesLimit)
  }

  /// Returns the user's folder.
  ///
  /// - Throws: `Failure` if it is not known.
  static func ofThisPerson() throws -> ChangeLogFolder {
    guard let folder = ChangeLogFolder(Settings.ofThisPerson()) else {
      throw Failure.usage("set HOME or XDG_STATE_HOME: committed changes are recorded under it")
    }
    return folder
  }
}
