import Essentials
import QuarryRows

/// An action that saves a text; the answer is false if there already is one that may not be replaced.
struct SaveText: Action {
  let text: String
  let origin: TextOrigin
  let isReplacing: Bool

  var queue: ActionQueue { ActionQueue("saving") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Bool {
    switch origin {
    case .statement(let name):
      guard let library = services.storage.statements else {
        throw Problem("there is no folder for statements: set HOME or XDG_DATA_HOME")
      }
      do throws(StatementLibraryError) {
        try library.save(text, as: name, replacing: isReplacing)
      } catch .nameIsTaken {
        return false
      }
      return true
    case .file(let path):
      return try PrivateFile.save(Array(text.utf8), to: Storage.url(of: path).path, replacing: isReplacing)
    }
  }
}

/// A request that reads a file for the editor.
struct LoadText: Request {
  let path: String

  var slot: RequestSlot? { RequestSlot("text") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> String {
    guard let text = String(validating: try Storage.contents(of: path), as: UTF8.self) else { throw Problem("\(path) is not UTF-8") }
    return text
  }
}

/// A request that reads the saved statements.
struct LoadStatements: Request {
  var slot: RequestSlot? { RequestSlot("statements") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [SavedStatement] {
    try services.storage.statements?.all() ?? []
  }
}

/// A request that reads the history of runs, newest first.
struct LoadHistory: Request {
  var slot: RequestSlot? { RequestSlot("history") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [HistoryEntry] {
    services.storage.history?.load() ?? []
  }
}

extension SQLPane {
  /// Saves the text in the editor under a name: as a statement, or to a file.
  func save(as name: String, _ context: inout ScreenContext<Self>) {
    guard !name.isBlank else { return }
    let origin: TextOrigin = name.contains("/") || name.hasSuffix(".sql") ? .file(path: name) : .statement(name)
    save(buffer.text, at: origin, isReplacing: origin == buffer.origin, &context)
  }

  private func save(_ text: String, at origin: TextOrigin, isReplacing: Bool, _ context: inout ScreenContext<Self>) {
    context.ask(SaveText(text: text, origin: origin, isReplacing: isReplacing)) { pane, context, result in
      switch result {
      case .failure(let problem): context.notify("\(origin.title) was not saved: \(problem.text)", .error)
      case .success(true):
        pane.noteSaved(text, at: origin)
        pane.noteTexts()
        context.notify("saved as \(origin.title)", .success)
      case .success(false):
        let replace = context.handler { pane, context in pane.save(text, at: origin, isReplacing: true, &context) }
        let items = [
          PickerItem(label: "No, keep it"), PickerItem(label: "Yes, replace it", perform: replace),
        ]
        context.present(Picker(title: "\(origin.title) already exists", placeholder: "replace it?", items: items))
      }
    }
  }

  /// Opens a file in the editor.
  func load(_ path: String, _ context: inout ScreenContext<Self>) {
    guard !path.isBlank else { return }
    context.ask(LoadText(path: path)) { pane, context, result in
      switch result {
      case .failure(let problem): context.notify(problem.text, .error)
      case .success(let text): pane.edit(text, at: .file(path: path), &context)
      }
    }
  }
}

/// The place where a text of the editor is stored.
enum TextOrigin: Hashable, Sendable {
  /// A saved statement, by its name.
  case statement(String)
  case file(path: String)

  /// The name on the screen.
  var title: String {
    switch self {
    case .statement(let name): name
    case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
    }
  }

  /// The path, or the name of the statement, as the person types it.
  var path: String {
    switch self {
    case .statement(let name): name
    case .file(let path): path
    }
  }
}
