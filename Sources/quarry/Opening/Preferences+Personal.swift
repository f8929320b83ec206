internal import Browser

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Preferences {
  /// Reads what the person who runs the program has chosen; `arguments` is what the command line says.
  static func ofThisPerson(arguments: [SettingName: SettingValue] = [:]) -> Preferences {
    let environment = ProcessInfo.processInfo.environment
    return Preferences(
      files: ConfigurationFiles(at: Locations(environment: environment)), environment: environment, arguments: arguments)
  }
}
