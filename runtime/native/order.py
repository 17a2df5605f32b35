"""The order in which a basic block computes its values: one in which few of them wait in registers.

a = in[0]            a = in[0]
b = in[1]            b = in[1]
c = in[2]      ->    p = multiply(a, b)
d = in[3]            c = in[2]
p = multiply(a, b)   q = add(p, c)
q = add(p, c)        d = in[3]
r = add(q, d)        r = add(q, d)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

FEW = 8  # values that are alive at once: half of the registers, which two vectors share

Arguments = Mapping[str, Sequence[str]]


def in_order_of_use(names: Sequence[str], arguments: Arguments, roots: Sequence[str]) -> Sequence[str]:
    """The values of a basic block in the order as given, but each of those without arguments before its first reader;
    or from the roots on, each before its reader, if fewer of them are alive at once then.

    Args:
        names: all values, each after its arguments.
        arguments: of values that are computed.
        roots: values that are needed at the end.
    """
    near = _before_readers(names, arguments)
    alive = _most_alive(near, arguments, roots)
    if alive <= FEW:
        return near
    deep = _from_roots(arguments, roots)
    return deep if len(deep) == len(near) and _most_alive(deep, arguments, roots) < alive else near


def _before_readers(names: Sequence[str], arguments: Arguments) -> list[str]:
    order: dict[str, None] = {}
    for name in names:
        if name in arguments:
            order.update(dict.fromkeys(arguments[name]))
            order[name] = None
    order.update(dict.fromkeys(names))  # those that nothing reads
    return list(order)


def _from_roots(arguments: Arguments, roots: Sequence[str]) -> list[str]:
    """Each value after its arguments, those first that need the most registers (R. Sethi and J. D. Ullman, 1970)."""
    order: dict[str, None] = {}
    needs: dict[str, int] = {}
    for root in roots:
        _count(root, arguments, needs)
        pending = [root]
        while pending:
            name = pending[-1]
            missing = [each for each in arguments.get(name, ()) if each not in order]
            if missing:
                pending += sorted(missing, key=needs.__getitem__)  # the last one is the next
            else:
                order[pending.pop()] = None
    return list(order)


def _count(root: str, arguments: Arguments, needs: dict[str, int]) -> None:
    """Note how many registers a value and those before it need, if nothing else reads these."""
    pending = [root]
    while pending:
        name = pending[-1]
        missing = [each for each in arguments.get(name, ()) if each not in needs]
        if missing:
            pending += missing
            continue
        before = sorted([needs[each] for each in arguments.get(name, ())], reverse=True)
        needs[pending.pop()] = max([1, *[count + others for others, count in enumerate(before)]])


def _most_alive(order: Sequence[str], arguments: Arguments, roots: Sequence[str]) -> int:
    """How many values are alive at once, at most, if they are computed in this order."""
    last = {each: at for at, name in enumerate(order) for each in arguments.get(name, ())}
    for name in roots:
        last.pop(name, None)
    alive = most = 0
    for at, name in enumerate(order):
        alive += 1
        most = max(most, alive)
        alive -= sum(last.get(each) == at for each in {*arguments.get(name, ())})
    return most
