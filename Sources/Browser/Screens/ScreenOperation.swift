import Terminal

/// An operation on a screen of any type, with its context.
protocol ScreenOperation {
  func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>)
}

/// The operations that the browser runs on screens.
enum ScreenOperations {
  struct Start: ScreenOperation {
    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.start(&context) }
  }

  struct End: ScreenOperation {
    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.willClose(&context) }
  }

  struct Follow: ScreenOperation {
    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.follow(&context) }
  }

  struct Note: ScreenOperation {
    let command: Command

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.note(command, &context) }
  }

  struct BackOut: ScreenOperation {
    /// Called with whether the screen had anything to undo.
    let report: (Bool) -> Void

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { report(screen.backOut(&context)) }
  }

  struct PrepareToClose: ScreenOperation {
    let command: Command
    /// Called with whether the screen can be closed.
    let report: (Bool) -> Void

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) {
      report(screen.prepareToClose(by: command, &context))
    }
  }

  struct Remember: ScreenOperation {
    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.remember(&context) }
  }

  struct PrepareToEnd: ScreenOperation {
    /// Called with whether the program can end.
    let report: (Bool) -> Void

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { report(screen.prepareToEnd(&context)) }
  }

  struct LayOut: ScreenOperation {
    let area: Rect

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.layOut(in: area, &context) }
  }

  struct Perform: ScreenOperation {
    let command: Command
    let count: Int?

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) {
      S.binding(of: command)?.perform(&screen, &context, count)
    }
  }

  struct Press: ScreenOperation {
    let key: Key

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) {
      if !screen.press(key, &context) { context.notify(context.environment.sentence(onUnbound: [key])) }
    }
  }

  struct Insert: ScreenOperation {
    let text: String
    let isTyped: Bool

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.insert(text, isTyped: isTyped, &context) }
  }

  /// An operation that delivers an event of a mouse button.
  struct Pointer: ScreenOperation {
    let action: Mouse.Action
    let point: Point
    let area: Rect

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) {
      switch action {
      case .press(.left): screen.click(at: point, area: area, &context)
      case .press(.right): screen.clickRight(at: point, area: area, &context)
      case .release: screen.release(at: point, area: area, &context)
      case .drag: screen.drag(to: point, area: area, &context)
      default: break
      }
    }
  }

  struct Scroll: ScreenOperation {
    let rows: Int

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.scroll(by: rows, &context) }
  }

  /// An operation that delivers a report or an answer; it does nothing if another screen issued the request.
  struct Receive: ScreenOperation {
    enum News {
      case report(any Sendable)
      case answer(Result<any Sendable, Problem>)
    }

    let receiver: any AnswerReceiver
    let news: News

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) {
      guard let receiver = receiver as? Receiver<S> else { return }
      switch news {
      case .report(let value): receiver.report(&screen, &context, value)
      case .answer(let result): receiver.answer(&screen, &context, result)
      }
    }
  }

  /// An operation that delivers an intent; it does nothing if the screen does not receive it.
  struct ReceiveIntent: ScreenOperation {
    let intent: any ScreenIntent

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) {
      if let intent = intent as? S.Intent { screen.receive(intent, &context) }
    }
  }

  /// Changes a screen of type `Target`; does nothing for other screens.
  struct Change<Target: Screen>: ScreenOperation, Sendable {
    let body: @Sendable (inout Target, inout ScreenContext<Target>) -> Void

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) {
      guard let operation = self as? Change<S> else { return }
      operation.body(&screen, &context)
    }
  }
}
