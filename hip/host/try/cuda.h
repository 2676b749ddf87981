/* For a learner's kernel that includes CUDA's driver: wavefold try has put the words before it. */
