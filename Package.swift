// swift-tools-version: 6.2
import PackageDescription

/// A warning is an error on the build server; elsewhere a newer compiler's opinion must not stop a build.
///
/// Nobody debugs there: without the debugger's information a third of the time is saved.
let isBuildServer = Context.environment["CI"] != nil

/// The thread sanitizer checks what runs concurrently: the program and all other tests are left out of its package.
let isForSanitizer = Context.environment["QUARRY_SANITIZER"] != nil

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (isBuildServer ? [.treatAllWarnings(as: .error), .unsafeFlags(["-gnone"])] : [])

/// The settings of the targets in which no time is spent: small code.
///
/// Only targets of the program have them, so that the libraries stay free of unsafe flags.
let smallCode: [SwiftSetting] = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// The plugin that makes the documentation, which no build has to fetch.
let documentation: [Package.Dependency] =
  Context.environment["QUARRY_DOCUMENTATION"] == nil
  ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")]

/// Links functions with the same code once, and exports no symbols.
///
/// Only the program has these flags, so that the libraries stay free of unsafe ones.
let smallProgram: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--icf=safe", "-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux], configuration: .release))
]

/// The fuzzers need the coverage of the modules that they play: everything else is left out of their package.
let isForFuzzers = Context.environment["QUARRY_FUZZERS"] != nil

/// The tests for the thread sanitizer and their helpers, by target.
let concurrencyTests = [
  "QuarryEngineTests": [
    "SQLite/BackupTests.swift", "SQLite/DatabaseFileTests.swift", "SQLite/DatabaseQueueTests.swift", "Threads/TaskThreadsTests.swift",
  ],
  "QuarryRowsTests": ["Rows/RowOracle.swift", "Rows/RowReaderChangesTests.swift"],
  "QuarryFilesTests": ["FileLockTests.swift"],
  "QuarryClusterTests": ["Dqlite/DqliteNodesTests.swift", "Dqlite/DqliteScriptedTests.swift"],
  "BrowserTests": [
    "BrowserFixture.swift", "DiffOpenerFixture.swift", "ScreenLines.swift", "Screens/Scenes/MusicDatabase.swift",
    "Screens/Scenes/Stage.swift", "DataSource/MemorySource.swift", "DataSource/MemorySourceTests.swift", "Session/SessionDriver.swift",
    "Session/ActionTests.swift", "Session/LockTests.swift", "Session/MemoryFileTests.swift", "Session/MovedFileTests.swift",
    "Session/SameMomentTests.swift", "Session/WatchTests.swift",
  ],
]

let package = Package(
  name: "quarry",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "QuarryEngine", targets: ["QuarryEngine"]),
    .library(name: "QuarryRows", targets: ["QuarryRows"]),
    .library(name: "QuarrySources", targets: ["QuarryChanges", "QuarryFiles", "QuarrySources"]),
    .library(name: "QuarryCluster", targets: ["QuarryCluster"]),
    .executable(name: "quarry", targets: ["quarry"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ] + documentation,
  targets: [
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .target(name: "Libc", swiftSettings: settings),
    .target(name: "Essentials", swiftSettings: settings),
    .target(name: "QuarryEngine", dependencies: ["CSQLite", "Essentials", "Libc"], swiftSettings: settings),
    .target(name: "QuarryRows", dependencies: ["Essentials", "Libc", "QuarryEngine"], swiftSettings: settings),
    .target(name: "QuarryChanges", dependencies: ["Essentials", "Libc", "QuarryEngine", "QuarryRows"], swiftSettings: settings),
    .target(
      name: "QuarryFiles", dependencies: ["Essentials", "Libc", "QuarryEngine", "QuarryRows", "QuarryChanges"], swiftSettings: settings),
    .target(
      name: "QuarrySources", dependencies: ["Essentials", "Libc", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles"],
      swiftSettings: settings),
    .target(
      name: "QuarryCluster",
      dependencies: [
        "COpenSSL", "Essentials", "Libc", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources",
      ],
      swiftSettings: settings),
    .target(name: "Terminal", swiftSettings: smallCode),
    .target(
      name: "CursesTerminal", dependencies: ["CNcurses", "Essentials", "Libc", "Terminal"], resources: [.embedInCode("Terminfo")],
      swiftSettings: smallCode),
    .target(
      name: "Browser",
      dependencies: [
        "Essentials", "Libc", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "Terminal",
        .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      resources: [.embedInCode("Themes/builtin")],
      swiftSettings: smallCode),
    .executableTarget(
      name: "quarry",
      dependencies: [
        "Essentials", "Libc", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster",
        "Terminal", "CursesTerminal", "Browser",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("Manual/pages")],
      swiftSettings: smallCode, linkerSettings: smallProgram),
    .target(
      name: "TestSupport",
      dependencies: ["QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster", "Terminal"],
      path: "Tests/TestSupport", swiftSettings: settings),
    // The package Tests/Hostile is its own, and builds this target too.
    .target(name: "HostileWorld", path: "Tests/Hostile/Sources/HostileWorld", swiftSettings: settings),
    // What reads bytes from outside, for the fuzzers and for the tests that play their corpus.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarryCluster", "Terminal", "CursesTerminal", "Browser",
      ],
      path: "Tests/Fuzzing/Targets", swiftSettings: settings),
    .testTarget(name: "QuarryEngineTests", dependencies: ["QuarryEngine", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "QuarryRowsTests", dependencies: ["QuarryEngine", "QuarryRows", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "QuarryChangesTests", dependencies: ["QuarryEngine", "QuarryRows", "QuarryChanges", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryFilesTests", dependencies: ["QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarrySourcesTests",
      dependencies: ["QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryClusterTests",
      dependencies: [
        "COpenSSL", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal", "CursesTerminal", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "BrowserTests",
      dependencies: [
        "Browser", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster", "Terminal",
        "TestSupport",
      ],
      exclude: ["Screens/Pictures"],
      swiftSettings: settings),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "quarry", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster", "TestSupport",
        "HostileWorld", "FuzzTargets",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

if isForSanitizer {
  package.products.removeAll { $0.name == "quarry" }
  let others = ["quarry", "CursesTerminal", "FuzzTargets"]
  package.targets.removeAll { others.contains($0.name) || $0.isTest && concurrencyTests[$0.name] == nil }
  for target in package.targets { target.sources = concurrencyTests[target.name] }
}

if isForFuzzers {
  package.products.removeAll { $0.name == "quarry" }
  package.targets.removeAll { $0.name == "quarry" || $0.name == "TestSupport" || $0.name == "HostileWorld" || $0.isTest }
  package.targets.append(
    .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/fuzz", swiftSettings: settings))
}
