/* LeetGPU's header declares solve(), which the file defines. */
