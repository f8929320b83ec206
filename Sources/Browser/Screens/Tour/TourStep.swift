/// A step of the tour.
package struct TourStep: Sendable {
  package let title: String
  /// Two or three lines, in which `{find}` is a placeholder for the key of a command.
  package let text: String
  /// The keys to press, with the same placeholders.
  package let task: String
  /// The commands to perform, in order, with the alternatives for each.
  package let commands: [[Command]]
  /// The table of the step; nil for any.
  var table: String?
}

extension TourStep {
  /// The tables of the demo that the tour uses.
  static let tables: Set<String> = ["events", "people", "reminders"]

  package static let all: [TourStep] = reading + relating + writing
  /// The number of steps, for an announcement of the tour.
  static var count: String { "\(all.count) steps" }

  private static let reading: [TourStep] = [
    TourStep(
      title: "Jump to a table",
      text: "The list on the left shows the tables and views. {jump-to-table} finds one from anywhere by a few letters of its name.",
      task: "{jump-to-table}, type ev, Enter", commands: [[.jumpToTable], [.accept]]),
    TourStep(
      title: "Move in 100,000 rows",
      text:
        "Quarry reads only the rows on the screen, so the last row is as near as the next. Arrows and hjkl move. Type a number before "
        + "{move-to-bottom} to go to that row, or before {move-to-percent} to go to that percentage of the rows.",
      task: "{move-to-bottom}, then 50000{move-to-bottom}, then {move-to-top}", commands: [[.moveToBottom, .moveToPercent], [.moveToTop]],
      table: "events"),
    TourStep(
      title: "Filter",
      text:
        "Type conditions in the bar under the rows. Quarry checks them as you type: it underlines a mistake and suggests a fix. Tab "
        + "completes columns and values. {drop-filter} removes the filter.",
      task: "{filter}, type seconds > 900 and kind ~ snoozed, Enter", commands: [[.filter, .filterColumn], [.accept]], table: "events"),
    TourStep(
      title: "Sort by two columns",
      text: "{sort-column} sorts by the column under the cursor; press it again to reverse the order. {sort-further} adds a second column, "
        + "for rows that are equal in the first. {natural-order} removes the sort order.",
      task:
        "{go-to-column}, type kind, Enter; {sort-column} {sort-column}; {go-to-column}, type sec, Enter; then {sort-further}",
      commands: [[.sortColumn], [.sortFurther]], table: "events"),
    TourStep(
      title: "Count values, and filter by them",
      text:
        "{count-values} counts the values of a column; Enter there filters by one. {facets} opens a panel with the most frequent values of "
        + "all columns. Each value that you choose there becomes part of the filter, and all counts follow.",
      task: "{go-to-column}, type kind, Enter; {count-values}, Enter; then {facets}, Enter on a value, and {facets} again",
      commands: [[.includeValue], [.facets], [.toggleValue], [.facets]], table: "events"),
  ]

  private static let relating: [TourStep] = [
    TourStep(
      title: "Follow a foreign key, and come back",
      text:
        "An arrow in the header marks a column that references another table. {go-to-column} goes to a column by name, "
        + "{follow-foreign-key} to the referenced row, and {go-back} back. {referring-rows} lists the rows that reference this one.",
      task: "{go-to-column}, type pers, Enter; {follow-foreign-key}; {go-back}", commands: [[.followForeignKey], [.goBack]], table: "events"
    ),
    TourStep(
      title: "See a whole row, and copy rows",
      text:
        "A record shows every value in full: formatted JSON, readable dates, hexadecimal bytes. {copy} copies a value, {copy-row} a row. "
        + "{copy-as} copies the selected rows as CSV, TSV, JSON, Markdown, HTML or INSERT.",
      task: "{open-record}, then Esc; {select-rows}, move down, {copy-as}, Enter",
      commands: [[.openRecord], [.backOut, .close], [.copyAs], [.accept, .backOut]], table: "reminders"),
  ]

  private static let writing: [TourStep] = [
    TourStep(
      title: "Change a value, and undo it",
      text:
        "Type to replace the old value, or press an arrow to edit it. Changes are staged: nothing is written until you press {changes} and "
        + "commit. {new-row} adds a row, {delete-rows} deletes one, {undo-change} undoes the last staged change. In your own files, "
        + "{commits} lists your commits and undoes them.",
      task: "{go-to-column}, type title, Enter; {edit-cell}, write another title, Enter; then {undo-change}",
      commands: [[.editCell], [.accept], [.undoChange]], table: "reminders"),
    TourStep(
      title: "Write SQL with parameters",
      text:
        "{edit-sql} opens the editor. Tab completes names, F5 runs the statement. Before it runs, a form asks for the values of its "
        + "parameters, such as :least; Alt-Down there suggests some. Alt-s saves a statement, F9 lists the saved ones.",
      task: "{edit-sql}, type select * from reminders where priority >= :least, then F5, 2, Enter",
      commands: [[.runStatement, .runAll, .parameters], [.accept]]),
    TourStep(
      title: "Find your way",
      text: "{help} lists the keys that work here. {palette} finds every command, also by other words: try export, or color, which finds "
        + "the themes. You can also click the keys on the last line.",
      task: "Esc to the rows, then {help} or {palette}", commands: [[.help, .palette, .chooseTheme]]),
  ]
}
