/* In place of the header of that name. */
#include "../../words/block_words.hpp"
