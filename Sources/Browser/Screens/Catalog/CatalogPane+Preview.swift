import QuarryEngine
import Terminal

/// Showing the table under the cursor while the focus stays in the list.
extension CatalogPane {
  /// Moves the cursor, and shows the table on which it comes to rest.
  mutating func move(by count: Int, _ context: inout ScreenContext<Self>) {
    move(by: count)
    preview(&context)
  }

  /// Shows the table under the cursor once the cursor has rested there for a moment.
  func preview(_ context: inout ScreenContext<Self>) {
    let isVisible = context.environment.size.columns >= ScreenLayout.narrow
    guard isVisible, case .entry(let entry)? = current?.content, entry.isCounted else { return context.supersede(AwaitRest.slot) }
    let table = entry.reference
    context.ask(AwaitRest()) { pane, context, result in
      guard case .success = result, context.environment.hasFocus, pane.currentTable == table else { return }
      context.send(RowsIntent.preview(table))
    }
  }
}

/// Lets the time pass after which a cursor that has not moved on is taken to rest.
package struct AwaitRest: Request {
  private static let rest = Duration.milliseconds(150)

  static let slot = RequestSlot("rest of the cursor")
  var slot: RequestSlot? { Self.slot }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws { try await Task.pause(for: Self.rest) }
}
