/* In place of the header of that name. */
#include "../../words/vector_operators.hpp"
