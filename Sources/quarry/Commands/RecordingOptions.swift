internal import ArgumentParser
internal import Browser
internal import Essentials
internal import QuarryChanges

/// Whether what is committed is recorded.
struct RecordingOptions: ParsableArguments {
  @Flag(name: .customLong("no-changes"), help: "Do not record changes. They cannot be undone.")
  var isOff = false

  /// The recorder of what is committed; nil where none is wanted.
  var recorder: ChangeRecorder? { folder.map { ChangeRecorder($0) } }

  /// The folder of the records; nil where none are wanted, or no folder for the program's state is known.
  var folder: ChangeLogFolder? {
    let settings = Preferences.ofThisPerson().settings
    return isOff || !settings.recordsChanges ? nil : ChangeLogFolder(settings)
  }
}

extension ChangeLogFolder {
  /// Names the folder of the person who runs the program; nil where no folder for the program's state is known.
  init?(_ settings: Settings) {
    guard let path = Locations(environment: ProcessInfo.processInfo.environment).changesFolder else { return nil }
    self.init(path: path, limit: settings.changesLimit)
  }

  /// Returns the folder of the person who runs the program.
  ///
  /// - Throws: `Failure` where none is known.
  static func ofThisPerson() throws -> ChangeLogFolder {
    guard let folder = ChangeLogFolder(Preferences.ofThisPerson().settings) else {
      throw Failure.usage("set HOME or XDG_STATE_HOME, under which what was committed is recorded")
    }
    return folder
  }
}
