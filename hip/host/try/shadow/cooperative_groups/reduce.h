/* In place of the header of that name. */
#include "../../words/group_folds.hpp"
