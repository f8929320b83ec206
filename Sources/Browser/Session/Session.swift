import QuarryEngine
package import QuarrySources
import Synchronization
package import Terminal

/// A session that runs requests off the main thread, and queues their reports and answers for the main loop.
package final class Session: Sendable {
  package let services: Services
  private let inbox: MessageQueue
  private let state = Mutex(State())
  private let memoryWriter: MemoryWriter

  private struct State {
    /// The running jobs.
    var jobs: [Int: Job] = [:]
    var lastJob = 0
    /// The job of each running request.
    var requests: [RequestID: Int] = [:]
    /// The last job of each queue.
    var lastActions: [ActionQueue: Int] = [:]
    /// The number of memories saved.
    var memories = 0
    /// Continuations that wait for jobs, each with the numbers of its jobs.
    var waiting: [Int: Waiting] = [:]

    /// Whether no job is running, except for timers.
    var isIdle: Bool { jobs.values.allSatisfy(\.isTimer) }

    /// Returns whether none of the given jobs is running, except for timers.
    func haveEnded(_ numbers: ClosedRange<Int>) -> Bool { jobs.allSatisfy { $1.isTimer || !numbers.contains($0) } }
  }

  private struct Waiting {
    var jobs: ClosedRange<Int>
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct Job {
    var name: String
    var isTimer: Bool
    var task: Task<Void, Never>
  }

  /// Starts a session on a data source.
  ///
  /// - Parameters:
  ///   - saveDelay: The delay after which a change of the memory is written, together with later changes.
  ///   - now: The clock that measures runs.
  package init(
    source: any DataSource, waker: any Waker, storage: Storage = Storage(), saveDelay: Duration = .milliseconds(300),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    inbox = MessageQueue(waker: waker)
    services = Services(source: source, storage: storage, inbox: inbox, now: now)
    memoryWriter = MemoryWriter(file: storage.memory, delay: saveDelay)
  }

  /// The roles of the data source.
  var roles: SourceRoles { SourceRoles(of: services.source) }

  /// The reason why the data source cannot be changed; nil if it can.
  var editRefusal: String? {
    let source = services.source
    guard let edits = source.edits else { return "\(source.name) cannot be edited" }
    return edits.editRefusal
  }

  /// Whether staged changes are saved for the next session.
  var keepsStaged: Bool { services.storage.staged != nil }

  /// Starts an effect and returns immediately; ignores effects of the terminal.
  package func run(_ effect: Effect) {
    switch effect {
    case .request(let issued): start(issued.request, as: issued.id)
    case .cancel(let id): state.withLock { state in state.requests[id].flatMap { state.jobs[$0] }?.task }?.cancel()
    case .call(let issued): issued.call.perform(in: services)
    case .saveMemory(let memory): save(memory)
    case .editExternally, .copyToClipboard, .useMouse, .suspend, .repaint, .quit: break
    }
  }

  private func start<R: Request>(_ request: R, as id: RequestID) {
    begin("\(R.self)", in: (request as? any Action)?.queue, for: id, isTimer: request.isTimer) { [services, inbox] in
      do {
        inbox.post(.answered(id, .success(try await request.run(in: services) { inbox.post(.reported(id, $0)) })))
      } catch {
        inbox.post(.answered(id, .failure(Problem(describing: error))))
      }
    }
  }

  /// Starts a job; in a queue it waits for the previous jobs.
  private func begin(
    _ name: String, in queue: ActionQueue? = nil, for id: RequestID? = nil, isTimer: Bool = false,
    _ body: @escaping @Sendable () async -> Void
  ) {
    state.withLock { state in
      state.lastJob += 1
      let number = state.lastJob
      if let id { state.requests[id] = number }
      let before = queue.flatMap { state.lastActions.updateValue(number, forKey: $0) }.flatMap { state.jobs[$0]?.task }
      let task = Task(executorPreference: TaskThreads.shared) {
        await before?.value
        await body()
        self.end(number, of: id)
      }
      state.jobs[number] = Job(name: name, isTimer: isTimer, task: task)
    }
  }

  private func end(_ job: Int, of id: RequestID?) {
    let waiting = state.withLock { state in
      state.jobs[job] = nil
      if let id { state.requests[id] = nil }
      let waiting = state.waiting.filter { state.haveEnded($1.jobs) }
      for number in waiting.keys { state.waiting[number] = nil }
      return waiting.values.map(\.continuation)
    }
    for continuation in waiting { continuation.resume() }
    inbox.wake()
  }

  /// Copies a text to the desktop's clipboard as well, and reports the destinations.
  func copy(_ text: CopyText, with clipboard: Clipboard, isSentToTerminal: Bool) {
    begin("copying", in: ActionQueue("clipboard")) { [inbox] in
      let tool = await clipboard.copy(text.text)
      let places = [isSentToTerminal ? "the terminal" : nil, tool].compactMap(\.self)
      let nowhere = Problem("no clipboard found: the terminal lacks OSC 52, and none of wl-copy, xclip and pbcopy works")
      inbox.post(.copied(text, places.isEmpty ? .failure(nowhere) : .success("the clipboard (\(places.joined(separator: ", ")))")))
    }
  }

  /// Returns the messages that have arrived, and clears them.
  package func takeMessages() -> [Message] { inbox.takeAll() }

  /// Records that the taken messages have been handled.
  func noteHandled() { inbox.noteHandled() }

  /// Whether no job is running and no message is queued.
  package var isSettled: Bool { state.withLock(\.isIdle) && inbox.isEmpty }

  /// The names of the running jobs: `["CountRows", "LoadPage: 2"]`.
  package var outstandingWork: [String] {
    let names = Dictionary(grouping: state.withLock { $0.jobs.values.map(\.name) }) { $0 }
    return names.map { $1.count == 1 ? $0 : "\($0): \($1.count)" }.sorted()
  }

  /// Stops all running jobs.
  ///
  /// Otherwise an endless statement would keep its thread and its files after the last screen has closed.
  package func cancelAll() {
    for job in state.withLock(\.jobs).values { job.task.cancel() }
  }

  // MARK: Memory

  /// Writes the memory to its file after the delay.
  private func save(_ memory: SessionMemory) {
    let number = state.withLock { state in
      state.memories += 1
      return state.memories
    }
    begin("saving the memory") { [inbox, memoryWriter] in
      do {
        try await memoryWriter.save(memory, number: number)
      } catch {
        let reason = Problem(describing: error).text
        inbox.post(.memoryUnsaved(Problem("filters, sorting and texts cannot be saved for the next start: \(reason)")))
      }
    }
  }

  /// Ends the session: stops all running jobs, and writes the memory to its file immediately, even before the delay has passed.
  package func finish(remembering memory: SessionMemory) {
    cancelAll()
    // No screen is left to report a failure.
    try? memoryWriter.saveAtOnce(memory, number: state.withLock(\.memories))
  }

  // MARK: Watching

  /// Reports external changes of the data, until the session ends.
  func watch() {
    services.watch { [weak self] post in await self?.settles(within: .seconds(1), post) }
  }

  /// Waits until the effects of a message are done: the jobs that begin between the posting and the handling of the message.
  private func settles(within limit: Duration, _ post: @Sendable () -> Void) async {
    let number = state.withLock { state in
      state.lastJob += 1
      return state.lastJob
    }
    post()
    // The effects of the message start only when it is handled.
    await inbox.areHandled()
    let deadline = Task(executorPreference: TaskThreads.shared) { [weak self] in
      try await Task.pause(for: limit)
      self?.state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume()
    }
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        let jobs = number...state.lastJob
        let hasEnded = state.haveEnded(jobs)
        if !hasEnded { state.waiting[number] = Waiting(jobs: jobs, continuation: continuation) }
        return hasEnded
      }
      if hasEnded { continuation.resume() }
    }
    deadline.cancel()
  }
}
