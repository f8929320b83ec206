public import QuarryEngine
import Synchronization
public import Terminal

/// Runs effects against the engine, away from the screen's thread, and keeps their results until they are asked for.
///
/// Every effect belongs to a channel. The result of one that reads is dropped when its channel has been given something newer to do
/// meanwhile; those that change something are done one after the other, and each is answered.
public final class Session: Sendable {
  let services: Services
  /// The files that have been told to be moved.
  let toldFiles = Mutex<[MovedFile]>([])
  private let waker: any Waker
  /// How often it is looked whether others have written to the files; nil for never.
  let watchInterval: Duration?
  /// The clock by which runs are timed.
  let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())
  let memoryWriter: MemoryWriter

  private struct State {
    var messages: [Message] = []
    /// How many effects have not come to their end, by channel.
    var outstanding: [Channel: Int] = [:]
    var generations: [Channel: Int] = [:]
    /// The view that was compiled last: what is checked in the bar is opened next.
    var compiledView: CompiledRowView?
    /// What runs on a channel whose older work nobody waits for any more.
    var replaceable: [Channel: Task<Void, Never>] = [:]
    /// The requests whose ends are waited for, by their types.
    var awaited: [RequestID: String] = [:]
    /// What runs for requests.
    var requests: [RequestID: Task<Void, Never>] = [:]
    /// The action that each queue was given last.
    var lastActions: [ActionQueue: RequestID] = [:]
    /// What runs or waits for its turn on a channel of actions, by generation.
    var actions: [Channel: [Int: Task<Void, Never>]] = [:]
  }

  /// What an effect is about: of two on one channel only the later's result counts, unless they are actions.
  enum Channel: Hashable, Sendable {
    case files, catalog, tableCounts, opening, references, clipboard, copy, text, memory, preparation, script, plan
    case sqlCompletion
    case page(GridID), count(GridID), location(GridID), find(GridID), check(GridID), completion(GridID)

    /// Whether new work makes what is under way worthless.
    var isReplaceable: Bool {
      switch self {
      case .tableCounts, .references, .opening, .count, .find, .check, .completion, .preparation, .sqlCompletion: true
      default: false
      }
    }

    /// Whether its effects change something: the next one waits for the one before, and no answer is dropped.
    var isOfActions: Bool {
      switch self {
      case .script, .clipboard: true
      default: false
      }
    }
  }

  /// - Parameters:
  ///   - watchInterval: How often it is looked whether others have written to the files; nil for never.
  ///   - saveDelay: How long after a change the memory is written, together with what is changed meanwhile.
  ///   - now: The clock by which runs are timed.
  public init(
    connections: Connections, waker: any Waker, storage: Storage = Storage(), watchInterval: Duration? = .seconds(1),
    saveDelay: Duration = .milliseconds(300),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    services = Services(connections: connections, storage: storage)
    memoryWriter = MemoryWriter(file: storage.memory, delay: saveDelay)
    self.watchInterval = watchInterval
    self.now = now
    self.waker = waker
    connections.lockWaits.onChange { [weak self] names in self?.tellLockWait(of: names) }
  }

  /// Starts an effect and returns at once; those that are the terminal's are let be.
  public func run(_ effect: Effect) {
    switch effect {
    case .request(let issued): return start(issued.request, as: issued.id)
    case .cancel(let id): return state.withLock { $0.requests[id] }?.cancel() ?? ()
    default: break
    }
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

  /// Starts a request; an action has its turn after those that its queue was given before.
  private func start<R: Request>(_ request: R, as id: RequestID) {
    let queue = (request as? any Action)?.queue
    state.withLock { state in
      state.awaited[id] = "\(R.self)"
      let before = queue.flatMap { state.lastActions.updateValue(id, forKey: $0) }.flatMap { state.requests[$0] }
      state.requests[id] = Task {
        await before?.value
        let answer: Result<any Sendable, Problem>
        do {
          answer = .success(try await request.run(in: services) { self.post(.reported(id, $0)) })
        } catch {
          answer = .failure(Problem(describing: error))
        }
        self.state.withLock { state in
          state.requests[id] = nil
          state.messages.append(.answered(id, answer))
          state.awaited[id] = nil
        }
        waker.wake()
      }
    }
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
    state.withLock { $0.outstanding.isEmpty && $0.awaited.isEmpty && $0.messages.isEmpty }
  }

  /// What is under way, by channel: `["count(GridID(number: 1))", "script: 2"]`.
  package var outstandingWork: [String] {
    state.withLock { state in state.outstanding.map { $1 == 1 ? "\($0)" : "\($0): \($1)" }.sorted() + state.awaited.values.sorted() }
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

  var connections: Connections { services.connections }
  var storage: Storage { services.storage }

  func use(_ connections: Connections) { services.use(connections) }

  typealias OpenSet = Services.OpenSet

  func openSet(_ id: GridID) -> OpenSet? { services.openSet(id) }
  func openReader(of set: RowSet) -> RowReader? { services.openReader(of: set) }
  func reader(_ id: GridID) -> RowReader? { services.reader(id) }
  var openSets: [OpenSet] { services.openSets }
  func keep(_ set: OpenSet, as id: GridID) { services.keep(set, as: id) }
  func forget(_ id: GridID) {
    let tasks = state.withLock { state in
      let channels: [Channel] = [.page(id), .count(id), .location(id), .find(id), .check(id), .completion(id)]
      // What still comes on them is dropped, their generation being gone.
      for channel in channels { state.generations[channel] = nil }
      return channels.compactMap { state.replaceable.removeValue(forKey: $0) }
    }
    for task in tasks { task.cancel() }
    services.forget(id)
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

  // MARK: Memory

  /// Ends with the memory in its file, also where the effect that was to write it has not come to that.
  func finish(remembering memory: Memory) {
    let generation = state.withLock { $0.generations[.memory] ?? 0 }
    // Nobody is left to be told that it could not be kept.
    try? memoryWriter.saveAtOnce(memory, number: generation)
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
    case .checkView(let id, _, _): .check(id)
    case .complete(let id, _, _, _): .completion(id)
    case .saveMemory: .memory
    case .loadReferences: .references
    case .prepareCopy: .copy
    case .copyToClipboard: .clipboard
    case .prepareSQL: .text
    case .prepareRun: .preparation
    case .run, .endTransaction: .script
    case .explain: .plan
    case .completeSQL: .sqlCompletion
    case .request, .cancel, .watchFiles, .forget, .preempt, .stopBackgroundWork, .stopAllWork, .stopOpening, .stopScript, .stopWaiting, .editExternally, .suspend, .repaint,
      .quit:
      nil
    }
  }
}
