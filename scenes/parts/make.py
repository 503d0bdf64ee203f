"""Makes the parts of the scenes with meshes: a screw, its trough, the blades of a mixer, a chute.

python scenes/parts/make.py [FOLDER]     # writes *.stl and *.obj, by default beside this file

Lengths are millimetres; scenes scale them by 0.001. Faces of each part go round so that normals point outwards.
"""

import math
import pathlib
import struct
import sys

Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]


def quad(a: Point, b: Point, c: Point, d: Point) -> list[Triangle]:
    """A face with four corners as two triangles."""
    return [(a, b, c), (a, c, d)]


def tube(radius: float, start: float, end: float, pieces: int) -> list[Triangle]:
    """A closed cylinder along x."""
    ring = [2 * math.pi * k / pieces for k in range(pieces + 1)]
    around = [(radius * math.cos(a), radius * math.sin(a)) for a in ring]
    around[-1] = around[0]
    triangles: list[Triangle] = []
    for (y0, z0), (y1, z1) in zip(around, around[1:]):
        triangles += quad((start, y0, z0), (end, y0, z0), (end, y1, z1), (start, y1, z1))[::-1]
        triangles.append(((start, 0, 0), (start, y0, z0), (start, y1, z1)))
        triangles.append(((end, 0, 0), (end, y1, z1), (end, y0, z0)))
    return triangles


def screw(inner: float, outer: float, pitch: float, thick: float, start: float, turns: float, pieces: int) -> list[Triangle]:
    """The flight of a screw along x: a ribbon of some thickness, closed all round. It reaches into the shaft."""
    count = round(turns * pieces)

    def corner(k: int, radius: float, shift: float) -> Point:
        angle = 2 * math.pi * k / pieces
        return (start + pitch * k / pieces + shift, radius * math.cos(angle), radius * math.sin(angle))

    triangles: list[Triangle] = []
    for k in range(count):
        a, b, c, d = (corner(k, r, s) for s in (0.0, thick) for r in (inner, outer))
        e, f, g, h = (corner(k + 1, r, s) for s in (0.0, thick) for r in (inner, outer))
        for face in ((a, e, f, b), (c, d, h, g), (b, f, h, d), (a, c, g, e)):
            triangles += quad(*face)
    for k, forward in ((0, False), (count, True)):
        a, b, c, d = (corner(k, r, s) for s in (0.0, thick) for r in (inner, outer))
        triangles += quad(a, b, d, c) if not forward else quad(a, c, d, b)
    return triangles


def trough(radius: float, inlet: float, length: float, cover: float, height: float, pieces: int) -> list[Triangle]:
    """A trough along x with a round bottom, steep sides and a plate at x = 0: open above as far as the inlet goes, with sides that guide
    grains in, then under a flat cover. Between the screw and the cover is more room than a grain needs: none is cut off there."""
    triangles: list[Triangle] = []
    angles = [math.pi + math.pi * k / pieces for k in range(pieces + 1)]
    half = [(radius * math.cos(a), radius * math.sin(a)) for a in angles]
    half[0], half[-1] = (-radius, 0.0), (radius, 0.0)
    for (y0, z0), (y1, z1) in zip(half, half[1:]):
        triangles += quad((0, y0, z0), (length, y0, z0), (length, y1, z1), (0, y1, z1))
        triangles += [((0, 0, 0), (0, y0, z0), (0, y1, z1))]
    for y in (-radius, radius):
        triangles += quad((0, y, 0), (inlet, y, 0), (inlet, y, cover), (0, y, cover))
        triangles += quad((0, y, cover), (inlet, y, cover), (inlet, y, height), (0, y, height))
        triangles += quad((inlet, y, 0), (length, y, 0), (length, y, cover), (inlet, y, cover))
    triangles += quad((0, -radius, 0), (0, radius, 0), (0, radius, height), (0, -radius, height))
    triangles += quad((inlet, -radius, cover), (length, -radius, cover), (length, radius, cover), (inlet, radius, cover))
    triangles += quad((inlet, -radius, cover), (inlet, radius, cover), (inlet, radius, height), (inlet, -radius, height))
    return triangles


def blades(shaft: float, radius: float, height: float, count: int, lean: float) -> list[Triangle]:
    """Slanted blades about z, thin boxes."""
    triangles: list[Triangle] = []
    thick = 0.06 * radius
    for k in range(count):
        angle = 2 * math.pi * k / count
        sin, cos = math.sin(angle), math.cos(angle)

        def corner(along: float, across: float, up: float) -> Point:
            across = across + lean * up
            return (along * cos - across * sin, along * sin + across * cos, up)

        box = [corner(r, t, z) for z in (0.0, height) for t in (-thick, thick) for r in (shaft, radius)]
        for a, b, c, d in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
            triangles += quad(box[a], box[b], box[c], box[d])
    return triangles


def chute(width: float, length: float, drop: float, side: float) -> list[Triangle]:
    """A bent chute with sides, open at both ends."""
    profile = [(0.0, drop), (0.5 * length, 0.35 * drop), (length, 0.0)]
    triangles: list[Triangle] = []
    for (x0, z0), (x1, z1) in zip(profile, profile[1:]):
        for y in (0.0, width):
            triangles += quad((x0, y, z0), (x1, y, z1), (x1, y, z1 + side), (x0, y, z0 + side))
        triangles += quad((x0, 0, z0), (x1, 0, z1), (x1, width, z1), (x0, width, z0))
    return triangles


def write_stl(path: pathlib.Path, triangles: list[Triangle]) -> None:
    """Binary STL; normals are left for readers to work out."""
    with path.open("wb") as out:
        out.write(path.stem.encode().ljust(80, b" ") + struct.pack("<I", len(triangles)))
        for triangle in triangles:
            out.write(struct.pack("<12fH", 0, 0, 0, *(x for corner in triangle for x in corner), 0))


def write_obj(path: pathlib.Path, triangles: list[Triangle]) -> None:
    """OBJ, with each vertex once."""
    numbers: dict[Point, int] = {}
    faces = [[numbers.setdefault(corner, len(numbers) + 1) for corner in triangle] for triangle in triangles]
    lines = [f"v {x:g} {y:g} {z:g}" for x, y, z in numbers] + ["f " + " ".join(map(str, face)) for face in faces]
    path.write_text("\n".join(lines) + "\n")


def main() -> None:
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    write_stl(folder / "screw.stl", tube(10, -5, 245, 24) + screw(9, 39, 50, 3, -48, 5.7, 32))
    write_stl(folder / "trough.stl", trough(40, 110, 230, 56, 130, 24))
    write_stl(folder / "blades.stl", blades(8, 44, 25, 4, 0.6))
    write_obj(folder / "chute.obj", chute(60, 240, 120, 40))


main()
