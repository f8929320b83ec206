import QuarryChanges
import QuarryRows
import QuarrySources

/// Mending a finding, from the key to the next checks.
extension HealthScreen {
  /// The reason why nothing else can be done while a statement runs; nil if none runs.
  func mendingNotice(_ environment: ScreenEnvironment) -> String? {
    maintenance.map { "\($0.name) is running: \(environment.stopHint)" }
  }

  func obstacleToMending(_ environment: ScreenEnvironment) -> String? {
    guard let result = current else { return "there is no result here" }
    switch result.remedy {
    case nil: return "there is nothing to mend here"
    case .advice(let text)?: return "no statement mends this: \(text)"
    case .rows?: return environment.needsStatements
    case .maintenance(let maintenance)?: return mendingNotice(environment) ?? obstacle(to: maintenance, environment)
    }
  }

  private func obstacle(to maintenance: Maintenance, _ environment: ScreenEnvironment) -> String? {
    let source = environment.workspace.source
    if let refusal = source.editRefusal { return refusal }
    if let running = environment.running { return "\(running): \(environment.stopHint)" }
    if source.transaction != nil { return "a transaction is open in the editor: end it first with :commit or :rollback" }
    // It may give rows another rowid.
    if maintenance == .vacuum, !environment.workspace.staged.isEmpty { return "commit or discard the staged changes before VACUUM" }
    return nil
  }

  func mend(_ context: inout ScreenContext<Self>) {
    switch current?.remedy {
    case .rows(let sql)?: context.send(SQLIntent.run(sql))
    case .maintenance(let maintenance)?: ask(maintenance, &context)
    case .advice?, nil: break
    }
  }

  /// Asks before a statement runs; Enter chooses the first answer, which runs nothing.
  private func ask(_ maintenance: Maintenance, _ context: inout ScreenContext<Self>) {
    let run = context.handler { (screen: inout Self, context: inout ScreenContext<Self>) in screen.run(maintenance, &context) }
    let items = [PickerItem(label: "No, change nothing"), PickerItem(label: "Yes, run it", detail: maintenance.effect, perform: run)]
    context.present(Picker(title: maintenance.sql, placeholder: "run it?", items: items))
  }

  private mutating func run(_ maintenance: Maintenance, _ context: inout ScreenContext<Self>) {
    context.supersede(CheckHealth.slot)
    context.supersede(CountTables.slot)
    mend(maintenance)
    context.ask(MendDatabase(maintenance: maintenance)) { screen, _, report in
      screen.mend(maintenance, report)
    } then: { screen, context, result in
      screen.endMending()
      switch result {
      case .success(let effect): context.notify(maintenance.outcome(effect), effect.isLogBusy ? .warning : .success)
      case .failure(.stopped): context.notify("\(maintenance.name) was stopped: the database is unchanged", .warning)
      case .failure(let problem): context.notify("\(maintenance.name) failed: \(problem.text)", .error)
      }
      // The next checks show what the file contains now.
      context.noteWriting()
      screen.load(&context)
    }
  }
}

extension HealthRemedy {
  /// The statement; nil for an advice.
  var sql: String? {
    switch self {
    case .maintenance(let maintenance): maintenance.sql
    case .rows(let sql): sql
    case .advice: nil
    }
  }
}
