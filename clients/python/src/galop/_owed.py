"""Answers that may be on their way when nobody waits for them any more."""

#: Of more filters, answers that are still on their way may end the next subscription.
_MAX_FILTERS = 1_000


class Owed:
    """How many refusals may still come of subscriptions that have ended, for each filter and over one connection.

    A refusal names the filter only. The node answers in the order in which it is asked, so these come first. It may be
    more than come: of what is accepted and ended at once the node says nothing.
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, filter: str, count: int) -> None:
        if count == 0:
            return
        if filter not in self._counts and len(self._counts) >= _MAX_FILTERS:
            self._counts.clear()
        self._counts[filter] = self._counts.get(filter, 0) + count

    def take(self, filter: str) -> bool:
        """Whether a refusal may be an earlier subscription's; one less is owed then."""
        count = self._counts.pop(filter, 0)
        if count > 1:
            self._counts[filter] = count - 1
        return count > 0

    def forget(self, filter: str) -> None:
        """The subscription of now is accepted: what was refused before has been said."""
        self._counts.pop(filter, None)

    def clear(self) -> None:
        """Another connection."""
        self._counts.clear()
