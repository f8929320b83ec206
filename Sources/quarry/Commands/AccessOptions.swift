internal import ArgumentParser
internal import Browser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles
internal import QuarrySources
internal import Synchronization

/// Options for opening files.
struct AccessOptions: ParsableArguments {
  @Flag(name: [.customLong("read-only"), .customLong("readonly", withSingleDash: true)], help: "Write nothing to the database.")
  private var refusesWrites = false

  @Flag(
    name: .customLong("immutable"),
    help: "Assume that no program changes the file. Opens WAL databases in read-only folders, but may show outdated rows.")
  private var assumesNoChanges = false

  @Flag(name: .customLong("write"), help: "Allow writes to a cluster. Clusters are read-only by default; files are not.")
  var isWriting = false

  var isReadOnly: Bool { refusesWrites || FileArgument.uriAccess.withLock { $0.isReadOnly } }
  var isImmutable: Bool { assumesNoChanges || FileArgument.uriAccess.withLock { $0.isImmutable } }

  /// Whether the command line forbids writes.
  var refusesWriting: Bool { isReadOnly || isImmutable }
}

/// The input of a verb: a database, or a file to load as a table, and attached databases.
struct DatabaseArgument: ParsableArguments {
  @Argument(
    help: "Database, or a CSV, TSV, JSON or NDJSON file to use as a table. Use - for standard input, host:path for another machine.",
    completion: .file(), transform: FileArgument.path)
  var file: String

  @Option(
    name: .customLong("attach"),
    help: ArgumentHelp("Add a file: a database is attached under its file name, others become tables. Repeatable.", valueName: "file"),
    completion: .file(), transform: FileArgument.path)
  var others: [String] = []

  @Flag(
    name: .customLong("long"),
    help: "Allow a cluster to run long statements, which it cannot stop. By default Quarry asks, or refuses without a terminal.")
  var allowsLongReads = false

  @OptionGroup var data: DataFileOptions

  @OptionGroup var access: AccessOptions

  /// Opens the database for reading.
  ///
  /// For a cluster, opens a local copy of the needed content.
  func openForReading(_ wanted: RemoteCopyContent = .everything) throws -> DatabaseQueue {
    try openForReading { _ in wanted }
  }

  /// Opens the database for reading.
  ///
  /// - Parameter wanted: Chooses the content of the local copy of a cluster by its schema.
  func openForReading(choosing wanted: (_ schema: DatabaseQueue) throws -> RemoteCopyContent) throws -> DatabaseQueue {
    guard let remote = try remote() else { return try open(isReadOnly: true) }
    let wanted = try wanted(remote.waitForSchema())
    let line = Mutex(ProgressLine())
    remote.onCopy { copy in
      guard case .underWay(let name, let progress)? = copy else { return }
      line.withLock { $0.show("copying \(name): \(progress.words) (^C stops that)") }
    }
    defer { line.withLock { $0.end() } }
    let queue = try remote.askingFirst { try InsightOptions.waiting { try await remote.copied(wanted) } }
    Interrupts.stop(queue)
    return queue
  }

  /// Returns the database if it is in a cluster, or nil for files.
  ///
  /// - Parameter changes: The folder in which commits are recorded, or nil if they are not recorded.
  func remote(changes: ChangeLogFolder? = nil) throws -> RemoteDataSource? {
    let refusal = access.isWriting && !access.refusesWriting ? nil : RemoteOpening.refusalOfVerbs
    guard let remote = try RemoteOpening.source(file, refusal: refusal, changes: changes) else { return nil }
    if !others.isEmpty { throw Failure.usage("--attach is for files: a connection to a cluster has one database") }
    if allowsLongReads { remote.allowLongReads() }
    return remote
  }

  /// Opens the database, for writing too unless the command line forbids it.
  func open(isReadOnly: Bool) throws -> DatabaseQueue {
    let files = try files(isReadOnly: isReadOnly)
    let queue = try files.open()
    Interrupts.stop(queue)
    if isReadOnly { files.reportIgnoredLogs() }
    return queue
  }

  /// The paths of the input files, which the output must not overwrite.
  var paths: [String] { [file] + others }

  /// Returns the database for reading on more connections.
  func files() throws -> DatabaseFiles { try files(isReadOnly: true) }

  /// Returns the files at the paths.
  func sources() throws -> SourceFiles { try SourceFiles([file] + others, options: data) }

  /// Rejects files that are not databases.
  ///
  /// - Parameter reason: The reason why the verb needs a database.
  func requireDatabase(because reason: String) throws {
    if let path = try sources().dataPaths.first { throw Failure.usage("“\(PathText.shown(path))” is not a database: \(reason)") }
  }

  private func files(isReadOnly: Bool) throws -> DatabaseFiles {
    let sources = try sources()
    let tables = sources.hasData ? try PrivateTables.openWhole(sources) : nil
    return DatabaseFiles(
      paths: (tables.map { [$0.path] } ?? []) + sources.databasePaths, isReadOnly: isReadOnly || access.isReadOnly,
      isImmutable: access.isImmutable && tables == nil, recovery: access.refusesWriting ? .refused : .reported)
  }
}
