import Synchronization
package import Terminal

/// The messages for the main loop; each of them wakes it.
package final class MessageQueue: Sendable {
  private let waker: any Waker
  private let state = Mutex(State())

  private struct State {
    var messages: [Message] = []
    /// The continuations that wait for the queued messages, and the continuations that wait for the taken messages.
    var waiting: [CheckedContinuation<Void, Never>] = []
    var waitingForTaken: [CheckedContinuation<Void, Never>] = []
  }

  package init(waker: any Waker) {
    self.waker = waker
  }

  func post(_ message: Message) {
    state.withLock { $0.messages.append(message) }
    waker.wake()
  }

  /// Wakes the main loop, so that it checks for completed work.
  func wake() { waker.wake() }

  var isEmpty: Bool { state.withLock(\.messages.isEmpty) }

  func takeAll() -> [Message] {
    state.withLock { state in
      defer { (state.messages, state.waiting) = ([], []) }
      state.waitingForTaken += state.waiting
      return state.messages
    }
  }

  /// Records that the taken messages have been handled and their effects started.
  func noteHandled() {
    let waiting = state.withLock { state in
      defer { state.waitingForTaken = [] }
      return state.waitingForTaken
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the messages that are currently in the queue have been handled.
  func areHandled() async {
    await withCheckedContinuation { continuation in
      let areHandled = state.withLock { state in
        if !state.messages.isEmpty { state.waiting.append(continuation) }
        return state.messages.isEmpty
      }
      if areHandled { continuation.resume() }
    }
  }
}
