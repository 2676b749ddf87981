/* In place of the header of that name. */
#include "../../words/bfloat_words.hpp"
