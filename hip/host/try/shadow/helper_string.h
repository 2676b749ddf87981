/* Names of the helpers of NVIDIA's samples, for a user's file: options of the command line, as -name=value. */
#ifndef WAVEFOLD_HOST_TRY_HELPER_STRING_H
#define WAVEFOLD_HOST_TRY_HELPER_STRING_H

#include <cstdlib>
#include <cstring>

namespace wf::tried {
/* Behind the name and '='; "" for a name alone; nullptr if the option is not given. */
inline const char *find_option(int count, const char **arguments, const char *name) {
    const size_t length = std::strlen(name);
    for (int i = 1; i < count; i++) {
        const char *text = arguments[i];
        while (*text == '-')
            text++;
        if (std::strncmp(text, name, length) == 0 && (text[length] == '\0' || text[length] == '='))
            return text + length + (text[length] == '=' ? 1 : 0);
    }
    return nullptr;
}
} // namespace wf::tried

inline bool checkCmdLineFlag(int count, const char **arguments, const char *name) {
    return wf::tried::find_option(count, arguments, name) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char **arguments, const char *name) {
    const char *value = wf::tried::find_option(count, arguments, name);
    return value != nullptr ? std::atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(int count, const char **arguments, const char *name) {
    const char *value = wf::tried::find_option(count, arguments, name);
    return value != nullptr ? float(std::atof(value)) : 0;
}
inline bool getCmdLineArgumentString(int count, const char **arguments, const char *name, char **value) {
    const char *found = wf::tried::find_option(count, arguments, name);
    *value = const_cast<char *>(found);
    return found != nullptr;
}

#endif
