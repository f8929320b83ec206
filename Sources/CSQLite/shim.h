#ifndef QUARRY_CSQLITE_H
#define QUARRY_CSQLITE_H

#include <sqlite3.h>

#endif
