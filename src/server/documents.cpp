#include "documents.h"

#include "answer.h"
#include "embedded_files.h"

namespace holdfast {
namespace {

// Scripts, styles and calls from here alone. Swagger UI's style sheet has its pictures as data.
constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void write_file(HttpResponse& response, std::string_view type, std::string_view name) {
    const std::string_view file = embedded_file(name);
    if (file.empty()) {
        set_error(response, http_code::not_found, "Swagger UI is not built in");
        return;
    }
    response.content_type = type;
    response.lasting_body = file;
}

void write_page(HttpResponse& response) {
    const bool built_in = !embedded_file("swagger-ui-bundle.js").empty();
    write_file(
        response,
        "text/html; charset=utf-8",
        built_in ? "swagger-index.html" : "swagger-missing.html"
    );
    response.add_header("Content-Security-Policy", page_policy);
    response.add_header("Referrer-Policy", "no-referrer");
}

}  // namespace

void write_document(HttpResponse& response, Action action) {
    switch (action) {
    case Action::swagger_move:
        response.status = 302;
        response.content_type = {};
        response.add_header("Location", "/swagger-ui/index.html");
        return;
    case Action::swagger_start:
        return write_file(response, "text/javascript; charset=utf-8", "start.js");
    case Action::swagger_bundle:
        return write_file(response, "text/javascript; charset=utf-8", "swagger-ui-bundle.js");
    case Action::swagger_style:
        return write_file(response, "text/css; charset=utf-8", "swagger-ui.css");
    case Action::swagger_icon:
        return write_file(response, "image/png", "favicon-32x32.png");
    default:
        return write_page(response);
    }
}

}  // namespace holdfast
