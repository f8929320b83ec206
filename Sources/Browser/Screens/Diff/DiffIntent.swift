import QuarryEngine

/// The intents that open a comparison.
enum DiffIntent: OpeningIntent {
  /// Asks for the database to compare with, from the beginning of its path.
  case ask(String)
  /// Compares the open database with another one, which is regarded as the older one.
  case compare(path: String)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    switch self {
    case .ask(let path):
      PromptScreen(label: "diff", placeholder: Self.placeholder, text: path, isPath: true, accept: Self.accepted)
    case .compare(let path): DiffScreen(Self.subject(path, environment), isAlone: false)
    }
  }

  private static let placeholder = "the path of a database to compare with: a copy, a backup"

  private static let accepted: Handler<String> = { path in
    guard !path.isBlank else {
      return .send(BrowserIntent.notify(Notice("name a database to compare with, such as a backup: its path", .warning)))
    }
    return .send(DiffIntent.compare(path: path))
  }

  private static func subject(_ path: String, _ environment: ScreenEnvironment) -> DiffSubject {
    let path = Address.isElsewhere(path) ? path : Storage.path(of: path)
    let (old, new) = (Address.title(of: path), environment.options.title)
    return DiffSubject(
      DiffSubject.Place(name: old == new ? PathText.shown(path) : old, path: path), DiffSubject.Place(name: new, path: nil))
  }
}

extension Browser {
  /// Asks for a database to compare the open one with.
  mutating func askForComparison() {
    if !options.first.hasDatabase { return notice = Notice("no database is open yet: choose one first", .warning) }
    send(DiffIntent.ask(""))
  }
}
