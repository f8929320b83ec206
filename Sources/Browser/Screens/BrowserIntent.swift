/// The intents that the browser itself receives.
enum BrowserIntent: ScreenIntent {
  // Screens and panes.
  /// Removes a screen from the stack.
  case close(ScreenID)
  /// Removes all screens that cover the panes, and moves the focus to the panes.
  case closeAll
  /// Moves the focus from a panel to the rows beside it; closes a screen that covers the rows.
  case leave(ScreenID)
  /// Moves the focus to a pane; it takes effect when no screen covers the pane.
  case focus(ScreenID)
  /// Moves the focus to a pane, or to the panel beside the rows.
  case goTo(ScreenID)
  /// Moves the focus by a number of panes.
  case focusPane(after: Int)

  // Commands.
  case perform(Command)
  /// Performs a command that was chosen from the palette.
  case choose(Command)
  case setTheme(String)
  /// Shows the effect of settings.
  case apply(LiveSettings)
  /// Notes the settings after they have been written.
  case note(Settings)
  /// Stops the most urgent work.
  case stop(byEscape: Bool)
  /// Stops all changes of the database.
  case stopChanges

  // News.
  /// Rereads the visible data after a write to the database.
  case noteWriting
  /// Shows a notice in place of the notices that other screens have shown in the meantime.
  case notify(Notice)
  /// Shows a notice that answers no command, as soon as the last line shows no answer.
  case announce(Notice)

  // The end.
  /// Quits the program, unless a screen has unfinished work.
  case quit
  /// Opens another database in place of the current one.
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
    case .apply(let settings): live = settings
    case .note(let settings): options.settings = settings
    case .stop(let byEscape): stop(byEscape: byEscape)
    case .stopChanges: stopChanges()
    case .noteWriting: noteWriting()
    case .notify(let notice): self.notice = notice
    case .announce(let notice): lastLine.announce(notice)
    case .quit: quit()
    case .leaveFor(let next): leave(for: next)
    }
  }
}
