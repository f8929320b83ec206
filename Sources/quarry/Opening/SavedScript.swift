internal import Browser
internal import QuarryEngine

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The statements that the person who runs the program has kept.
enum SavedScript {
  /// The SQL that is kept under a name.
  static func text(named name: String) throws -> String {
    guard let folder = Locations(environment: ProcessInfo.processInfo.environment).statementsFolder else {
      throw Failure.usage("--statement: without HOME or XDG_DATA_HOME nothing tells where statements are kept")
    }
    do throws(StatementLibraryError) {
      return try StatementLibrary(folder: folder).statement(named: name).sql
    } catch {
      throw Failure.usage("--statement: \(error)")
    }
  }
}
