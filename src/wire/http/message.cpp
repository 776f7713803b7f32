#include "grammar.h"

#include <holdfast/http/message.h>

namespace holdfast {

std::string_view HttpRequest::field(std::string_view lower_case_name) const {
    const HttpField* found = nullptr;
    for (const HttpField& field : fields) {
        if (same_token(field.name, lower_case_name)) {
            if (found != nullptr) {
                return {};
            }
            found = &field;
        }
    }
    return found != nullptr ? found->value : std::string_view();
}

}  // namespace holdfast
