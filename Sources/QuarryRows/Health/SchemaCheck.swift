internal import QuarryEngine

/// Lists the tables, virtual tables and views that SQLite cannot compile here.
struct SchemaCheck: HealthCheck {
  let name = "schema"

  func results(about subject: HealthSubject, in database: Database) -> [HealthResult] {
    subject.broken.map { schema in
      let text = schema.problem ?? "cannot be read"
      guard case .view = schema.entry.kind else { return HealthResult(name, schema.entry.reference.name, .note, text) }
      return HealthResult(
        name, schema.entry.reference.name, .finding, text,
        remedy: .advice("DROP VIEW \(schema.entry.reference.sql), or create the missing objects"))
    }.orFine(name, "\(Plural.of(subject.tables.count, "table")); all tables and views can be read")
  }
}
