#include <holdfast/config/limits.h>
#include <holdfast/settings/config_file.h>

#include <support/temporary_folder.h>

#include <filesystem>
#include <fstream>

namespace holdfast {
namespace {

class ConfigFileSearch : public ::testing::Test {
protected:
    std::filesystem::path folder(const char* name) {
        const std::filesystem::path path = temporary_.path() / name;
        std::filesystem::create_directories(path);
        return path;
    }
    static void write(const std::filesystem::path& path, const std::string& text) {
        std::ofstream(path) << text;
    }

    testing::TemporaryFolder temporary_;
};

TEST_F(ConfigFileSearch, the_first_folder_with_a_file_wins) {
    const auto first = folder("first");
    const auto second = folder("second");
    const auto third = folder("third");
    write(second / "application.yml", "b");
    write(third / "application.yaml", "c");
    const ConfigFileOutcome outcome =
        find_config_file({first, second, third, temporary_.path() / "none"});
    ASSERT_TRUE(outcome.file);
    EXPECT_EQ(outcome.file->name, (second / "application.yml").string());
    EXPECT_EQ(outcome.file->text, "b");
}

TEST_F(ConfigFileSearch, no_file_is_no_problem) {
    const ConfigFileOutcome outcome = find_config_file({folder("empty")});
    EXPECT_FALSE(outcome.file);
    EXPECT_FALSE(outcome.problem);
}

TEST_F(ConfigFileSearch, two_files_in_one_folder_are_a_problem) {
    const auto both = folder("both");
    write(both / "application.yml", "a");
    write(both / "application.yaml", "b");
    const ConfigFileOutcome outcome = find_config_file({both});
    ASSERT_TRUE(outcome.problem);
    EXPECT_EQ(
        outcome.problem->line(),
        (both / "application.yaml").string() + ": stands beside " +
            (both / "application.yml").string() + "; remove one of them"
    );
}

TEST_F(ConfigFileSearch, a_file_that_cannot_be_read_is_a_problem_with_its_name) {
    const auto missing = temporary_.path() / "missing.yaml";
    EXPECT_EQ(
        read_config_file(missing).problem.value().line(),
        missing.string() + ": cannot be read: No such file or directory"
    );
    EXPECT_EQ(
        read_config_file(folder("folder")).problem.value().text,
        "cannot be read: it is a folder; name a YAML file"
    );
}

TEST_F(ConfigFileSearch, no_more_than_the_bound_is_read) {
    const auto large = temporary_.path() / "large.yaml";
    write(large, std::string(2 * config_file_bytes_max, '#'));
    EXPECT_EQ(read_config_file(large).file.value().text.size(), config_file_bytes_max + 1);
}

TEST_F(ConfigFileSearch, the_default_folders_are_those_of_the_documentation) {
    EXPECT_THAT(default_config_folders(), ::testing::ElementsAre("config", ".", "/etc/holdfast"));
}

}  // namespace
}  // namespace holdfast
