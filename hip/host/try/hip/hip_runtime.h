/* For a learner's kernel that includes HIP: wavefold try has put the words before it. */
