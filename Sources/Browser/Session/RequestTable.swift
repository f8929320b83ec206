internal import QuarryEngine
package import QuarryRows

/// The running requests: their receivers, their slots, and the activities that the person waits for.
struct RequestTable: Sendable {
  private struct Entry: Sendable {
    var request: any Request
    var owner: ScreenID
    var receiver: any AnswerReceiver
    /// The text of the request in the title; nil for none.
    var badge: String?

    var isAction: Bool { request is any Action }
  }

  private var entries: [RequestID: Entry] = [:]
  private var holders: [RequestSlot: RequestID] = [:]
  private var last = 0
  /// The effects of the current message.
  private var effects: [Effect] = []

  // MARK: Effects

  /// Adds an effect, which runs after the message has been handled.
  mutating func send(_ effect: Effect) { effects.append(effect) }

  /// Returns the effects in the order of the calls, and clears them.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: Requests

  /// Registers a request, which starts after the message has been handled, and cancels the request that it supersedes.
  mutating func issue(_ request: some Request, owner: ScreenID, receiver: any AnswerReceiver) {
    let id = add(request, owner: owner, receiver: receiver)
    effects.append(.request(IssuedRequest(id: id, request: request)))
  }

  /// Registers a request that is not answered by the session.
  ///
  /// - Returns: The number of the request for its answer.
  mutating func add(_ request: some Request, owner: ScreenID, receiver: any AnswerReceiver) -> RequestID {
    last += 1
    let id = RequestID(number: last)
    if let slot = request.slot, !(request is any Action) {
      supersede(slot)
      holders[slot] = id
    }
    let badge = request.activity.flatMap { $0.name.isEmpty ? nil : $0.name + "…" }
    entries[id] = Entry(request: request, owner: owner, receiver: receiver, badge: badge)
    return id
  }

  /// Drops the request in a slot; its answer is ignored.
  mutating func supersede(_ slot: RequestSlot) {
    guard let id = holders.removeValue(forKey: slot), let entry = entries.removeValue(forKey: id) else { return }
    if entry.request.isCancelledWhenSuperseded { effects.append(.cancel(id)) }
  }

  /// Returns the receiver of a report or an answer; nil if the request has been dropped.
  func receiver(of id: RequestID) -> (owner: ScreenID, receiver: any AnswerReceiver)? {
    entries[id].map { ($0.owner, $0.receiver) }
  }

  /// Removes a request that has been answered.
  mutating func finish(_ id: RequestID) {
    guard let entry = entries.removeValue(forKey: id), let slot = entry.request.slot, holders[slot] == id else { return }
    holders[slot] = nil
  }

  /// Returns whether a request is an action, which is answered even after it was stopped.
  func isAction(_ id: RequestID) -> Bool { entries[id]?.isAction ?? false }

  /// Returns the requests of a type that have not been answered, in order.
  func outstanding<R: Request>(_: R.Type) -> [(id: RequestID, request: R)] {
    entries.compactMap { id, entry in (entry.request as? R).map { (id, $0) } }.sorted { $0.id.number < $1.id.number }
  }

  // MARK: Activities

  /// Records the progress of an activity.
  mutating func note(_ report: any Sendable, of id: RequestID) {
    guard let activity = entries[id]?.request.activity, let report = report as? any ActivityReport else { return }
    if let badge = report.badge(of: activity) { entries[id]?.badge = badge }
  }

  /// Returns the title text of the most urgent activity; nil if none is running or has a text.
  func badge(atLeast urgency: Activity.Urgency = .background) -> String? {
    let named = entries.filter { $1.badge != nil && ($1.request.activity.map { $0.urgency >= urgency } ?? false) }
    let first = named.max { left, right in
      let (first, second) = (left.value.request.activity?.urgency ?? .background, right.value.request.activity?.urgency ?? .background)
      return first == second ? left.key.number > right.key.number : first < second
    }
    return first?.value.badge
  }

  /// Returns whether an activity is running that the user may wait for.
  ///
  /// - Parameter byEscape: Whether to consider only activities that Esc stops.
  func isBusy(atLeast urgency: Activity.Urgency, byEscape: Bool = false) -> Bool {
    entries.values.contains { $0.request.activity?.isEnded(atLeast: urgency, byEscape: byEscape) ?? false }
  }

  /// Returns the oldest running activity with at least this urgency; nil for none.
  func activity(atLeast urgency: Activity.Urgency) -> Activity? {
    let urgent = entries.filter { $1.request.activity?.isEnded(atLeast: urgency, byEscape: false) ?? false }
    return urgent.min { $0.key.number < $1.key.number }?.value.request.activity
  }

  /// Cancels the running activities.
  ///
  /// - Parameter byEscape: Whether to cancel only activities that Esc stops.
  /// - Returns: The requests to answer as stopped, because their own answers are ignored; actions answer themselves.
  mutating func stop(atLeast urgency: Activity.Urgency, byEscape: Bool = false) -> [RequestID] {
    let meant = entries.filter { $1.request.activity?.isEnded(atLeast: urgency, byEscape: byEscape) ?? false }
    let stopped = meant.keys.sorted { $0.number < $1.number }
    effects += stopped.map(Effect.cancel)
    return stopped.filter { !isAction($0) }
  }
}

/// Work that the user may wait for: its name in the title, and its urgency compared with other work.
struct Activity: Hashable, Sendable {
  /// The name in the title: `searching`; empty for work that only shows its progress.
  var name: String
  var urgency: Urgency
  /// Whether the activity continues after Esc, because Esc has many uses and a restart is expensive or impossible; `stop` ends it.
  var outlastsEscape = false

  /// The urgency of an activity; the title names the most urgent one.
  enum Urgency: Comparable, Sendable {
    /// Work that nobody requested: a count.
    case background
    /// Rows for the screen.
    case reading
    /// Work requested by a key: a search, a copy.
    case asked
    /// A change of the database.
    case change
  }

  /// Returns whether the activity has at least this urgency, and the key stops it.
  func isEnded(atLeast urgency: Urgency, byEscape: Bool) -> Bool {
    self.urgency >= urgency && !(byEscape && outlastsEscape)
  }
}

/// A report of an activity's progress.
protocol ActivityReport: Sendable {
  /// Returns the current text in the title; nil to keep the former one.
  func badge(of activity: Activity) -> String?
}

extension RowProgress: ActivityReport {
  func badge(of activity: Activity) -> String? {
    activity.urgency < .asked ? words : "\(activity.name): \(words)"
  }

  /// The percentage read and the remaining time, or the number of rows read if the total is unknown: `25 % read, 3 s left`.
  package var words: String {
    guard let total, total > 0 else { return "\(Plural.of(rows, "row")) read" }
    let part = "\(min(100, 100 * rows / total)) % read"
    guard let left = timeLeft?.components.seconds, left > 0 else { return part }
    return part + (left < 100 ? ", \(left) s left" : ", \((left + 30) / 60) min left")
  }
}
