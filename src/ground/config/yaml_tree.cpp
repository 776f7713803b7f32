#include "yaml_tree.h"

#include <holdfast/config/limits.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace holdfast {
namespace {

int line_of(const YAML::Mark& mark) {
    return mark.line + 1;
}

bool plain_tag(std::string_view tag) {
    constexpr std::string_view standard = "tag:yaml.org,2002:";
    constexpr std::array<std::string_view, 7> known{
        "str", "int", "bool", "float", "null", "map", "seq"
    };
    if (tag.empty() || tag == "?" || tag == "!") {
        return true;
    }
    return tag.starts_with(standard) &&
           std::ranges::find(known, tag.substr(standard.size())) != known.end();
}

}  // namespace

void YamlTree::OnDocumentStart(const YAML::Mark& mark) {
    if (document_) {
        throw YamlRefused{line_of(mark), "a second document (---) is not read; write one document"};
    }
    document_ = true;
}

void YamlTree::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (wants_key()) {
        throw YamlRefused{line_of(mark), "an empty key; a key is plain text"};
    }
    auto made = node(YamlNode::Kind::nothing, mark, "");
    if (anchor != 0) {
        anchors_[anchor] = made;
    }
    attach(std::move(made));
}

void YamlTree::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (wants_key()) {
        throw YamlRefused{line_of(mark), "an alias as a key; a key is plain text"};
    }
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
        throw YamlRefused{line_of(mark), "an alias inside of what it stands for"};
    }
    if (++nodes_ > config_nodes_max) {
        throw YamlRefused{
            line_of(mark), "more than " + std::to_string(config_nodes_max) + " values"
        };
    }
    attach(found->second);
}

void YamlTree::OnScalar(
    const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value
) {
    if (wants_key()) {
        Open& map = stack_.back();
        if (value == "<<") {
            throw YamlRefused{line_of(mark), "merge keys (<<) are not read; write the values out"};
        }
        const auto [first, fresh] = map.keys.emplace(value, line_of(mark));
        if (!fresh) {
            duplicates_.push_back({name_of(value), first->second, line_of(mark)});
        }
        map.key = Key{value, line_of(mark), !fresh};
        return;
    }
    auto made = node(YamlNode::Kind::text, mark, tag);
    made->text = value;
    if (anchor != 0) {
        anchors_[anchor] = made;
    }
    attach(std::move(made));
}

void YamlTree::OnSequenceStart(
    const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value
) {
    open(node(YamlNode::Kind::list, mark, tag), anchor);
}

void YamlTree::OnMapStart(
    const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value
) {
    open(node(YamlNode::Kind::map, mark, tag), anchor);
}

std::shared_ptr<YamlNode>
YamlTree::node(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    if (++nodes_ > config_nodes_max) {
        throw YamlRefused{
            line_of(mark), "more than " + std::to_string(config_nodes_max) + " values"
        };
    }
    if (!plain_tag(tag)) {
        throw YamlRefused{
            line_of(mark), "a tag (!) that is not read; allowed: !!str, !!int, !!bool, !!float"
        };
    }
    auto made = std::make_shared<YamlNode>();
    made->kind = kind;
    made->line = line_of(mark);
    return made;
}

bool YamlTree::wants_key() const {
    return !stack_.empty() && stack_.back().node->kind == YamlNode::Kind::map && !stack_.back().key;
}

// The dotted name of a key of the innermost mapping.
std::string YamlTree::name_of(const std::string& key) const {
    std::string name;
    for (const Open& open : stack_) {
        if (open.node->kind == YamlNode::Kind::list) {
            name += '[' + std::to_string(open.node->items.size()) + "].";
        } else if (open.key) {
            name += (name.empty() || name.back() == '.' ? "" : ".") + open.key->text;
        }
    }
    if (!name.empty() && name.back() != '.') {
        name += '.';
    }
    return name + key;
}

void YamlTree::open(std::shared_ptr<YamlNode> node, YAML::anchor_t anchor) {
    if (wants_key()) {
        throw YamlRefused{node->line, "a group or a list as a key; a key is plain text"};
    }
    if (stack_.size() >= config_depth_max) {
        throw YamlRefused{
            node->line, "nested deeper than " + std::to_string(config_depth_max) + " levels"
        };
    }
    Open open;
    open.node = std::move(node);
    open.anchor = anchor;
    stack_.push_back(std::move(open));
}

// A node is attached when it is complete: an alias to an open one finds no anchor.
void YamlTree::close() {
    const Open done = std::move(stack_.back());
    stack_.pop_back();
    if (done.anchor != 0) {
        anchors_[done.anchor] = done.node;
    }
    attach(done.node);
}

void YamlTree::attach(YamlNodePtr node) {
    if (stack_.empty()) {
        root_ = std::move(node);
        return;
    }
    Open& parent = stack_.back();
    if (parent.node->kind == YamlNode::Kind::list) {
        parent.node->items.push_back(std::move(node));
        return;
    }
    if (!parent.key->dropped) {
        parent.node->entries.push_back(
            {std::move(parent.key->text), parent.key->line, std::move(node)}
        );
    }
    parent.key.reset();
}

}  // namespace holdfast
