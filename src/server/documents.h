#pragma once
// The pages that were built in: Swagger UI and what belongs to it.

#include "routes.h"

namespace holdfast {

// `action` is one of the swagger ones. All bodies last as long as the program. Any thread.
void write_document(HttpResponse& response, Action action);

}  // namespace holdfast
