/// The intents that the browser itself receives.
enum BrowserIntent: ScreenIntent {
  // Screens and panes.
  /// Removes a screen from the stack.
  case close(ScreenID)
  /// Removes what covers the panes, and gives them the keys.
  case closeAll
  /// Gives the keys of a panel to the rows beside it; closes a screen that covers them.
  case leave(ScreenID)
  /// Gives the focus to a pane, once nothing covers it.
  case focus(ScreenID)
  /// Goes to a pane, or to the panel beside the rows.
  case goTo(ScreenID)
  /// Moves the focus by some panes.
  case focusPane(after: Int)

  // Commands.
  case perform(Command)
  /// Performs a command that was chosen from the palette.
  case choose(Command)
  case setTheme(String)
  /// Stops the most urgent work.
  case stop(byEscape: Bool)
  /// Stops whatever is changing the database.
  case stopChanges

  // News.
  /// Rereads what the screens show after a write to the database.
  case noteWriting
  /// Shows a notice in place of any that other screens have shown meanwhile.
  case notify(Notice)

  // The end.
  /// Ends the program, unless a screen has something to finish.
  case quit
  /// Opens something else in place of what is open.
  case leaveFor(Successor)
}

extension Browser {
  mutating func receive(_ intent: BrowserIntent) {
    switch intent {
    case .close(let screen): close(screen)
    case .closeAll: closeAll()
    case .leave(let screen): leave(screen)
    case .focus(let pane): focus = pane
    case .goTo(let pane): focusPane(pane)
    case .focusPane(let step): focusPane(after: step)
    case .perform(let command): perform(command)
    case .choose(let command):
      workspace.memory.noteChosen(command)
      perform(command)
    case .setTheme(let name): setTheme(name)
    case .stop(let byEscape): stop(byEscape: byEscape)
    case .stopChanges: stopChanges()
    case .noteWriting: noteWriting()
    case .notify(let notice): self.notice = notice
    case .quit: quit()
    case .leaveFor(let next): leave(for: next)
    }
  }
}
