import Terminal

/// Something that a screen of any type can be made to do, in its context.
protocol ScreenOperation {
  func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>)
}

/// The operations by which the browser hands things to a screen.
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

  struct BackOut: ScreenOperation {
    /// Told whether the screen had anything to undo.
    let report: (Bool) -> Void

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { report(screen.backOut(&context)) }
  }

  struct Remember: ScreenOperation {
    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.remember(&context) }
  }

  struct PrepareToEnd: ScreenOperation {
    /// Told whether the program can end.
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
      guard !screen.press(key, &context) else { return }
      let environment = context.environment
      context.notify("\(environment.keymap.display(of: [key])) does nothing here; \(environment.keyHint(.help)) shows the keys")
    }
  }

  struct Insert: ScreenOperation {
    let text: String
    let isTyped: Bool

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) { screen.insert(text, isTyped: isTyped, &context) }
  }

  /// Hands over what a button of the mouse has done at a point of the screen.
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

  /// Hands over a report or an answer to a request; nothing where another screen has asked for it.
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

  /// Changes a screen of one type; nothing where it is of another.
  struct Change<Target: Screen>: ScreenOperation {
    let body: (inout Target, inout ScreenContext<Target>) -> Void

    func run<S: Screen>(on screen: inout S, _ context: inout ScreenContext<S>) {
      guard let operation = self as? Change<S> else { return }
      operation.body(&screen, &context)
    }
  }
}
