/// A command of the whole program, declared once: it works regardless of the focused screen.
package struct BrowserCommand: Sendable {
  let declaration: CommandDeclaration
  let perform: @Sendable (inout Browser) -> Void

  init(
    _ name: Command, _ help: String, brief: String? = nil, aliases: [String] = [], _ keys: [KeyContext: [String]] = [:],
    perform: @escaping @Sendable (inout Browser) -> Void
  ) {
    declaration = CommandDeclaration(name, help, brief: brief, aliases: aliases, keys)
    self.perform = perform
  }
}

extension BrowserCommand {
  /// The commands of the program, in the order of the help.
  static let all: [BrowserCommand] = lists + panes + work + shell + screen

  private static let lists: [BrowserCommand] = [
    BrowserCommand(.help, "Show the keys that work here", [.everywhere: ["?", "f1"], .bar: ["f1"], .form: ["f1"]]) { $0.showHelp() },
    BrowserCommand(.palette, "Choose from all commands", [.everywhere: [":", "f10"]]) { $0.showPalette() },
    BrowserCommand(.chooseTheme, "Choose a theme, with live preview", aliases: ["theme"]) { $0.showThemes() },
  ]

  private static let panes: [BrowserCommand] = [
    BrowserCommand(.toggleCatalog, "Show or hide the catalog", brief: "Catalog", [.everywhere: ["g c"]]) { $0.toggleCatalog() },
    BrowserCommand(.nextPane, "Go to the next pane", [.everywhere: ["tab", "ctrl-w w"]]) { $0.focusPane(after: 1) },
    BrowserCommand(.previousPane, "Go to the previous pane", [.everywhere: ["shift-tab"]]) { $0.focusPane(after: -1) },
    BrowserCommand(.paneLeft, "Go to the pane on the left", [.everywhere: ["ctrl-w h", "ctrl-w left"]]) { $0.focusPane(.catalog) },
    BrowserCommand(.paneDown, "Go to the pane below", [.everywhere: ["ctrl-w j", "ctrl-w down"]]) { $0.focusPane(.rows) },
    BrowserCommand(.paneUp, "Go to the pane above", [.everywhere: ["ctrl-w k", "ctrl-w up"]]) {
      $0.focusPane($0.sql.isShown ? .editor : $0.focus)
    },
    BrowserCommand(.paneRight, "Go to the pane on the right", [.everywhere: ["ctrl-w l", "ctrl-w right"]]) {
      $0.focusPane($0.focus == .catalog && $0.sql.isShown ? .editor : .rows)
    },
    BrowserCommand(
      .editSQL, "Open the SQL editor, or leave it", brief: "SQL editor", aliases: ["sql"], [.everywhere: ["f4", "g q"], .editor: ["f4"]]
    ) {
      $0.toggleEditor()
    },
  ]

  private static let work: [BrowserCommand] = [
    BrowserCommand(.stop, "Stop what is running, or copy the selection", [.everywhere: ["ctrl-c"]]) { $0.stop() }
  ]

  private static let screen: [BrowserCommand] = [
    BrowserCommand(.backOut, "Go back one step; never quits", [.everywhere: ["escape"]]) { $0.backOut() },
    BrowserCommand(.toggleEmptyTimes, "Hide times of 00:00:00 in cells, or show them", aliases: ["times"]) { $0.toggleEmptyTimes() },
    BrowserCommand(.redraw, "Redraw the screen", [.everywhere: ["ctrl-l"]]) { $0.requests.send(.repaint) },
    BrowserCommand(.suspend, "Suspend the program", [.everywhere: ["ctrl-z"]]) { $0.suspend() },
    BrowserCommand(.close, "Close this screen; quits on the last", [.everywhere: ["q"]]) { $0.close() },
    BrowserCommand(.quit, "Quit", aliases: ["q"], [.everywhere: ["ctrl-q", "Z Z"]]) { $0.quit() },
  ]
}
