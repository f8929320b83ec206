public import QuarryEngine
import Synchronization
public import Terminal

/// Runs effects against the engine, away from the screen's thread, and keeps their results until they are asked for.
///
/// Every effect belongs to a channel. The result of one that reads is dropped when its channel has been given something newer to do
/// meanwhile; those that change something are done one after the other, and each is answered.
public final class Session: Sendable {
  private let held: Mutex<Connections>
  /// The files that have been told to be moved.
  let toldFiles = Mutex<[MovedFile]>([])
  let storage: Storage
  private let waker: any Waker
  /// How often it is looked whether others have written to the files; nil for never.
  let watchInterval: Duration?
  /// The clock by which runs are timed.
  let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())
  /// Which memory is in the file, by the generation of its effect; whoever writes the file has it.
  private let savedMemory = Mutex(0)

  private struct State {
    var messages: [Message] = []
    /// How many effects have not come to their end, by channel.
    var outstanding: [Channel: Int] = [:]
    var generations: [Channel: Int] = [:]
    var open: [GridID: OpenSet] = [:]
    /// The view that was compiled last: what is checked in the bar is opened next.
    var compiledView: CompiledRowView?
    /// What runs on a channel whose older work nobody waits for any more.
    var replaceable: [Channel: Task<Void, Never>] = [:]
    /// What runs or waits for its turn on a channel of actions, by generation.
    var actions: [Channel: [Int: Task<Void, Never>]] = [:]
  }

  /// What an effect is about: of two on one channel only the later's result counts, unless they are actions.
  enum Channel: Hashable, Sendable {
    case files, catalog, tableCounts, opening, record, details, references, clipboard, copy, text, memory, preparation, script, plan
    case sqlCompletion, history, statements, saving, choices, formFiles
    case page(GridID), count(GridID), location(GridID), find(GridID), check(GridID), completion(GridID)

    /// Whether new work makes what is under way worthless.
    var isReplaceable: Bool {
      switch self {
      case .tableCounts, .references, .opening, .count, .find, .check, .completion, .preparation, .sqlCompletion, .choices: true
      default: false
      }
    }

    /// Whether its effects change something: the next one waits for the one before, and no answer is dropped.
    var isOfActions: Bool {
      switch self {
      case .script, .saving, .clipboard: true
      default: false
      }
    }
  }

  /// - Parameters:
  ///   - watchInterval: How often it is looked whether others have written to the files; nil for never.
  ///   - now: The clock by which runs are timed.
  public init(
    connections: Connections, waker: any Waker, storage: Storage = Storage(), watchInterval: Duration? = .seconds(1),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    held = Mutex(connections)
    self.watchInterval = watchInterval
    self.now = now
    self.storage = storage
    self.waker = waker
    connections.lockWaits.onChange { [weak self] names in self?.tellLockWait(of: names) }
  }

  /// Starts an effect and returns at once; those that are the terminal's are let be.
  public func run(_ effect: Effect) {
    guard let channel = effect.channel else { return runAtOnce(effect) }
    guard !channel.isOfActions else { return act(on: channel) { await self.perform(effect, posting: $0) } }
    let generation = begin(channel)
    let task = Task {
      await perform(effect, posting: Post(session: self, channel: channel, generation: generation))
      end(channel)
    }
    guard channel.isReplaceable else { return }
    let older = state.withLock { $0.replaceable.updateValue(task, forKey: channel) }
    older?.cancel()
  }

  /// Starts an action, which has its turn after those that its channel was given before.
  private func act(on channel: Channel, _ body: @escaping @Sendable (Post) async -> Void) {
    let generation = begin(channel)
    let post = Post(session: self, channel: channel, generation: generation)
    state.withLock { state in
      let before = state.actions[channel]?.max { $0.key < $1.key }?.value
      state.actions[channel, default: [:]][generation] = Task {
        await before?.value
        await body(post)
        self.state.withLock { _ = $0.actions[channel]?.removeValue(forKey: generation) }
        end(channel)
      }
    }
  }

  /// Gives a text to the desktop's clipboard too, and tells where it went.
  func copy(_ text: CopyText, with clipboard: Clipboard, isSentToTerminal: Bool) {
    act(on: .clipboard) { post in
      let tool = await clipboard.copy(text.text)
      let places = [isSentToTerminal ? "the terminal" : nil, tool].compactMap(\.self)
      let message: Message =
        places.isEmpty
        ? .copyFailed(Problem("nothing here takes a copy: the terminal has no OSC 52, and neither wl-copy, xclip nor pbcopy works"))
        : .copied(text, "the clipboard (\(places.joined(separator: ", ")))")
      post(message)
    }
  }

  /// Returns the messages that have come since it was last asked.
  public func takeMessages() -> [Message] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Whether no effect is under way and no message waits.
  public var isSettled: Bool {
    state.withLock { $0.outstanding.isEmpty && $0.messages.isEmpty }
  }

  /// What is under way, by channel: `["count(GridID(number: 1))", "script: 2"]`.
  package var outstandingWork: [String] {
    state.withLock { $0.outstanding.map { $1 == 1 ? "\($0)" : "\($0): \($1)" }.sorted() }
  }

  /// Tells a message whatever came meanwhile.
  func post(_ message: Message) {
    state.withLock { $0.messages.append(message) }
    waker.wake()
  }

  private func begin(_ channel: Channel) -> Int {
    state.withLock { state in
      state.outstanding[channel, default: 0] += 1
      state.generations[channel, default: 0] += 1
      return state.generations[channel, default: 0]
    }
  }

  private func end(_ channel: Channel) {
    state.withLock { state in
      let left = state.outstanding[channel, default: 1] - 1
      state.outstanding[channel] = left > 0 ? left : nil
    }
    waker.wake()
  }

  /// - Returns: whether the message will be taken: an action's always is, another's where nothing newer has begun on its channel.
  @discardableResult
  fileprivate func post(_ message: Message, on channel: Channel, generation: Int) -> Bool {
    let isCurrent = state.withLock { state in
      guard channel.isOfActions || state.generations[channel] == generation else { return false }
      state.messages.append(message)
      return true
    }
    if isCurrent { waker.wake() }
    return isCurrent
  }

  /// Whether nothing newer has begun on the channel of an effect.
  func isCurrent(_ post: Post) -> Bool {
    state.withLock { $0.generations[post.channel] == post.generation }
  }

  // MARK: Readers

  var connections: Connections { held.withLock(\.self) }

  /// Goes over to other connections, which read the same tables from other files; rows of queries stay those of the old ones.
  func use(_ connections: Connections) {
    held.withLock { $0 = connections }
    for (id, set) in state.withLock(\.open) {
      guard case .table = set.base.source, let reader = try? connections.reader(of: set.reader.rowSet) else { continue }
      set.reader.cancelBackgroundWork()
      state.withLock { $0.open[id]?.reader = reader }
    }
  }

  /// The rows of a grid: what reads them, all rows of the set that they are a view of, and how its columns are named.
  struct OpenSet: Sendable {
    var reader: RowReader
    var base: RowSet
    var filterColumns: FilterColumns
  }

  func openSet(_ id: GridID) -> OpenSet? {
    state.withLock { $0.open[id] }
  }

  /// What reads all rows of a set for a grid; nil where none shows them.
  func openReader(of set: RowSet) -> RowReader? {
    state.withLock { $0.open.values.first { $0.reader.rowSet == set }?.reader }
  }

  func reader(_ id: GridID) -> RowReader? {
    openSet(id)?.reader
  }

  var openSets: [OpenSet] {
    state.withLock { Array($0.open.values) }
  }

  /// Compiles a view, unless that has been done for the bar.
  func compile(_ view: RowView, for columns: FilterColumns) throws(RowViewError) -> CompiledRowView {
    if let known = state.withLock(\.compiledView), known.view == view, known.columns == columns { return known }
    let compiled = try view.compiled(for: columns)
    state.withLock { $0.compiledView = compiled }
    return compiled
  }

  /// Ends the counting of the catalog's tables.
  func stopCountingTables() {
    state.withLock { $0.replaceable[.tableCounts] }?.cancel()
  }

  func keep(_ set: OpenSet, as id: GridID) {
    state.withLock { $0.open[id] = set }
  }

  func forget(_ id: GridID) {
    let set = state.withLock { $0.open.removeValue(forKey: id) }
    set?.reader.cancelBackgroundWork()
  }

  // MARK: Memory

  /// Writes the memory to its file, unless a newer one is there already.
  func save(_ memory: Memory, generation: Int) throws {
    try savedMemory.withLock { saved in
      guard generation > saved else { return }
      saved = generation
      try storage.memory?.save(memory)
    }
  }

  /// Ends with the memory in its file, also where the effect that was to write it has not come to that.
  func finish(remembering memory: Memory) {
    let generation = state.withLock { $0.generations[.memory] ?? 0 }
    // Nobody is left to be told that it could not be kept.
    try? save(memory, generation: generation)
  }

  private func runAtOnce(_ effect: Effect) {
    switch effect {
    case .watchFiles: watch()
    case .forget(let id): forget(id)
    case .stopBackgroundWork(let id): reader(id)?.cancelBackgroundWork()
    case .stopAllWork(let id):
      reader(id)?.cancelBackgroundWork()
      reader(id)?.cancelForegroundWork()
    case .stopOpening: state.withLock { $0.replaceable[.opening] }?.cancel()
    case .preempt(let id):
      state.withLock { $0.replaceable[.find(id)] }?.cancel()
      reader(id)?.cancelOrdering()
    case .stopScript:
      let tasks = state.withLock { state in [state.replaceable[.preparation]].compactMap(\.self) + (state.actions[.script] ?? [:]).values }
      for task in tasks { task.cancel() }
    case .stopWaiting: connections.lockWaits.stopAll()
    default: break
    }
  }

  /// Tells the messages of one effect.
  struct Post: Sendable {
    let session: Session
    let channel: Channel
    let generation: Int

    @discardableResult
    func callAsFunction(_ message: Message) -> Bool {
      session.post(message, on: channel, generation: generation)
    }
  }
}

/// The connections of a session, so that nothing waits for anything slower than itself.
public struct Connections: Sendable {
  /// Read the rows of tables and views: what is on the screen, and, apart from that, all that takes long.
  let rows: ReadConnections
  /// Counts the tables of the catalog, and looks for values of columns.
  let catalog: DatabaseQueue
  /// Runs the statements of the editor, and reads the rows that they give.
  let script: ScriptConnection
  /// Which of them wait for a lock.
  let lockWaits: LockWaits

  /// Opens all of them anew, on the files that are there now; nil where that cannot be.
  let reopen: (@Sendable () throws -> Connections)?

  package init(
    rows: ReadConnections, catalog: DatabaseQueue, script: ScriptConnection, lockWaits: LockWaits = LockWaits(),
    reopen: (@Sendable () throws -> Connections)? = nil
  ) {
    self.reopen = reopen
    self.rows = rows
    self.catalog = catalog
    self.script = script
    self.lockWaits = lockWaits
  }

  /// Reads what is on the screen.
  public var foreground: DatabaseQueue { rows.foreground }

  /// Makes what reads the rows of a grid; those of a query where its transaction and its temporary tables are seen.
  func reader(of set: RowSet) throws -> RowReader {
    guard case .query = set.source else { return RowReader(set, on: rows) }
    let queue = try script.queue()
    return RowReader(set, on: ReadConnections(foreground: queue, background: queue))
  }

  /// Makes what looks for values of a column while others read the rows.
  func valueReader(of set: RowSet) throws -> RowReader {
    guard case .query = set.source else { return RowReader(set, on: ReadConnections(foreground: catalog, background: catalog)) }
    return try reader(of: set)
  }
}

extension Effect {
  /// The channel of an effect that takes time; nil for one that does not.
  var channel: Session.Channel? {
    switch self {
    case .checkDatabaseFiles: .files
    case .loadCatalog: .catalog
    case .countTables: .tableCounts
    case .openRows: .opening
    case .loadPage(let id, _), .loadAround(let id, _, _, _): .page(id)
    case .count(let id): .count(id)
    case .locate(let id, _): .location(id)
    case .find(let id, _): .find(id)
    case .loadRecord: .record
    case .checkView(let id, _, _): .check(id)
    case .complete(let id, _, _, _): .completion(id)
    case .saveMemory: .memory
    case .loadDetails: .details
    case .loadReferences, .countReferring: .references
    case .prepareCopy: .copy
    case .copyToClipboard: .clipboard
    case .prepareSQL: .text
    case .prepareRun: .preparation
    case .run, .endTransaction: .script
    case .explain: .plan
    case .completeSQL: .sqlCompletion
    case .loadHistory: .history
    case .loadStatements, .loadText: .statements
    case .saveText: .saving
    case .loadChoices: .choices
    case .checkFiles: .formFiles
    case .watchFiles, .forget, .preempt, .stopBackgroundWork, .stopAllWork, .stopOpening, .stopScript, .stopWaiting, .editExternally, .suspend, .repaint,
      .quit:
      nil
    }
  }
}
