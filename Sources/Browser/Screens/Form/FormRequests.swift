import QuarryEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Looks whether the files that a form names can be read; the answer says what is wrong, by the parameters' identities.
struct CheckFiles: Request {
  /// The paths, by the parameters' identities.
  let paths: [String: String]

  var slot: RequestSlot? { RequestSlot("form files") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [String: String] {
    paths.compactMapValues { path in
      let file = Storage.url(of: path).path
      guard FileManager.default.fileExists(atPath: file) else { return "There is no file “\(path)”." }
      let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
      if type == .typeDirectory { return "“\(path)” is a folder: name a file." }
      return FileManager.default.isReadableFile(atPath: file) ? nil : "“\(path)” cannot be read: check that you may read it."
    }
  }
}

/// Looks for values that a parameter may have.
struct LoadChoices: Request {
  let choices: ParameterChoices

  var slot: RequestSlot? { RequestSlot("choices") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [DatabaseValue] {
    try await services.source.values(of: choices, limit: 50)
  }
}
