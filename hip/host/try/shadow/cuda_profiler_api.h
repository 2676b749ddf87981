/* cudaProfilerStart() and cudaProfilerStop() do nothing: wavefold try has put them before the file. */
