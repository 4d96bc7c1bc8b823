"""The exact rational answer of a system of doubles, by FLINT; nothing here is of ddla.

Doubles are integers times powers of two.  Rows (of square systems) and columns are multiplied by
powers of two until all is integer, FLINT solves that (Dixon's p-adic lifting, or elimination without
fractions), and what it found is multiplied back and compared with b in integers.
"""
import math

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat


class Singular(Exception):
    """A has not full rank."""


def odd_and_exponent(value):
    """value = odd * 2^exponent, exactly; (0, 0) for zero."""
    if value == 0:
        return 0, 0
    fraction, exponent = math.frexp(value)
    odd = int(math.ldexp(fraction, 53))
    exponent -= 53
    zeros = (odd & -odd).bit_length() - 1
    return odd >> zeros, exponent + zeros


def power_of_two(exponent):
    return fmpq(1 << exponent) if exponent >= 0 else fmpq(1, 1 << -exponent)


def rational(value):
    """A double as a rational number."""
    odd, exponent = odd_and_exponent(value)
    return odd * power_of_two(exponent)


def scaled(rows, columns, entries, scale_rows):
    """(A in integers, row exponents, column exponents): A_ij = integer * 2^(row_i + column_j)."""
    parts = [(i, j, *odd_and_exponent(value)) for i, j, value in entries if value != 0]
    row = [None] * rows
    for i, _, _, e in parts:
        row[i] = e if row[i] is None else min(row[i], e)
    row = [0 if e is None else e for e in row]
    if not scale_rows:
        row = [min(row, default=0)] * rows
    column = [None] * columns
    for i, j, _, e in parts:
        column[j] = e - row[i] if column[j] is None else min(column[j], e - row[i])
    column = [0 if e is None else e for e in column]
    a = fmpz_mat(rows, columns)
    for i, j, odd, e in parts:
        a[i, j] = fmpz(odd) << (e - row[i] - column[j])
    return a, row, column


def scaled_right(b_columns, row):
    """(B in integers, exponents): b_ij = integer * 2^(row_i + exponent_j)."""
    rows = len(row)
    right, shifts = fmpz_mat(rows, len(b_columns)), []
    for k, b in enumerate(b_columns):
        parts = [odd_and_exponent(value) for value in b]
        shift = min((e - row[i] for i, (odd, e) in enumerate(parts) if odd), default=0)
        for i, (odd, e) in enumerate(parts):
            if odd:
                right[i, k] = fmpz(odd) << (e - row[i] - shift)
        shifts.append(shift)
    return right, shifts


def solved(a, right):
    """a^-1 right as (integers, denominator), multiplied back."""
    try:
        top, bottom = a.solve(right).numer_denom()
    except ZeroDivisionError:
        raise Singular from None
    if a * top != right * bottom:
        raise AssertionError("FLINT's answer does not solve the system")
    return top, bottom


def numerators(a, right):
    """Those of the answer of a x = right, of least squares, or of least norm."""
    if a.nrows() == a.ncols():
        return solved(a, right)
    t = a.transpose()
    if a.nrows() > a.ncols():
        return solved(t * a, t * right)
    y, bottom = solved(a * t, right)
    return t * y, bottom


def solve(rows, columns, entries, b_columns):
    """For each b the exact x, a list of rational numbers; Singular if A has not full rank.

    Of more rows than columns x is of least squares, of less it has the least norm: then one power
    of two serves all rows, or all columns."""
    if rows >= columns:
        a, row, column = scaled(rows, columns, entries, rows == columns)
    else:
        turned, column, row = scaled(columns, rows, [(j, i, v) for i, j, v in entries], False)
        a = turned.transpose()
    right, shifts = scaled_right(b_columns, row)
    top, bottom = numerators(a, right)
    return [[fmpq(top[j, k], bottom) * power_of_two(shift - column[j]) for j in range(columns)]
            for k, shift in enumerate(shifts)]


def log10(value):
    """log10 |value| of a rational number that is not zero, to 15 digits or so, of any size."""
    p, q = abs(int(value.p)), int(value.q)
    shift = p.bit_length() - q.bit_length() - 64
    p, q = (p, q << shift) if shift >= 0 else (p << -shift, q)
    return math.log10(p // q) + shift * math.log10(2)


def shortened(value, bits=400):
    """(numerator, exponent) of a rational number cut to so many bits; zero stays zero."""
    p, q = int(value.p), int(value.q)
    exponent = p.bit_length() - q.bit_length() - bits if p else 0
    return (p // (q << exponent) if exponent >= 0 else (p << -exponent) // q), exponent


def lengthened(parts):
    return fmpq(parts[0]) * power_of_two(parts[1])
