"""Reads what viewers are sent, one JSON string a line, and writes what the client makes of it."""

import importlib.util
import json
import sys
from pathlib import Path

path = Path(__file__).parent.parent / "src" / "galop" / "_deltas.py"
spec = importlib.util.spec_from_file_location("deltas", path)
assert spec and spec.loader
module = importlib.util.module_from_spec(spec)
sys.modules["deltas"] = module
spec.loader.exec_module(module)

deltas = module.Deltas()
for line in sys.stdin:
    try:
        made: object = deltas.read(json.loads(line))
    except module.Lost as lost:
        made = {"lost": lost.address} if lost.address else {}
    print(json.dumps(made))
