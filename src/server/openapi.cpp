#include "openapi.h"

#include "openapi_operations.h"
#include "openapi_schemas.h"

#include <holdfast/codec/json_writer.h>

#include <algorithm>
#include <map>
#include <vector>

namespace holdfast {
namespace {

constexpr std::string_view description =
    "Numbers that are given out once, and numbered slots that are held by one owner at a time. "
    "Every error is {code, message}; every 5xx says in the header Holdfast-Effect whether the call "
    "may have changed anything. A path without a route answers 404 not_found, a method that a path "
    "does not have 405 method_not_allowed with Allow. GET routes answer HEAD too.";

void write_reference(JsonWriter& json, std::string_view schema) {
    json.open_object();
    json.field("$ref", std::string_view("#/components/schemas/" + std::string(schema)));
    json.close_object();
}

void write_header(JsonWriter& json, std::string_view name, std::string_view schema) {
    json.name(name).open_object().name("schema").raw(schema).close_object();
}

void write_content(JsonWriter& json, std::string_view type, std::string_view schema) {
    json.name("content").open_object().name(type).open_object();
    json.name("schema");
    if (schema.empty()) {
        json.open_object().field("type", "string").close_object();
    } else {
        write_reference(json, schema);
    }
    json.close_object().close_object();
}

// The codes of one status: Error with one of them, or the answer that has more to say.
void write_error_schema(
    JsonWriter& json, const Operation& operation, int status, const std::vector<HttpCode>& codes
) {
    json.open_object().name("anyOf").open_array();
    json.open_object().field("$ref", "#/components/schemas/Error");
    json.name("properties").open_object().name("code").open_object().name("enum").open_array();
    for (const HttpCode& code : codes) {
        if (code != http_code::slots_exhausted) {
            json.text(code.code);
        }
    }
    json.close_array().close_object().close_object().close_object();
    if (std::find(codes.begin(), codes.end(), http_code::slots_exhausted) != codes.end()) {
        write_reference(json, "SlotsExhausted");
    }
    if (status == 503 && operation.schema == "Health") {
        write_reference(json, "Health");
    }
    json.close_array().close_object();
}

using Refusals = std::map<int, std::vector<HttpCode>>;  // by status

void write_refusals(JsonWriter& json, const Operation& operation, const Refusals& refusals) {
    for (const auto& [status, same] : refusals) {
        std::string words;
        for (const HttpCode& code : same) {
            words.append(words.empty() ? "" : ", ").append(code.code);
        }
        json.name(std::to_string(status)).open_object().field("description", words);
        if (status >= 500 || status == 401) {
            json.name("headers").open_object();
            if (status == 401) {
                write_header(json, "WWW-Authenticate", R"({"type":"string"})");
            } else {
                write_header(json, effect_header, R"({"enum":["none","unknown"]})");
            }
            if (status == 503) {
                write_header(json, "Retry-After", R"({"type":"string"})");
            }
            json.close_object();
        }
        json.name("content").open_object().name("application/json").open_object().name("schema");
        write_error_schema(json, operation, status, same);
        json.close_object().close_object().close_object();
    }
}

void write_responses(JsonWriter& json, const Operation& operation, Access access) {
    json.name("responses").open_object();
    json.name(std::to_string(operation.status)).open_object();
    json.field("description", operation.answer);
    if (!operation.type.empty()) {
        write_content(json, operation.type, operation.schema);
    }
    json.close_object();
    Refusals refusals;
    const auto add = [&refusals](std::span<const HttpCode> more) {
        for (const HttpCode& code : more) {
            refusals[code.status].push_back(code);
        }
    };
    add(refusals_of_all());
    if (access != Access::open) {
        add(refusals_of_callers());
    }
    if (!operation.request.empty()) {
        add(refusals_of_bodies());
    }
    add(operation.refusals);
    write_refusals(json, operation, refusals);
    json.close_object();
}

void write_security(JsonWriter& json, Access access, bool anonymous) {
    json.name("security").open_array();
    if (access != Access::open) {
        json.raw(R"({"token":[]})");
    }
    if (access == Access::admin) {
        json.raw(R"({"page":[]})");
    }
    if (access == Access::open || anonymous) {
        json.raw("{}");
    }
    json.close_array();
}

// Of the paths that give out ids.
void write_parameters(JsonWriter& json, const Route& route, std::size_t count_max) {
    json.name("parameters").open_array();
    if (route.path.find('{') != std::string_view::npos) {
        json.raw(R"({"name":"generator","in":"path","required":true,)"
                 R"("description":"A generator of the settings.",)"
                 R"("schema":{"type":"string","pattern":"^[A-Za-z0-9._:@-]{1,64}$"},)"
                 R"("examples":{"default":{"value":"default"}}})");
    }
    json.open_object().field("name", "count").field("in", "query");
    json.field("description", "How many.").name("schema").open_object();
    json.field("type", "integer").field("minimum", 1).field("maximum", count_max);
    json.field("default", 1).close_object().close_object().close_array();
}

void write_operation(
    JsonWriter& json, const Route& route, Access access, const OpenApiFacts& facts
) {
    const Operation& operation = operation_of(route.action);
    json.name(route.method == HttpMethod::post ? "post" : "get").open_object();
    json.field("operationId", operation.id).name("tags").open_array().text(operation.tag);
    json.close_array().field("summary", operation.summary);
    if (!operation.description.empty()) {
        json.field("description", operation.description);
    }
    write_security(json, access, facts.anonymous);
    if (issues_ids(route)) {
        write_parameters(json, route, facts.ids_count_max);
    }
    if (!operation.request.empty()) {
        json.name("requestBody").open_object().field("required", true);
        write_content(json, "application/json", operation.request);
        json.close_object();
    }
    write_responses(json, operation, access);
    json.close_object();
}

}  // namespace

void write_openapi(std::string& out, const OpenApiFacts& facts) {
    JsonWriter json(out);
    json.open_object().field("openapi", "3.1.0").name("info").open_object();
    json.field("title", "holdfast").field("version", facts.version);
    json.field("description", description).close_object();
    json.name("servers").raw(R"([{"url":"/"}])");
    json.name("tags").raw(
        R"([{"name":"ranges"},{"name":"slots"},{"name":"ids"},{"name":"operation"},{"name":"documents"}])"
    );
    json.name("paths").open_object();
    for (std::size_t i = 0; i < routes().size(); ++i) {
        const Route& route = routes()[i];  // one a path: there is one method for each
        if (issues_ids(route) && facts.ids_count_max == 0) {
            continue;
        }
        json.name(route.path).open_object();
        write_operation(json, route, facts.access[i], facts);
        json.close_object();
    }
    json.close_object().name("components").open_object();
    json.name("securitySchemes")
        .raw(
            R"({"token":{"type":"http","scheme":"bearer","description":"A token of the service."},)"
            R"("page":{"type":"http","scheme":"basic","description":)"
            R"("For a browser, on admin paths: any user name, an unrestricted token as password."}})"
        );
    json.name("schemas").open_object();
    write_schemas(json, facts.limits);
    json.close_object().close_object().close_object();
}

}  // namespace holdfast
