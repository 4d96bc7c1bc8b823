"""Decimal text of exact numbers by Python's format specifications, as float's, but of all digits."""
from __future__ import annotations

import decimal
import re

_spec = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ])?(?P<z>z)?(?P<alternate>#)?(?P<zero>0)?"
    r"(?P<width>[0-9]+)?(?P<grouping>[,_])?(?:\.(?P<precision>[0-9]+))?(?P<type>[eEfFgG%])?", re.S)
# Exact for any sum of two doubles: 309 digits before the point, 1074 behind it.
_digits = 3000


def _context(digits: int) -> decimal.Context:
    return decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN, Emin=-999999, Emax=999999, clamp=0, traps=[])


def _exponent_text(x: decimal.Decimal, precision: int, alternate: bool, letter: str) -> str:
    x = _context(precision + 1).plus(x)
    digits = "".join(map(str, x.as_tuple().digits)).ljust(precision + 1, "0")
    exponent = x.adjusted() if x else 0
    point = "." if precision or alternate else ""
    return f"{digits[0]}{point}{digits[1:precision + 1]}{letter}{exponent:+03d}"


def _fixed_text(x: decimal.Decimal, precision: int, alternate: bool) -> str:
    x = x.quantize(decimal.Decimal((0, (1,), -precision)), context=_context(_digits + precision))
    return f"{x:f}" + ("." if alternate and not precision else "")


def _general_text(x: decimal.Decimal, precision: int, alternate: bool, letter: str) -> str:
    precision = max(precision, 1)
    rounded = _context(precision).plus(x)
    exponent = rounded.adjusted() if rounded else 0
    if -4 <= exponent < precision:
        text, letter, rest = _fixed_text(rounded, precision - 1 - exponent, alternate), "", ""
    else:
        text, letter, rest = _exponent_text(rounded, precision - 1, alternate, letter).partition(letter)
    if "." in text and not alternate:
        text = text.rstrip("0").rstrip(".")
    return text + letter + rest


def _unsigned_text(x: decimal.Decimal, kind: str, precision: int, alternate: bool) -> str:
    if kind in "eE":
        return _exponent_text(x, precision, alternate, kind)
    if kind in "gG":
        return _general_text(x, precision, alternate, "e" if kind == "g" else "E")
    if kind == "%":
        return _fixed_text(_context(_digits).scaleb(x, 2), precision, alternate) + "%"
    return _fixed_text(x, precision, alternate)


def _split(text: str) -> tuple[str, str]:
    """The digits before the point, and the rest."""
    found = re.match("[0-9]*", text)
    end = found.end() if found else 0
    return text[:end], text[end:]


def _grouped(text: str, grouping: str, zeros_to: int) -> str:
    """With a separator at each thousand, and zeros in front up to a width."""
    whole, rest = _split(text)
    shown = f"{int(whole):{grouping}}" if grouping else whole
    while len(shown) + len(rest) < zeros_to:
        whole = "0" + whole
        first = len(whole) % 3 or 3
        shown = grouping.join([whole[:first], *(whole[k:k + 3] for k in range(first, len(whole), 3))]) if grouping else whole
    return shown + rest


def _padded(sign: str, text: str, fill: str, align: str, width: int) -> str:
    missing = max(0, width - len(sign) - len(text))
    if align == "=":
        return sign + fill * missing + text
    before = {"<": 0, ">": missing, "^": missing // 2}[align]
    return fill * before + sign + text + fill * (missing - before)


def format_number(x: decimal.Decimal, shortest: str, spec: str, name: str) -> str:
    """x, exact and finite, by a specification; `shortest` is its text where no digits are asked for.

    Rounded once, from the exact value, ties to even.
    """
    found = _spec.fullmatch(spec)
    if not found:
        raise ValueError(f"invalid format specification {spec!r} for {name}: types are e, f, g and %")
    kind, precision = found["type"], found["precision"]
    size = x.copy_abs()
    if kind is None and precision is None:
        text = shortest.lstrip("-")
    elif kind is None:
        text = _general_text(size, int(precision), bool(found["alternate"]), "e")
    else:
        text = _unsigned_text(size, kind, 6 if precision is None else int(precision), bool(found["alternate"]))
    is_zero = not re.search("[1-9]", re.split("[eE]", text)[0])
    sign = "-" if x.is_signed() and not (found["z"] and is_zero) else {"+": "+", " ": " "}.get(found["sign"] or "", "")
    fill, align, width = found["fill"] or " ", found["align"] or ">", int(found["width"] or 0)
    if found["zero"]:
        fill = found["fill"] or "0"
        align = found["align"] or "="
    zeros_to = width - len(sign) if fill == "0" and align == "=" else 0
    return _padded(sign, _grouped(text, found["grouping"] or "", zeros_to), fill, align, width)
