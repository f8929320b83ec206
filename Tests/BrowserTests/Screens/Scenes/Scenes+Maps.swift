import Terminal
import Testing

/// Maps of tables and their foreign keys.
extension Scene {
  private static let small = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  /// A shop with a table that refers to itself, a cycle, a key of two columns, a missing table and tables without keys to others.
  private static let shop = [
    "CREATE TABLE employee(id INTEGER PRIMARY KEY, name TEXT, manager_id REFERENCES employee, office_id REFERENCES office)",
    "CREATE TABLE office(id INTEGER PRIMARY KEY, city TEXT, head_id REFERENCES employee)",
    "CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, contact_id INTEGER REFERENCES employee)",
    "CREATE TABLE invoice(id INTEGER PRIMARY KEY, customer_id NOT NULL REFERENCES customer, paid DATE)",
    "CREATE TABLE product(maker TEXT, code TEXT, title TEXT, PRIMARY KEY (maker, code)) WITHOUT ROWID",
    """
    CREATE TABLE line(
      invoice_id REFERENCES invoice, number INT, maker TEXT, code TEXT, tax_id REFERENCES tax, PRIMARY KEY (invoice_id, number),
      FOREIGN KEY (maker, code) REFERENCES product)
    """,
    "CREATE TABLE \"a note, with a name that is longer than any box\"(text)", "CREATE TABLE log(id INTEGER PRIMARY KEY, line)",
    "CREATE TABLE setting(name TEXT PRIMARY KEY, value)",
  ]

  static let maps = [
    Scene("map", "All tables with their keys, one of which does not exist", on: shop, sizes: small) { driver, _ in
      driver.open("line")
      driver.play(["g m"])
    },
    Scene("map-moved", "The map after two moves to the right", on: shop, sizes: small) { driver, _ in
      driver.open("line")
      driver.play(["g m right right"])
    },
    Scene("map-near", "Only the tables next to one", on: shop) { driver, _ in
      driver.open("customer")
      driver.play(["g m 1"])
    },
    Scene("map-none", "A database without tables", on: ["PRAGMA user_version = 1"], keys: "g m"),
  ]
}
