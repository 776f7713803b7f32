#include "yaml_file.h"

#include "yaml_tree.h"

#include <holdfast/codec/utf.h>
#include <holdfast/config/limits.h>

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <sstream>

namespace holdfast {
namespace {

int line_at(std::string_view text, std::size_t offset) {
    return 1 + static_cast<int>(std::ranges::count(text.substr(0, offset), '\n'));
}

// What yaml-cpp would guess about or stumble over.
std::optional<YamlProblem> refused_bytes(std::string_view text) {
    if (text.size() > config_file_bytes_max) {
        return YamlProblem{
            0, "", "larger than " + std::to_string(config_file_bytes_max / 1024) + " KiB"
        };
    }
    if (!is_utf8(text)) {
        std::size_t at = 0;
        while (const std::size_t bytes = utf8_character_bytes(text.substr(at))) {
            at += bytes;
        }
        return YamlProblem{line_at(text, at), "", "bytes that are not UTF-8"};
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f) {
            return YamlProblem{line_at(text, i), "", "a control character"};
        }
    }
    return std::nullopt;
}

class Flattener {
public:
    explicit Flattener(YamlFile& file) : file_(file) {}

    // False: a bound is reached, nothing more is read.
    bool visit(const YamlNode& node, const SettingPath& path, std::vector<int> lines) {
        const int line = lines.empty() ? node.line : lines.back();
        if (++visited_ > config_nodes_max) {
            file_.problems.push_back(
                {line,
                 "",
                 "aliases (*) multiply into more than " + std::to_string(config_nodes_max) +
                     " values"}
            );
            return false;
        }
        if (path.size() > config_depth_max) {
            file_.problems.push_back(
                {line, "", "nested deeper than " + std::to_string(config_depth_max) + " levels"}
            );
            return false;
        }
        switch (node.kind) {
        case YamlNode::Kind::text:
            add({path, node.text, YamlValue::Shape::text, line, std::move(lines)});
            return true;
        case YamlNode::Kind::nothing:
            add({path, "", YamlValue::Shape::nothing, line, std::move(lines)});
            return true;
        case YamlNode::Kind::list:
            return visit_list(node, path, lines, line);
        case YamlNode::Kind::map:
            break;
        }
        return std::ranges::all_of(node.entries, [&](const YamlEntry& entry) {
            const auto tail = SettingPath::parse(entry.key);
            if (!tail) {
                file_.problems.push_back(
                    {entry.line,
                     path.text(),
                     "a name below it that cannot be read; allowed: words with dots between"}
                );
                return true;
            }
            std::vector<int> below = lines;
            below.resize(path.size() + tail->size(), entry.line);
            return visit(*entry.value, path.with(*tail), std::move(below));
        });
    }

private:
    bool visit_list(
        const YamlNode& node, const SettingPath& path, const std::vector<int>& lines, int line
    ) {
        if (node.items.empty()) {
            add({path, "", YamlValue::Shape::empty_list, line, lines});
        }
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            std::vector<int> below = lines;
            below.push_back(node.items[i]->line);
            if (!visit(*node.items[i], path.with_index(i), std::move(below))) {
                return false;
            }
        }
        return true;
    }

    void add(YamlValue value) {
        if (value.text.size() > config_value_bytes_max) {
            file_.problems.push_back(
                {value.line,
                 value.path.text(),
                 "a value longer than " + std::to_string(config_value_bytes_max / 1024) + " KiB"}
            );
            return;
        }
        file_.values.push_back(std::move(value));
    }

    YamlFile& file_;
    std::size_t visited_ = 0;
};

// A quote that nobody closed passes silently when the text ends with its last line; behind a
// comment it does not.
std::string with_comment_at_the_end(std::string_view text) {
    std::string longer(text);
    longer += text.empty() || text.back() == '\n' ? "#" : "\n#";
    return longer;
}

// yaml-cpp's own words for what is wrong; they name at most a character of the text.
std::string syntax(const std::string& message) {
    return message == YAML::ErrorMsg::EOF_IN_SCALAR ? "a quote that is not closed, seen at the end"
                                                    : "not valid YAML: " + message;
}

bool tab_in_front(std::string_view text, int line) {
    for (int i = 1; i < line && !text.empty(); ++i) {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    const std::size_t front = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(0, front).find('\t') != std::string_view::npos;
}

}  // namespace

YamlFile read_yaml(std::string_view text) {
    YamlFile file;
    if (auto refused = refused_bytes(text)) {
        file.problems.push_back(*std::move(refused));
        return file;
    }
    YamlTree tree;
    try {
        std::istringstream in(with_comment_at_the_end(text));
        YAML::Parser parser(in);
        while (parser.HandleNextDocument(tree)) {
        }
    } catch (const YamlRefused& refused) {
        file.problems.push_back({refused.line, "", refused.text});
    } catch (const YAML::Exception& error) {
        const int line = error.mark.is_null() ? 0 : error.mark.line + 1;
        const bool tab = line != 0 && tab_in_front(text, line);
        file.problems.push_back({line, "", tab ? "a tab in front; write spaces" : syntax(error.msg)}
        );
    } catch (const std::exception& error) {
        file.problems.push_back({0, "", syntax(error.what())});
    }
    if (!file.problems.empty()) {
        return file;
    }
    for (const YamlDuplicate& duplicate : tree.duplicates()) {
        file.problems.push_back(
            {duplicate.line,
             duplicate.name,
             "is written twice, first in line " + std::to_string(duplicate.first_line)}
        );
    }
    const YamlNodePtr root = tree.root();
    if (root == nullptr || root->kind == YamlNode::Kind::nothing) {
        return file;
    }
    if (root->kind != YamlNode::Kind::map) {
        file.problems.push_back({root->line, "", "not a list of `name: value` lines"});
        return file;
    }
    Flattener(file).visit(*root, SettingPath(), {});
    return file;
}

}  // namespace holdfast
