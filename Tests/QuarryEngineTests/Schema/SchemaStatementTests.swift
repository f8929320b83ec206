import QuarryEngine
import TestSupport
import Testing

@Suite struct SchemaStatementTests {
  private func script(_ sql: String) -> String { String(decoding: SchemaStatement(Array(sql.utf8)).script, as: UTF8.self) }

  @Test(arguments: [
    ("CREATE TABLE t(a)", "CREATE TABLE t(a)", 0), ("CREATE TABLE t(a);", "CREATE TABLE t(a)", 0),
    ("CREATE TABLE t(a) ; \n; ", "CREATE TABLE t(a) ", 0), ("CREATE TABLE t(a);\n.shell touch x", "CREATE TABLE t(a)", 14),
    ("CREATE TABLE t(a DEFAULT ';'); DROP TABLE u;", "CREATE TABLE t(a DEFAULT ';')", 12),
    ("CREATE TABLE t(a)\0; DROP TABLE u", "CREATE TABLE t(a)", 15),
    ("CREATE TABLE \"a;b\"(c /* ; */)", "CREATE TABLE \"a;b\"(c /* ; */)", 0),
    ("CREATE TABLE t(a) -- one;\n", "CREATE TABLE t(a) -- one;\n", 0),
    (
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END; DROP TABLE u",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END", 12
    ),
  ])
  func `only the first statement counts`(text: String, sql: String, ignored: Int) {
    let statement = SchemaStatement(Array(text.utf8))
    #expect(statement.sql == sql)
    #expect(statement.ignoredCount == ignored)
  }

  @Test(arguments: [
    ("CREATE VIEW v AS SELECT\ngo\n.shell touch", "CREATE VIEW v AS SELECT\n/**/go\n.shell touch;\n"),
    ("SELECT 6 -- six\n / -- by\n.5", "SELECT 6 -- six\n /**// -- by\n.5;\n"), ("SELECT 6\n/ 2", "SELECT 6\n/ 2;\n"),
    ("SELECT a go\n, b", "SELECT a go\n, b;\n"), ("SELECT '\ngo\n'", "SELECT '\ngo\n';\n"), ("SELECT \"\n/\n\"", "SELECT \"\n/\n\";\n"),
    ("SELECT a\nGo -- c", "SELECT a\n/**/Go -- c\n;\n"), ("SELECT 1 /*\ngo\n*/", "SELECT 1 /*\ngo\n*/;\n"),
  ])
  func `no line of a script ends a statement of the shell early`(sql: String, expected: String) {
    #expect(script(sql) == expected)
  }
}
