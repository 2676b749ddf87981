/* CUDA's runtime for a user's file: wavefold try has put its names before the file. */
