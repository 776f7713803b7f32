#pragma once
// The events of yaml-cpp gathered into a bounded tree that remembers lines and refuses what a
// configuration has no use for.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

struct YamlNode;
using YamlNodePtr = std::shared_ptr<const YamlNode>;  // shared by aliases

struct YamlEntry {
    std::string key;
    int line = 0;
    YamlNodePtr value;
};

struct YamlNode {
    enum class Kind { text, nothing, list, map };
    Kind kind = Kind::nothing;
    std::string text;
    int line = 0;
    std::vector<YamlEntry> entries;
    std::vector<YamlNodePtr> items;
};

// Ends the parse; caught in read_yaml.
struct YamlRefused {
    int line = 0;
    std::string text;
};

// Two equal keys of one mapping; the second and what it holds are dropped, reading goes on.
struct YamlDuplicate {
    std::string name;
    int first_line = 0;
    int line = 0;
};

class YamlTree final : public YAML::EventHandler {
public:
    YamlNodePtr root() const { return root_; }
    const std::vector<YamlDuplicate>& duplicates() const { return duplicates_; }

    void OnDocumentStart(const YAML::Mark& mark) override;
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnScalar(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        const std::string& value
    ) override;
    void OnSequenceStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        YAML::EmitterStyle::value style
    ) override;
    void OnSequenceEnd() override { close(); }
    void OnMapStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        YAML::EmitterStyle::value style
    ) override;
    void OnMapEnd() override { close(); }

private:
    struct Key {
        std::string text;
        int line = 0;
        bool dropped = false;
    };
    struct Open {
        std::shared_ptr<YamlNode> node;
        YAML::anchor_t anchor = 0;
        std::optional<Key> key;           // waits for its value
        std::map<std::string, int> keys;  // with their lines
    };

    std::shared_ptr<YamlNode>
    node(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag);
    bool wants_key() const;
    std::string name_of(const std::string& key) const;
    void open(std::shared_ptr<YamlNode> node, YAML::anchor_t anchor);
    void close();
    void attach(YamlNodePtr node);

    YamlNodePtr root_;
    std::vector<Open> stack_;
    std::map<YAML::anchor_t, YamlNodePtr> anchors_;
    std::vector<YamlDuplicate> duplicates_;
    std::size_t nodes_ = 0;
    bool document_ = false;
};

}  // namespace holdfast
