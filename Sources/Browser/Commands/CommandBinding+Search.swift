/// A screen of lines in which a text can be looked for.
protocol SearchableScreen: Screen {
  /// What was looked for last; nil for nothing.
  var needle: String? { get }

  /// Looks for a text; an empty one looks again for the last. Returns false where it is in no line.
  mutating func find(_ text: String) -> Bool
  /// Goes to the next hit, or the one before. Returns false where there is none.
  mutating func findNext(backwards: Bool) -> Bool
}

extension CommandBinding where Target: SearchableScreen {
  /// Returns the commands that look for a text in the lines of a screen.
  static func searches(_ help: String, in context: KeyContext) -> [CommandBinding] {
    let needsNeedle: Obstacle = { screen, environment in environment.needsNeedle(screen.needle) }
    return [
      CommandBinding(.find, help, keys: [context: ["/", "f3"]], hint: "find") { _, context, _ in
        context.prompt("find", placeholder: "a part of a line") { screen, context, text in
          let isFound = screen.find(text)
          context.notifyNotFound(screen.needle, isFound: isFound)
        }
      },
      CommandBinding(.findNext, "Go to the next hit", keys: [context: ["n"]], unless: needsNeedle) { screen, context, _ in
        context.notifyNotFound(screen.needle, isFound: screen.findNext(backwards: false))
      },
      CommandBinding(.findPrevious, "Go to the previous hit", keys: [context: ["N", "shift-f3"]], unless: needsNeedle) {
        screen, context, _ in
        context.notifyNotFound(screen.needle, isFound: screen.findNext(backwards: true))
      },
    ]
  }
}
