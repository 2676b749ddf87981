/* In place of the header of that name. */
#include "../words/half_words.hpp"
