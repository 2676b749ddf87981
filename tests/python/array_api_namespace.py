"""NumPy's namespace with wavefold's functions, for the array API's test suite (github.com/data-apis/array-api-tests).

    git clone --recursive https://github.com/data-apis/array-api-tests && cd array-api-tests
    PYTHONPATH=$WAVEFOLD/build/python:$WAVEFOLD/tests/python ARRAY_API_TESTS_MODULE=array_api_namespace \\
        pytest --max-examples 300 array_api_tests/test_{statistical,searching,sorting}_functions.py \\
        array_api_tests/test_s{ignatures,pecial_cases}.py \\
        -k "sum or mean or prod or min or max or std or var or sort or nonzero or argm"

Four tests fail, by complex numbers alone, which wavefold does not have.
"""
from numpy import *  # noqa: F403
from numpy import __array_namespace_info__, astype  # noqa: F401

from wavefold import (argmax, argmin, argsort, count_nonzero, cumulative_sum, max, mean, min, prod, sort,  # noqa: F401
                      std, sum, var)

__array_api_version__ = "2024.12"
