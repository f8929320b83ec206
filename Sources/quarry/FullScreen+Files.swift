internal import Browser
internal import Essentials
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows

/// What the full screen makes of the files of the command line.
extension FullScreen {
  /// Makes tables of files, and the terminal what is read from standard input where that was one of them.
  func openTables(_ sources: SourceFiles) throws -> FileTables {
    guard StandardOutput.isTerminal else { throw Failure.usage(Self.noTerminal) }
    let readsInput = sources.dataPaths.contains(StandardInput.name)
    if readsInput { try StandardInput.checkKeyboard() }
    // A file that is opened once more is read once more.
    PrivateTables.release()
    let tables = try PrivateTables.open(sources)
    if readsInput { try StandardInput.giveToKeyboard() }
    return tables
  }

  static func title(_ path: String) -> String {
    let name = path == StandardInput.name ? "standard input" : PathText.shown(String(path.split(separator: "/").last ?? ""))
    return SSHSession.current.map { "\($0.host.name):\(name)" } ?? name
  }

  /// Returns the files as a command line names them again.
  func openedFiles(_ sources: SourceFiles) -> OpenedFiles {
    let options: [String] =
      (command.access.isImmutable ? ["--immutable"] : []) + (command.access.isWriting ? ["--write"] : []) + (sources.options?.words ?? [])
    if let address = self.files.first, Address.isElsewhere(address) {
      return OpenedFiles([OpenedFiles.File(path: address, database: "main")], options: options)
    }
    let files = zip(sources.paths, sources.databaseNames).map { OpenedFiles.File(path: SSHSession.address(ofPath: $0), database: $1) }
    return OpenedFiles(files, options: options)
  }

  /// Returns the folders of what outlives the session; of the demo and of standard input, only that of the statements that a person saves.
  ///
  /// What is staged of a file that became a table is not kept: it has other rows when the file has.
  func storage(_ sources: SourceFiles) -> Storage {
    let locations = Locations(environment: ProcessInfo.processInfo.environment)
    var storage = Storage(statements: locations.statementsFolder.map { StatementLibrary(folder: $0) })
    storage.recent = locations.recentFile.map { RecentFiles(path: $0) }
    guard let file = files.first, file != StandardInput.name else { return storage }
    let path = Address.isElsewhere(file) ? file : URL(fileURLWithPath: file).standardizedFileURL.path
    storage.memory = locations.state.map { MemoryFile(state: $0, database: path) }
    if !sources.hasData { storage.staged = locations.state.flatMap { try? StagedStore(state: $0, database: path) } }
    storage.history = locations.historyFile.map { HistoryFile(path: $0) }
    return storage
  }

  /// Notes that the files are opened, and reads what is remembered of them.
  ///
  /// - Parameter warnings: Gets what cannot be read of that.
  func memory(in storage: Storage, _ warnings: inout [ConfigurationWarning]) -> SessionMemory {
    let lasting = files.filter { $0 != StandardInput.name }
    do {
      if !lasting.isEmpty { try storage.recent?.note(lasting) }
    } catch let error as StateFileError {
      warnings.append(ConfigurationWarning(file: "recent files", line: nil, message: error.description))
    } catch {
      // A list that cannot be written is no reason to open nothing.
    }
    guard let file = storage.memory else { return SessionMemory() }
    return file.load { warnings.append(ConfigurationWarning(file: "state", line: nil, message: $0)) }
  }
}
