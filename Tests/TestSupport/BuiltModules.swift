public import Foundation
import Testing

/// The modules and objects that were built beside this test bundle: tests of the compiler use them, so that nothing is compiled twice.
public struct BuiltModules {
  public static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// Where the build put its products.
  private let products: URL

  /// Finds the products of the build.
  public init() throws {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appending(path: "Modules/QuarryEngine.swiftmodule").path) {
      try #require(folder.path != "/", "The test bundle does not lie beside the modules that it was built with")
      folder.deleteLastPathComponent()
    }
    products = folder.resolvingSymlinksInPath()
  }

  /// What tells the compiler of the modules, and of the C modules beneath them.
  public var arguments: [String] {
    ["-swift-version", "6", "-I", products.appending(path: "Modules").path]
      + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0.path] }
  }

  private var moduleMaps: [URL] {
    let packages = products.deletingLastPathComponent().deletingLastPathComponent().appending(path: "checkouts")
    let generated = contents(of: products).map { $0.appending(path: "module.modulemap") }
    let written = contents(of: packages).flatMap { contents(of: $0.appending(path: "Sources")) }
      .map { $0.appending(path: "include/module.modulemap") }
    return ["CSQLite", "COpenSSL"].map { Self.root.appending(path: "Sources/\($0)/module.modulemap") }
      + (generated + written).filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  private func contents(of folder: URL) -> [URL] {
    (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  }

  /// The objects that the executable was linked of, but for its own and those of the targets that the library does not need.
  public func objects() throws -> [String] {
    let others = ["quarry", "Browser", "Terminal", "CursesTerminal"]
    return try String(contentsOf: products.appending(path: "quarry.product/Objects.LinkFileList"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
      .filter { path in !others.contains { path.contains("/\($0).build/") } }
  }

  /// Runs the compiler.
  ///
  /// - Returns: How it ended, and what it said.
  public func compile(_ further: [String]) throws -> (ending: ChildProcess.Ending, output: String) {
    try run(["swiftc"] + arguments + further)
  }

  /// Compiles and links a program with the objects of the libraries.
  ///
  /// - Parameters:
  ///   - sources: The paths of the files, one of which is `main.swift`.
  ///   - program: The path of the program.
  ///   - folder: A folder for intermediate files.
  public func link(_ sources: [String], to program: String, in folder: URL) throws -> (ending: ChildProcess.Ending, output: String) {
    let list = folder.appending(path: "objects")
    try objects().joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
    return try compile(
      sources + ["-o", program, "@" + list.path, "-lstdc++", "-module-cache-path", folder.appending(path: "cache").path])
  }

  /// Runs a program to its end, and returns what it printed.
  public func run(_ command: [String]) throws -> (ending: ChildProcess.Ending, output: String) {
    let process = try ChildProcess(["/usr/bin/env"] + command, output: .pipe, errors: .output)
    let output = try process.output?.readToEnd() ?? Data()
    return (process.wait(), String(decoding: output, as: UTF8.self))
  }
}
