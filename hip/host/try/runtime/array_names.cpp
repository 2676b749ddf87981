#include "array_names.hpp"

#include <cctype>

namespace wf::tried {

namespace {

// To the comma that ends the first argument.
std::string first_argument(const std::string &arguments) {
    int depth = 0;
    size_t end = 0;
    for (; end < arguments.size() && (arguments[end] != ',' || depth != 0); end++) {
        depth += arguments[end] == '(' || arguments[end] == '[' || arguments[end] == '{' ? 1 : 0;
        depth -= arguments[end] == ')' || arguments[end] == ']' || arguments[end] == '}' ? 1 : 0;
    }
    return arguments.substr(0, end);
}

// The end of the parenthesis that begins the text.
size_t closing(const std::string &text) {
    int depth = 0;
    for (size_t i = 0; i < text.size(); i++) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return text.size();
}

std::string trimmed(const std::string &text) {
    size_t first = 0, end = text.size();
    while (first < end && (std::isspace(static_cast<unsigned char>(text[first])) != 0 || text[first] == '&'))
        first++;
    while (end > first && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0)
        end--;
    return text.substr(first, end - first);
}

bool is_cast(const std::string &inside) {
    return inside.find('*') != inside.npos && inside.find('&') == inside.npos;
}

} // namespace

std::string name_of_argument(const std::string &arguments) {
    std::string name = trimmed(first_argument(arguments));
    for (bool is_done = false; !is_done;) {
        const std::string before = name;
        const size_t cast = name.find("_cast<"), open = name.find(">(");
        if (cast != name.npos && open != name.npos) { // reinterpret_cast<void **>(&x)
            name = name.substr(open + 1);
        } else if (!name.empty() && name[0] == '(') {
            const size_t end = closing(name);
            const std::string inside = name.substr(1, end - 1), rest = end < name.size() ? name.substr(end + 1) : "";
            name = is_cast(inside) && !rest.empty() ? rest : rest.empty() ? inside : name;
        }
        name = trimmed(name);
        is_done = name == before;
    }
    return name;
}

} // namespace wf::tried
