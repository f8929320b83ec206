extension CommandBinding {
  /// What a motion does: a number of steps, negative ones upwards.
  typealias Motion = @Sendable (inout Target, inout ScreenContext<Target>, Int) -> Void
  typealias Extent = @Sendable (Target) -> Int

  /// Returns the commands that move by a line and to the ends, for a screen that is a list of lines.
  static func lineMotions(
    in context: KeyContext, hints: (down: String?, up: String?) = (nil, nil), count: @escaping Extent, by move: @escaping Motion
  ) -> [CommandBinding] {
    [
      CommandBinding(.moveDown, "Move down", keys: [context: ["j", "down"]], hint: hints.down) { move(&$0, &$1, $2 ?? 1) },
      CommandBinding(.moveUp, "Move up", keys: [context: ["k", "up"]], hint: hints.up) { move(&$0, &$1, -($2 ?? 1)) },
      CommandBinding(.moveToTop, "Go to the top", keys: [context: ["g g", "ctrl-home", "home"]]) { screen, context, _ in
        move(&screen, &context, -count(screen))
      },
      CommandBinding(.moveToBottom, "Go to the bottom", keys: [context: ["G", "ctrl-end", "end"]]) { screen, context, _ in
        move(&screen, &context, count(screen))
      },
    ]
  }

  /// Returns the commands that move by a page and by half of one.
  static func pageMotions(hint: String? = nil, height: @escaping Extent, by move: @escaping Motion) -> [CommandBinding] {
    [
      CommandBinding(.halfPageDown, "Move down by half a page", keys: [.everywhere: ["ctrl-d"]]) { screen, context, _ in
        move(&screen, &context, max(1, height(screen) / 2))
      },
      CommandBinding(.halfPageUp, "Move up by half a page", keys: [.everywhere: ["ctrl-u"]]) { screen, context, _ in
        move(&screen, &context, -max(1, height(screen) / 2))
      },
      CommandBinding(.pageDown, "Move down by a page", keys: [.everywhere: ["ctrl-f", "pagedown"]], hint: hint) { screen, context, _ in
        move(&screen, &context, height(screen))
      },
      CommandBinding(.pageUp, "Move up by a page", keys: [.everywhere: ["ctrl-b", "pageup"]]) { screen, context, _ in
        move(&screen, &context, -height(screen))
      },
    ]
  }
}
