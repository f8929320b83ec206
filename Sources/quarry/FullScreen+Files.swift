internal import Browser
internal import CursesTerminal
internal import Essentials
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows
internal import Terminal

/// The handling of the command line's files in the full screen.
extension FullScreen {
  /// Loads files as tables.
  ///
  /// Replaces standard input by the terminal if standard input is one of the files.
  func openTables(_ sources: SourceFiles) throws -> FileTables {
    guard StandardOutput.isTerminal else { throw Failure.usage(Self.noTerminal) }
    let readsInput = sources.dataPaths.contains(StandardInput.name)
    if readsInput { try StandardInput.checkKeyboard() }
    // A reopened file is read again.
    PrivateTables.release()
    let tables = try PrivateTables.open(sources)
    if readsInput { try StandardInput.giveToKeyboard() }
    return tables
  }

  static func title(_ path: String) -> String {
    let name = path == StandardInput.name ? "standard input" : Address.title(of: path)
    return SSHSession.current.map { "\($0.host.name):\(name)" } ?? name
  }

  /// Returns the files with the options to open them again on a command line.
  func openedFiles(_ sources: SourceFiles) -> OpenedFiles {
    let options: [String] =
      (command.access.isImmutable ? ["--immutable"] : []) + (command.access.isWriting ? ["--write"] : []) + (sources.options?.words ?? [])
    if let address = self.files.first, Address.isElsewhere(address) {
      return OpenedFiles([OpenedFiles.File(path: address, database: "main")], options: options)
    }
    let files = zip(sources.paths, sources.databaseNames).map { OpenedFiles.File(path: SSHSession.address(ofPath: $0), database: $1) }
    return OpenedFiles(files, options: options)
  }

  /// Returns the storage of data that outlives the session.
  ///
  /// For the demo and for standard input, only saved statements are stored.
  ///
  /// Staged changes of a file that was loaded as a table are not stored, because its rows change with the file.
  func storage(_ sources: SourceFiles) -> Storage {
    let locations = Locations(environment: ProcessInfo.processInfo.environment)
    var storage = Storage(statements: locations.statementsFolder.map { StatementLibrary(folder: $0) })
    storage.recent = locations.recentFile.map { RecentFiles(path: $0) }
    if let host = SSHSession.current?.host.name {
      storage.settingsRefusal =
        "quarry runs on \(host), but your settings are on the machine where you started it: change them there"
    } else {
      storage.settings = locations.settingsFile.map { SettingsFile(path: $0) }
    }
    guard let file = files.first, file != StandardInput.name else { return storage }
    let path = Address.isElsewhere(file) ? file : URL(fileURLWithPath: file).standardizedFileURL.path
    storage.memory = locations.state.map { MemoryFile(state: $0, database: path) }
    if !sources.hasData { storage.staged = locations.state.flatMap { try? StagedStore(state: $0, database: path) } }
    FatalSignals.setSaved("")
    if storage.staged != nil {
      let name = Self.title(file).pictured
      storage.onStagedSave = { count in FatalSignals.setSaved(CrashAdvice.saved(count ?? 0, of: name)) }
    }
    storage.history = locations.historyFile.map { HistoryFile(path: $0) }
    return storage
  }

  /// Adds the files to the recent files, and reads their stored state.
  ///
  /// - Parameter warnings: Receives warnings about unreadable state.
  func memory(in storage: Storage, _ warnings: inout [ConfigurationWarning]) -> SessionMemory {
    let lasting = files.filter { $0 != StandardInput.name }
    do {
      if !lasting.isEmpty { try storage.recent?.note(lasting) }
    } catch let error as StateFileError {
      warnings.append(ConfigurationWarning(file: "recent files", line: nil, message: error.description))
    } catch {
      // If the list of recent files cannot be saved, open the files anyway.
    }
    guard let file = storage.memory else { return SessionMemory() }
    return file.load { warnings.append(ConfigurationWarning(file: "state", line: nil, message: $0)) }
  }
}
