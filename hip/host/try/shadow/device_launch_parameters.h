/* For a learner's kernel that includes threadIdx and its kind: wavefold try has put them before it. */
