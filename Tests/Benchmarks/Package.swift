// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "quarry", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "Loops", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Loops", .product(name: "QuarryEngine", package: "quarry"), .product(name: "QuarryRows", package: "quarry"),
        .product(name: "QuarrySources", package: "quarry"), .product(name: "QuarryCluster", package: "quarry"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
