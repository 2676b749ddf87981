/* In place of the header of that name. */
#include "../../words/groups.hpp"
