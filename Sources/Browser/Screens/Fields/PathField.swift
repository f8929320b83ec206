import Essentials
import QuarryEngine
import Terminal

/// A text field for the path of a file, with completion of its last name.
package struct PathField: Hashable, Sendable {
  private(set) var field: TextField
  /// The possible continuations of the path, until it is changed.
  private(set) var candidates: [String] = []

  init(_ text: String = "") {
    field = TextField(text)
  }

  package var text: String { field.text }

  /// Handles a key that edits or moves; returns false for other keys.
  mutating func handle(_ key: Key) -> Bool {
    candidates = []
    return field.handle(key)
  }

  /// Inserts a text at the caret; returns the number of characters that did not fit.
  mutating func insert(_ text: String) -> Int {
    candidates = []
    return field.insert(text)
  }

  /// Replaces the text before the caret with a completion.
  mutating func insert(_ completion: Completion) {
    candidates = []
    var bytes = Array(field.text.utf8)
    let range = completion.range.clamped(to: 0..<bytes.count)
    bytes.replaceSubrange(range, with: completion.replacement.utf8)
    field = TextField(String(decoding: bytes, as: UTF8.self))
    field.moveCaret(toUTF8Offset: range.lowerBound + completion.replacement.utf8.count)
  }

  mutating func forgetCandidates() { candidates = [] }

  /// Inserts a completion, unless the path has changed since; returns whether there was nothing to complete.
  fileprivate mutating func receive(_ completion: CompletePath.Completion, of text: String) -> Bool {
    guard field.text == text else { return false }
    field = TextField(completion.text)
    candidates = completion.candidates
    return completion.candidates.isEmpty && completion.text == text
  }
}

/// A screen with a path field.
protocol PathWriting: Screen {
  var path: PathField { get set }
}

extension PathWriting {
  /// Completes the last name of the path.
  func completePath(_ context: inout ScreenContext<Self>) {
    let text = path.text
    context.ask(CompletePath(text: text)) { screen, context, result in
      guard case .success(let completion) = result else { return }
      if screen.path.receive(completion, of: text) { context.notify("no path begins with this text") }
    }
  }
}

/// A request that completes the last name of a path as far as it is unique.
struct CompletePath: Request {
  let text: String

  var slot: RequestSlot? { RequestSlot("complete path") }

  struct Completion: Hashable, Sendable {
    var text: String
    /// The possible continuations, if there are several.
    var candidates: [String] = []
  }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Completion {
    let end = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
    let (folder, beginning) = (String(text[..<end]), String(text[end...]))
    let place = Storage.url(of: folder.isEmpty ? "./" : folder).path
    let all = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    let names = all.filter { $0.hasPrefix(beginning) && (!$0.hasPrefix(".") || beginning.hasPrefix(".")) }.sorted()
    guard let first = names.first else { return Completion(text: text) }
    if names.count == 1 {
      let isFolder = try FileManager.default.attributesOfItem(atPath: "\(place)/\(first)")[.type] as? FileAttributeType == .typeDirectory
      return Completion(text: folder + first + (isFolder ? "/" : ""))
    }
    let common = names.dropFirst().reduce(first) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
    return Completion(text: folder + common, candidates: names)
  }
}
