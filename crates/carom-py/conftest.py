"""Provides the name `carom` to the examples in docstrings, as after `import carom`."""

import pytest

import carom


@pytest.fixture(autouse=True)
def _name_in_examples(doctest_namespace):
    doctest_namespace["carom"] = carom
