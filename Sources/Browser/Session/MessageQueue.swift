import Synchronization
import Terminal

/// Messages on their way to the main loop, which is woken for them.
final class MessageQueue: Sendable {
  private let waker: any Waker
  private let state = Mutex(State())

  private struct State {
    var messages: [Message] = []
    /// Who waits until what is here now has been handled, and who does for what has been taken.
    var waiting: [CheckedContinuation<Void, Never>] = []
    var waitingForTaken: [CheckedContinuation<Void, Never>] = []
  }

  init(waker: any Waker) {
    self.waker = waker
  }

  func post(_ message: Message) {
    state.withLock { $0.messages.append(message) }
    waker.wake()
  }

  /// Has the main loop look whether anything has come to an end.
  func wake() { waker.wake() }

  var isEmpty: Bool { state.withLock(\.messages.isEmpty) }

  func takeAll() -> [Message] {
    state.withLock { state in
      defer { (state.messages, state.waiting) = ([], []) }
      state.waitingForTaken += state.waiting
      return state.messages
    }
  }

  /// Takes note that the messages which were taken have been handled, and what follows from them has begun.
  func noteHandled() {
    let waiting = state.withLock { state in
      defer { state.waitingForTaken = [] }
      return state.waitingForTaken
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the messages that are here now have been handled.
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
