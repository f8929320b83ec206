internal import QuarryEngine
package import QuarryRows

/// The requests under way: who receives each answer, what may be superseded, and what the person waits for.
struct RequestTable: Sendable {
  private struct Entry: Sendable {
    var request: any Request
    var owner: ScreenID
    var receiver: any AnswerReceiver
    /// What the title shows of it; nil for nothing.
    var badge: String?

    var isAction: Bool { request is any Action }
  }

  private var entries: [RequestID: Entry] = [:]
  private var holders: [RequestSlot: RequestID] = [:]
  private var last = 0
  /// The effects of the message that is being handled.
  private var effects: [Effect] = []

  // MARK: Effects

  /// Adds an effect, which runs when the message has been handled.
  mutating func send(_ effect: Effect) { effects.append(effect) }

  /// Returns the effects in the order in which they were sent, and clears them.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: Requests

  /// Registers a request, which starts when the message has been handled, and cancels the one that it supersedes.
  mutating func issue(_ request: some Request, owner: ScreenID, receiver: any AnswerReceiver) {
    let id = add(request, owner: owner, receiver: receiver)
    effects.append(.request(IssuedRequest(id: id, request: request)))
  }

  /// Registers a request that something else than the session answers.
  ///
  /// - Returns: The number by which it is answered.
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

  /// Forgets the request in a slot, whose answer will be dropped.
  mutating func supersede(_ slot: RequestSlot) {
    guard let id = holders.removeValue(forKey: slot), let entry = entries.removeValue(forKey: id) else { return }
    if entry.request.isCancelledWhenSuperseded { effects.append(.cancel(id)) }
  }

  /// Returns who receives a report or the answer; nil where nobody waits for it any more.
  func receiver(of id: RequestID) -> (owner: ScreenID, receiver: any AnswerReceiver)? {
    entries[id].map { ($0.owner, $0.receiver) }
  }

  /// Removes a request that has been answered.
  mutating func finish(_ id: RequestID) {
    guard let entry = entries.removeValue(forKey: id), let slot = entry.request.slot, holders[slot] == id else { return }
    holders[slot] = nil
  }

  /// Returns whether a request is an action, whose answer is awaited even after it was stopped.
  func isAction(_ id: RequestID) -> Bool { entries[id]?.isAction ?? false }

  /// Returns the requests of a type that have not been answered, in order.
  func outstanding<R: Request>(_: R.Type) -> [(id: RequestID, request: R)] {
    entries.compactMap { id, entry in (entry.request as? R).map { (id, $0) } }.sorted { $0.id.number < $1.id.number }
  }

  // MARK: Activities

  /// Notes the progress of an activity.
  mutating func note(_ report: any Sendable, of id: RequestID) {
    guard let activity = entries[id]?.request.activity, let report = report as? any ActivityReport else { return }
    if let badge = report.badge(of: activity) { entries[id]?.badge = badge }
  }

  /// Returns what the title shows of the most urgent activity; nil where there is none, or none worth naming.
  func badge(atLeast urgency: Activity.Urgency = .background) -> String? {
    let named = entries.filter { $1.badge != nil && ($1.request.activity.map { $0.urgency >= urgency } ?? false) }
    let first = named.max { left, right in
      let (first, second) = (left.value.request.activity?.urgency ?? .background, right.value.request.activity?.urgency ?? .background)
      return first == second ? left.key.number > right.key.number : first < second
    }
    return first?.value.badge
  }

  /// Returns whether something is under way that a person may wait for.
  ///
  /// - Parameter byEscape: Whether only what Esc ends is meant.
  func isBusy(atLeast urgency: Activity.Urgency, byEscape: Bool = false) -> Bool {
    entries.values.contains { $0.request.activity?.isEnded(atLeast: urgency, byEscape: byEscape) ?? false }
  }

  /// Returns the activity under way that was begun first; nil for none of such urgency.
  func activity(atLeast urgency: Activity.Urgency) -> Activity? {
    let urgent = entries.filter { $1.request.activity?.isEnded(atLeast: urgency, byEscape: false) ?? false }
    return urgent.min { $0.key.number < $1.key.number }?.value.request.activity
  }

  /// Cancels the activities under way.
  ///
  /// - Parameter byEscape: Whether only what Esc ends is meant.
  /// - Returns: The requests to be answered as stopped, since their own answers will be dropped; actions answer themselves.
  mutating func stop(atLeast urgency: Activity.Urgency, byEscape: Bool = false) -> [RequestID] {
    let meant = entries.filter { $1.request.activity?.isEnded(atLeast: urgency, byEscape: byEscape) ?? false }
    let stopped = meant.keys.sorted { $0.number < $1.number }
    effects += stopped.map(Effect.cancel)
    return stopped.filter { !isAction($0) }
  }
}

/// Work that a person may wait for: its name in the title, and its urgency where several are under way.
struct Activity: Hashable, Sendable {
  /// The name in the title: `searching`; empty for work that only shows its progress.
  var name: String
  var urgency: Urgency
  /// Whether Esc, which is pressed for many reasons, leaves it running, since beginning again costs much or cannot be; `stop` ends it.
  var outlastsEscape = false

  /// The most urgent is the one that the title names.
  enum Urgency: Comparable, Sendable {
    /// Nobody asked for it: a count.
    case background
    /// Rows for the screen.
    case reading
    /// Asked for by a key: a search, a copy.
    case asked
    /// A change of the database.
    case change
  }

  /// Returns whether it is so urgent, and of what a key ends.
  func isEnded(atLeast urgency: Urgency, byEscape: Bool) -> Bool {
    self.urgency >= urgency && !(byEscape && outlastsEscape)
  }
}

/// A report of an activity's progress.
protocol ActivityReport: Sendable {
  /// Returns what the title shows now; nil to leave it as it is.
  func badge(of activity: Activity) -> String?
}

extension RowProgress: ActivityReport {
  func badge(of activity: Activity) -> String? {
    activity.urgency < .asked ? words : "\(activity.name): \(words)"
  }

  /// The part that has been read and the time left; the number of rows read where the total is unknown: `25 % read, 3 s left`.
  package var words: String {
    guard let total, total > 0 else { return "\(Plural.of(rows, "row")) read" }
    let part = "\(min(100, 100 * rows / total)) % read"
    guard let left = timeLeft?.components.seconds, left > 0 else { return part }
    return part + (left < 100 ? ", \(left) s left" : ", \((left + 30) / 60) min left")
  }
}
