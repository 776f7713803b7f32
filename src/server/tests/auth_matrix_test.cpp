// Who may do what: thousands of requests against a second opinion, written from the contract
// (http-api, section 3) and not from the code.

#include <holdfast/io/virtual_runtime.h>
#include <holdfast/server/service.h>
#include <holdfast/store_memory/memory_store.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace holdfast {
namespace {

struct Caller {
    std::string name;
    std::string header;  // empty: none
};

struct Target {
    std::string path;
    std::string reach;  // the key or the namespace in the body; empty: there is none
};

// What the contract says, as plainly as it says it. 200: let through to what the page does.
class SecondOpinion {
public:
    static int status(HttpMethod method, const Target& target, const Caller& caller) {
        const bool call = target.path == "/ranges:reserve" || target.path == "/ranges:seal" ||
                          target.path == "/slots:acquire" || target.path == "/slots:renew" ||
                          target.path == "/slots:release";
        const bool known = call || page(target.path);
        const bool open =
            target.path == "/actuator/health" || target.path.starts_with("/actuator/health/");
        if (!open) {
            const bool admin = target.path == "/actuator" || target.path.starts_with("/actuator/");
            const bool reading = method == HttpMethod::get || method == HttpMethod::head;
            const bool basic = caller.name.starts_with("basic ");
            const std::string who = basic ? caller.name.substr(6) : caller.name;
            if ((who != "everything" && who != "shop" && who != "star") ||
                (basic && !(admin && reading))) {
                return 401;
            }
            if (admin && who != "everything") {
                return 403;
            }
            if (known && fits(method, call) && call && !reaches(who, target)) {
                return 403;
            }
        }
        if (!known) {
            return 404;
        }
        return fits(method, call) ? 200 : 405;
    }

private:
    static bool page(const std::string& path) {
        return path == "/actuator/health" || path == "/actuator/health/liveness" ||
               path == "/actuator/health/readiness" || path == "/actuator/info" ||
               path == "/actuator/prometheus" || path == "/actuator/cosid";
    }
    static bool fits(HttpMethod method, bool call) {
        return call ? method == HttpMethod::post
                    : method == HttpMethod::get || method == HttpMethod::head;
    }
    // `shop` has the namespace shop and the keys that start with shared/orders-; `star` has all.
    static bool reaches(const std::string& who, const Target& target) {
        if (who != "shop") {
            return true;
        }
        const bool slots = target.path.starts_with("/slots:");
        const std::string first = target.reach.substr(0, target.reach.find('/'));
        return first == "shop" || (!slots && target.reach.starts_with("shared/orders-"));
    }
};

std::string body_for(const Target& target) {
    return R"({"key":")" + target.reach + R"(","size":1,"initialOffset":0,"namespace":")" +
           target.reach +
           R"(","ownerKey":"o","incarnation":"i","slot":0,"fence":1,"limit":4,"ttlMs":1000,"toleranceMs":0,"lastIssued":0})";
}

class AuthMatrix : public ::testing::Test {
protected:
    AuthMatrix() {
        ServiceOptions options;
        options.auth.tokens.emplace_back("a token of everything");
        ClientOptions shop;
        shop.name = "shop";
        shop.token = Secret("a token of the shop");
        shop.namespaces = {"shop"};
        shop.key_prefixes = {"shared/orders-"};
        ClientOptions star;
        star.name = "star";
        star.token = Secret("a token of the star");
        star.namespaces = {"*"};
        options.auth.clients = {shop, star};
        service_ = std::move(open_service(*store_, std::move(options), metrics_, log_)).value();
        handler_ = service_->open(runtime_->loop(0));
    }

    HttpResponse ask(HttpMethod method, const Target& target, const Caller& caller) {
        std::vector<HttpField> fields{{"Content-Type", "application/json"}};
        if (!caller.header.empty()) {
            fields.push_back({"Authorization", caller.header});
        }
        const std::string body = body_for(target);
        HttpRequest request;
        request.method = method;
        request.path = target.path;
        request.fields = fields;
        request.has_body = method == HttpMethod::post;
        HttpResponse response;
        if (handler_->admit(request, response)) {
            request.body = body;
            EXPECT_TRUE(wait(*runtime_, handler_->serve(request, response)).ok());
        }
        return response;
    }

    std::unique_ptr<VirtualRuntime> runtime_ = open_virtual_runtime(VirtualOptions());
    std::unique_ptr<Store> store_ = open_memory_store();
    Metrics metrics_;
    LogLines lines_;
    Log log_{LogFormat::text, LogLevel::debug, system_clock(), lines_};
    std::unique_ptr<Service> service_;
    std::unique_ptr<HttpHandler> handler_;
};

// base64 of "anyone:a token of everything" and so on.
std::vector<Caller> callers() {
    return {
        {"nobody", ""},
        {"everything", "Bearer a token of everything"},
        {"everything", "bEARER   a token of everything"},
        {"shop", "Bearer a token of the shop"},
        {"star", "Bearer a token of the star"},
        {"a prefix", "Bearer a token of everythin"},
        {"a longer one", "Bearer a token of everything "},
        {"another case", "Bearer A token of everything"},
        {"no scheme", "a token of everything"},
        {"another scheme", "Digest a token of everything"},
        {"empty", "Bearer "},
        {"basic everything", "Basic YW55b25lOmEgdG9rZW4gb2YgZXZlcnl0aGluZw=="},
        {"basic shop", "Basic YW55b25lOmEgdG9rZW4gb2YgdGhlIHNob3A="},
        {"basic in clear", "Basic anyone:a token of everything"},
        {"basic without its padding", "Basic YW55b25lOmEgdG9rZW4gb2YgZXZlcnl0aGluZw"},
        {"basic of no user", "Basic YSB0b2tlbiBvZiBldmVyeXRoaW5n"},
    };
}

std::vector<Target> targets() {
    std::vector<Target> all;
    for (const char* path : {"/ranges:reserve", "/ranges:seal"}) {
        for (const char* key :
             {"shop",
              "shop/a",
              "shop/a/b",
              "shopping/a",
              "shop-a",
              "shared/orders-",
              "shared/orders-7",
              "shared/orders",
              "shared/Orders-7",
              "other",
              "SHOP/a"}) {
            all.push_back({path, key});
        }
    }
    for (const char* path : {"/slots:acquire", "/slots:renew", "/slots:release"}) {
        for (const char* name : {"shop", "shopping", "sho", "other", "SHOP"}) {
            all.push_back({path, name});
        }
    }
    for (const char* path :
         {"/actuator/health",
          "/actuator/health/liveness",
          "/actuator/health/readiness",
          "/actuator/health/",
          "/actuator/healthy",
          "/actuator/info",
          "/actuator/prometheus",
          "/actuator/cosid",
          "/actuator",
          "/actuator/",
          "/actuator/nowhere",
          "/Actuator/info",
          "/ranges",
          "/ranges:Reserve",
          "/ranges:reserve/",
          "/slots",
          "/nowhere"}) {
        all.push_back({path, ""});
    }
    return all;
}

TEST_F(AuthMatrix, every_request_is_judged_as_the_contract_says) {
    std::size_t cases = 0;
    std::size_t differences = 0;  // a few are shown, then it ends
    for (const HttpMethod method :
         {HttpMethod::get, HttpMethod::head, HttpMethod::post, HttpMethod::put, HttpMethod::delete_
         }) {
        for (const Target& target : targets()) {
            for (const Caller& caller : callers()) {
                const int expected = SecondOpinion::status(method, target, caller);
                const int status = ask(method, target, caller).status;
                // What a call that was let through does is the store's: anything but a refusal.
                const bool refused =
                    status == 401 || status == 403 || status == 404 || status == 405;
                const bool same = expected == 200 ? !refused && status < 500 : status == expected;
                ++cases;
                differences += same ? 0 : 1;
                EXPECT_TRUE(same) << name_of(method) << " " << target.path << " [" << target.reach
                                  << "] by " << caller.name << ": " << status << ", not "
                                  << expected;
                ASSERT_LT(differences, 10U);
            }
        }
    }
    EXPECT_GE(cases, 2'000U);
}

}  // namespace
}  // namespace holdfast
