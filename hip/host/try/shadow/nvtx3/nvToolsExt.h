/* As nvToolsExt.h. */
#include "../nvToolsExt.h"
