"""What ddla raises beside TypeError.  Each message is one sentence with the numbers."""


class Error(Exception):
    """Base of the classes below."""


class InputError(Error, ValueError):
    """The data are wrong: shapes, indices, values that are not finite, a malformed file, an option."""


class ResourceError(Error, RuntimeError):
    """The machine cannot: memory, limits of factors, a full disk, no such device."""


class LimitError(ResourceError):
    """Factors would take more than an option allows: ``limit`` is "work", "memory" or "fill", of most_work, …"""

    def __init__(self, text: str, limit: str | None = None) -> None:
        super().__init__(text)
        self.limit = limit


class InternalError(Error, RuntimeError):
    """ddla is wrong, or was built by a compiler that broke its arithmetic."""
