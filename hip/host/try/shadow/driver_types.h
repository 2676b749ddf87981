/* Types of CUDA's runtime for a user's file: wavefold try has put them before the file. */
