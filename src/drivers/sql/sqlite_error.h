#pragma once
// What a result code of SQLite means in our words.

#include <holdfast/base/result.h>

struct sqlite3;

namespace holdfast {

// `result` is an extended result code; words and errno are those of the connection, which may be
// null.
Error sqlite_error(sqlite3* db, int result, Effect effect);

// Whether a statement that ended like this outside a transaction may have changed the file.
Effect effect_alone(int result);
// Whether a COMMIT that ended like this may have done its work all the same.
Effect effect_of_commit(int result);

// Between two looks at a lock: grows, and never sleeps past the deadline by more than one pause.
void pause_for_lock(int looks);

}  // namespace holdfast
