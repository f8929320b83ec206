/// The intents that open the export.
enum ExportIntent: OpeningIntent {
  /// Asks for a path and a format for all rows, or for the selected ones.
  case open(all: ExportedRows, selected: ExportedRows?)

  /// Restores a form, with the reason why nothing was written.
  case again(ExportForm, problem: String?)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    switch self {
    case .open(let all, let selected): ExportScreen(all: all, selected: selected)
    case .again(let form, let problem): ExportScreen(form, problem: problem)
    }
  }
}
