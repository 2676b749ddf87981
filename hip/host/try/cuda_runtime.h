/* For a learner's kernel that includes CUDA: wavefold try has put the words before it. */
