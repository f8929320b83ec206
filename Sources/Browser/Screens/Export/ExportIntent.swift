/// What other screens want of the export.
enum ExportIntent: OpeningIntent {
  /// Asks where all rows are to be written, or only the selected ones.
  case open(all: ExportedRows, selected: ExportedRows?)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    switch self {
    case .open(let all, let selected): ExportScreen(all: all, selected: selected)
    }
  }
}
