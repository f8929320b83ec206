internal import ArgumentParser
internal import Browser
internal import CursesTerminal
internal import Essentials
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles
internal import Synchronization
internal import Terminal

/// The full screen of `quarry diff`: the comparison alone, without an open database.
struct DiffFullScreen {
  let subject: DiffSubject
  /// The databases that the command line has opened, for the first comparison.
  let opened: OpenedDiffSides
  /// The connections to other hosts.
  let hosts: HostFiles

  /// Shows the comparison until the user quits.
  ///
  /// - Returns: Whether the databases were compared to the end and are the same, or the error that ended the comparison.
  func run() throws -> Result<Bool, any Error> {
    try SystemLimits.checkForFullScreen()
    let person = Preferences.ofThisPerson(arguments: [:])
    var options = BrowserOptions(
      title: "quarry diff", isASCII: person.settings.ascii, catalogWidth: person.settings.catalogWidth,
      hidesEmptyTimes: person.settings.hidesEmptyTimes)
    options.usesMouse = person.settings.mouse
    options.settings = person.settings
    options.first = .diff(subject)
    options.suspensionRefusal = FullScreen.suspensionRefusal
    let opener = DiffFiles(current: nil, remote: nil, opened: opened, hosts: hosts).opener
    var storage = Storage()
    storage.comparing = opener
    let terminal = try FullScreen.startTerminal(usesMouse: person.settings.mouse)
    defer { terminal.stop() }
    let browser = Browser(
      options: options, size: terminal.size, themes: person.themes, theme: person.theme, keymap: person.keymap,
      warnings: person.warnings + FullScreen.warnings(of: terminal))
    let environment = ProcessInfo.processInfo.environment
    let program = BrowserProgram(
      browser: browser, session: Session(source: NoDatabase(), waker: terminal.waker, storage: storage), terminal: terminal,
      clipboard: Clipboard(environment: environment), externalEditor: ExternalEditor(environment: environment))
    program.run()
    terminal.stop()
    if let ending = program.browser.ending { FullScreen.passOn(ending) }
    // The user has chosen another database.
    if let next = program.browser.successor { try Browse.parse([]).run(after: .other(next)) }
    do { return .success(try opener.outcome.isSame()) } catch { return .failure(error) }
  }
}

/// Databases that are open before the screen appears, so that it need not open them again.
final class OpenedDiffSides: Sendable {
  private let sides: Mutex<[(path: String, side: any DiffSide)]>

  init(_ sides: [(path: String, side: any DiffSide)]) { self.sides = Mutex(sides) }

  /// Removes and returns the database at a path; nil if it has been taken.
  func take(_ path: String) -> (any DiffSide)? {
    sides.withLock { sides in sides.firstIndex { $0.path == path }.map { sides.remove(at: $0).side } }
  }
}

/// The databases that the full screen compares: files, clusters, and the open database.
struct DiffFiles: Sendable {
  /// The path of the open database, or nil if none is open or a server has it.
  let current: String?
  /// The open database of a server.
  let remote: RemoteDataSource?
  /// Whether the open database was opened as immutable.
  var isImmutable = false
  /// The databases that have been opened already.
  var opened: OpenedDiffSides?
  /// The connections to other hosts.
  var hosts = HostFiles(isOnScreen: true)

  var opener: DiffOpener {
    DiffOpener(
      open: { path, isWatched in try self.side(path, isWatched: isWatched) },
      export: { subject, format, path in try await self.export(subject, format, path) })
  }

  /// Opens a database; waits only briefly for a lock, because the screen is already visible.
  private func side(_ place: String?, isWatched: Bool) throws -> any DiffSide {
    do {
      if place == nil, let remote { return remote.diffSide }
      if let place, !isWatched, let side = opened?.take(place) { return side }
      guard let path = place ?? current else { throw Problem("no database is open") }
      if let remote = try RemoteOpening.source(path, refusal: RemoteOpening.refusalOfVerbs, changes: nil) { return remote.diffSide }
      if let side = try hosts.side(path, isWatched: isWatched) { return side }
      let name = PathText.shown(path)
      if place != nil, let data = try SourceFiles([path], options: nil).dataPaths.first {
        throw Problem("“\(PathText.shown(data))” is not a database: import it into one first")
      }
      let files = DatabaseFiles(paths: [path], isImmutable: place == nil && isImmutable)
      let queue = try files.open(label: "comparison", busyTimeout: .seconds(5))
      return isWatched ? FileDiffSide(watching: queue, name: name) : try FileDiffSide(queue, name: name)
    } catch let failure as Failure {
      throw Problem(failure.message ?? "the database cannot be opened")
    } catch let error as DatabaseOpenError {
      throw Problem(error.description + error.advice)
    }
  }

  /// Compares again, and writes the differences to a file.
  private func export(_ subject: DiffSubject, _ format: String, _ path: String) async throws {
    guard let format = OutputFormat(rawValue: format) else { return }
    let output = try VerbOutput(path: path, databases: [subject.old.path, subject.new.path ?? current].compactMap(\.self))
    let diff = subject.diff(try side(subject.old.path, isWatched: false), try side(subject.new.path, isWatched: false))
    _ = try await DiffPrinting(subject: subject, format: format, isSummary: false, showsProgress: false).print(diff, to: output)
  }
}
