/// The requests that have been issued and not been answered yet: who asked, and what may be superseded.
struct RequestTable: Sendable {
  private struct Entry: Sendable {
    var owner: ScreenID
    var slot: RequestSlot?
    var isAction: Bool
    var isCancelledWhenSuperseded: Bool
    var receiver: any AnswerReceiver
  }

  private var entries: [RequestID: Entry] = [:]
  private var holders: [RequestSlot: RequestID] = [:]
  private var last = 0

  /// Takes a request on and returns the effects that start it and end the one that it supersedes.
  mutating func issue(_ request: some Request, owner: ScreenID, receiver: any AnswerReceiver) -> [Effect] {
    last += 1
    let id = RequestID(number: last)
    let isAction = request is any Action
    var effects: [Effect] = []
    if let slot = request.slot, !isAction {
      effects = supersede(slot)
      holders[slot] = id
    }
    entries[id] = Entry(
      owner: owner, slot: request.slot, isAction: isAction, isCancelledWhenSuperseded: request.isCancelledWhenSuperseded,
      receiver: receiver)
    return effects + [.request(IssuedRequest(id: id, request: request))]
  }

  /// Forgets the request that holds a slot; its answer will be dropped.
  mutating func supersede(_ slot: RequestSlot) -> [Effect] {
    guard let id = holders.removeValue(forKey: slot), let entry = entries.removeValue(forKey: id) else { return [] }
    return entry.isCancelledWhenSuperseded ? [.cancel(id)] : []
  }

  /// Returns who is told a report or the answer; nil where nobody waits for it any more.
  func receiver(of id: RequestID) -> (owner: ScreenID, receiver: any AnswerReceiver)? {
    entries[id].map { ($0.owner, $0.receiver) }
  }

  /// Takes a request that has been answered off the table.
  mutating func finish(_ id: RequestID) {
    guard let entry = entries.removeValue(forKey: id), let slot = entry.slot, holders[slot] == id else { return }
    holders[slot] = nil
  }

  /// Whether a request is an action, whose answer is waited for also when it was stopped.
  func isAction(_ id: RequestID) -> Bool { entries[id]?.isAction ?? false }
}
