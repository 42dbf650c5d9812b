"""Makes the files of this folder with Google's implementation: see README.md."""

import json
import subprocess
import sys

FILES = ["kinds", "legacy", "tree"]
subprocess.run(
    [sys.executable, "-m", "grpc_tools.protoc", "-I.", "--include_imports", "--descriptor_set_out=all.binpb"]
    + [f"{name}.proto" for name in FILES],
    check=True,
)

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

files = descriptor_pb2.FileDescriptorSet.FromString(open("all.binpb", "rb").read())
pool = descriptor_pool.DescriptorPool()
for file in files.file:
    pool.Add(file)
cls = lambda name: message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def write(name, messages, rows):
    """Messages with their lengths, and the rows that are expected of them, written down apart."""
    with open(f"{name}.bin", "wb") as out:
        for message in messages:
            data = message.SerializeToString(deterministic=True)
            out.write(varint(len(data)) + data)
    with open(f"{name}.jsonl", "w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


Kinds = cls("test.kinds.Kinds")
empty = {
    "double_": 0.0, "float_": 0.0, "int32_": 0, "int64_": 0, "uint32_": 0, "uint64_": 0, "sint32_": 0, "sint64_": 0,
    "fixed32_": 0, "fixed64_": 0, "sfixed32_": 0, "sfixed64_": 0, "bool_": False, "string_": "", "bytes_": [],
    "color": "COLOR_NONE", "maybe_number": None, "maybe_text": None, "maybe_color": None, "inner": None, "nothing": None,
    "packed": [], "unpacked": [], "flags": [], "doubles": [], "texts": [], "colors": [], "points": [], "counts": {},
    "places": {}, "words": {}, "by_number": {}, "choice": None, "time": None, "duration": None, "wrapped_number": None,
    "wrapped_text": None, "wrapped_flags": [], "object": None, "value": None, "list": None, "any": None, "empty": None,
    "another-name": "",
}
messages, rows = [Kinds()], [empty]

full = Kinds(
    double_=-0.1, float_=1.5, int32_=-(2**31), int64_=-(2**63), uint32_=2**32 - 1, uint64_=2**64 - 1, sint32_=-(2**31),
    sint64_=2**63 - 1, fixed32_=2**32 - 1, fixed64_=2**63, sfixed32_=-1, sfixed64_=-(2**63), bool_=True,
    string_="Größe ✓", bytes_=b"\x00\xff", color=5, maybe_number=0, maybe_text="", maybe_color=-1,
    packed=[1, -1, 300], unpacked=[0, -(2**63), 7], flags=[True, False], doubles=[0.5, -0.0], texts=["", "b"],
    colors=[0, 5, -1], counts={"b": 2, "a": -1}, words={True: "yes"},
    by_number={2**64 - 1: 5}, wrapped_number={"value": 0}, wrapped_text={"value": "w"}, renamed="r",
)
full.inner.text = "in"
full.inner.list.add(number=-3)
full.inner.list.add()
full.nothing.SetInParent()
full.points.add(x=1)
full.points.add()
full.places[-7].y = 2.5
full.places[3].SetInParent()
full.point.x = 9
full.time.seconds, full.time.nanos = 253402300799, 999999999
full.duration.seconds, full.duration.nanos = -5, -500000000
full.wrapped_flags.add(value=True)
full.wrapped_flags.add()
full.object.update({"b": [1, None, "x"], "a": {"deep": True}, "c": 0.25})
full.value.number_value = 7
full.list.extend(["x", 1.5])
full.any.type_url, full.any.value = "type.googleapis.com/test.kinds.Point", b"\x09\x00"
full.empty.SetInParent()
messages.append(full)
rows.append({
    "double_": -0.1, "float_": 1.5, "int32_": -(2**31), "int64_": -(2**63), "uint32_": 2**32 - 1,
    "uint64_": 2**64 - 1, "sint32_": -(2**31), "sint64_": 2**63 - 1, "fixed32_": 2**32 - 1, "fixed64_": 2**63,
    "sfixed32_": -1, "sfixed64_": -(2**63), "bool_": True, "string_": "Größe ✓", "bytes_": [0, 255],
    "color": "COLOR_RED", "maybe_number": 0, "maybe_text": "", "maybe_color": "COLOR_BLUE",
    "inner": {"text": "in", "list": [{"number": -3}, {"number": 0}]}, "nothing": {}, "packed": [1, -1, 300],
    "unpacked": [0, -(2**63), 7], "flags": [True, False], "doubles": [0.5, -0.0], "texts": ["", "b"],
    "colors": ["COLOR_NONE", "COLOR_RED", "COLOR_BLUE"], "points": [{"x": 1.0, "y": 0.0}, {"x": 0.0, "y": 0.0}],
    "counts": {"a": -1, "b": 2}, "places": {"-7": {"x": 0.0, "y": 2.5}, "3": {"x": 0.0, "y": 0.0}},
    "words": {"true": "yes"}, "by_number": {"18446744073709551615": "COLOR_RED"},
    "choice": {"point": {"x": 9.0, "y": 0.0}}, "time": {"seconds": 253402300799, "nanos": 999999999},
    "duration": {"seconds": -5, "nanos": -500000000}, "wrapped_number": 0, "wrapped_text": "w",
    "wrapped_flags": [True, False],
    "object": "{\"a\":{\"deep\":true},\"b\":[1.0,null,\"x\"],\"c\":0.25}", "value": "7.0", "list": "[\"x\",1.5]",
    "any": {"type_url": "type.googleapis.com/test.kinds.Point", "value": [9, 0]}, "empty": None, "another-name": "r",
})
for choice, value in [("name", ""), ("chosen", 5), ("raw", b"r"), ("none", None)]:
    # Of several entries, this implementation does not sort keys of these types.
    message = Kinds(words={False: "no"}, by_number={0: 0})
    if value is None:
        message.none.SetInParent()
    else:
        setattr(message, choice, value)
    messages.append(message)
    shown = {"chosen": "COLOR_RED", "raw": [114]}.get(choice, value)
    rows.append({**empty, "words": {"false": "no"}, "by_number": {"0": "COLOR_NONE"}, "choice": {choice: shown}})
write("kinds", messages, rows)

Legacy = cls("test.legacy.Legacy")
few = Legacy(id=-1)
many = Legacy(id=0, name="n", level=1, unpacked=[1, -2], packed=[3, -4], levels=[2, 1])
many.result.url = "u"
many.result.nested.count = 2**64 - 1
many.part.add(data=b"")
many.part.add()
many.both.yes = True
rank = pool.FindExtensionByName("test.legacy.rank")
marks = pool.FindExtensionByName("test.legacy.marks")
few.Extensions[rank] = -9
many.Extensions[marks].extend(["m", ""])
big = Legacy(id=2, big=2**63)
nothing = {"name": None, "level": None, "unpacked": [], "packed": [], "levels": [], "result": None, "part": []}
write("legacy", [few, many, big], [
    {"id": -1, **nothing, "either": None, "[test.legacy.rank]": -9, "[test.legacy.marks]": []},
    {"id": 0, "name": "n", "level": "LOW", "unpacked": [1, -2], "packed": [3, -4], "levels": ["HIGH", "LOW"],
     "result": {"url": "u", "nested": {"count": 2**64 - 1}}, "part": [{"data": []}, {"data": None}],
     "either": {"both": {"yes": True}}, "[test.legacy.rank]": None, "[test.legacy.marks]": ["m", ""]},
    {"id": 2, **nothing, "either": {"big": 2**63}, "[test.legacy.rank]": None, "[test.legacy.marks]": []},
])
Later = cls("test.legacy.Later")
write("later", [Later(id=1, added=5, more=["a", "b"]), Later(id=2, name="x")], [
    {"id": 1, **nothing, "either": None, "[test.legacy.rank]": None, "[test.legacy.marks]": []},
    {"id": 2, **nothing, "name": "x", "either": None, "[test.legacy.rank]": None, "[test.legacy.marks]": []},
])

Node = cls("test.tree.Node")
leaf, root = Node(name="leaf"), Node(name="root")
root.children.add(name="child").children.add(name="grandchild")
root.links["l"].name = "link"
write("tree", [leaf, root], [
    {"name": "leaf", "children": [], "links": {}},
    {"name": "root", "children": [{"name": "child", "children": [{"name": "grandchild"}], "links": {}}],
     "links": {"l": {"name": "link", "children": [], "links": {}}}},
])
