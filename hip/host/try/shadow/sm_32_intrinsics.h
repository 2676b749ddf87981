/* In place of the header of that name: wavefold try has put the words before the file. */
