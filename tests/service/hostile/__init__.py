"""The hostile corpus: tables of requests with the answers they must get."""

from . import bodies, calls, fields, json_texts, lines, schema
from .cases import Table

MODULES = (lines, fields, bodies, calls, json_texts, schema)


def tables():
    return [table for module in MODULES for table in vars(module).values() if isinstance(table, Table)]


def cases():
    return [case for table in tables() for case in table.cases]
