import Browser
import Foundation
import TestSupport
import Testing

@Suite("The file of the settings", .gated)
struct SettingsFileTests {
  private static let nord: [SettingKey: SettingValue?] = [.setting(.theme): .text("nord")]

  private static func text(_ path: String) throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }

  @Test("is made with its folder where there is none")
  func missing() throws {
    let folder = try ConfigurationFolder()
    let file = SettingsFile(path: "\(folder.path)/config.toml")
    #expect(try file.read() == "")
    #expect(try file.write(Self.nord, over: "") == .written("theme = \"nord\"\n"))
    #expect(try Self.text(file.path) == "theme = \"nord\"\n")
  }

  @Test("keeps its permissions, and a link to it stays a link")
  func links() throws {
    let folder = try ConfigurationFolder()
    try folder.write("mouse = true\n", to: "real.toml")
    let (real, path) = ("\(folder.path)/real.toml", "\(folder.path)/config.toml")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "real.toml")
    #expect(try SettingsFile(path: path).write(Self.nord, over: "mouse = true\n") == .written("mouse = true\ntheme = \"nord\"\n"))
    #expect(try Self.text(real) == "mouse = true\ntheme = \"nord\"\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "real.toml")
    #expect(try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["config.toml", "real.toml"])
  }

  @Test("that has changed since it was read is not replaced")
  func outdated() throws {
    let folder = try ConfigurationFolder()
    try folder.write("mouse = false\n", to: "config.toml")
    let file = SettingsFile(path: "\(folder.path)/config.toml")
    #expect(try file.write(Self.nord, over: "mouse = true\n") == .outdated("mouse = false\n"))
    #expect(try file.read() == "mouse = false\n")
    #expect(try file.write(Self.nord, over: "mouse = false\n") == .written("mouse = false\ntheme = \"nord\"\n"))
  }

  @Test("that cannot be read or parsed stays as it is")
  func unreadable() throws {
    let folder = try ConfigurationFolder()
    let path = "\(folder.path)/config.toml"
    try folder.write(bytes: [0x61, 0xff], to: "config.toml")
    let error = #expect(throws: Problem.self) { try SettingsFile(path: path).read() }
    #expect(
      error?.text == "“\(path)”: the file is not UTF-8; save it as UTF-8. Correct the file first: settings cannot be written to it")
    try folder.write("theme = \n", to: "config.toml")
    #expect(throws: Problem.self) { try SettingsFile(path: path).write(Self.nord, over: "theme = \n") }
    #expect(try Self.text(path) == "theme = \n")
  }

  @Test("that is a link to nothing, or a folder, is refused in a sentence")
  func targets() throws {
    let folder = try ConfigurationFolder()
    try folder.write("", to: "other")
    let path = "\(folder.path)/config.toml"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "missing.toml")
    let dead = #expect(throws: Problem.self) { try SettingsFile(path: path).write(Self.nord, over: "") }
    #expect(dead?.text == "“\(path)” is a link to a missing file: create that file, or remove the link; nothing was written")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "missing.toml")
  }

  @Test("that may not be written is refused in a sentence", .enabled(if: geteuid() != 0, "root may write everywhere"))
  func protected() throws {
    let folder = try ConfigurationFolder()
    try folder.write("mouse = true\n", to: "config.toml")
    let path = "\(folder.path)/config.toml"
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let error = #expect(throws: Problem.self) { try SettingsFile(path: path).write(Self.nord, over: "mouse = true\n") }
    #expect(error?.text == "“\(path)” is read-only: change its permissions, for example with `chmod u+w`; nothing was written")
  }
}
