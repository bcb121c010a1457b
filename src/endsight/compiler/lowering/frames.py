"""Statements of one function of rules or kernels, as instructions.

A generator is written into the loop over it: its statements, with the loop's body in place of every `yield`, or, if
there are many, with a jump to one shared body and back.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from endsight.compiler.lowering.emitter import constant
from endsight.compiler.lowering.kinds import NOTHING, WORD, Operand, RowKind, Unsuited, fixed, whole
from endsight.compiler.lowering.names import Context, Exits, Gathered, Named, Names, Room, without_values
from endsight.compiler.lowering.operations import OPERATIONS
from endsight.compiler.lowering.operations.boards import Passing
from endsight.compiler.lowering.operations.memory import es_load, es_store
from endsight.compiler.lowering.operations.spans import Span, span_of
from endsight.compiler.lowering.straight import is_straight, straight
from endsight.compiler.lowering.unrolling import is_written_out, known_turns, write_out
from endsight.compiler.refusal import CannotCompile
from endsight.game.numbers import count_text

if TYPE_CHECKING:
    from endsight.compiler.lowering.unit import Builder, Definition

MOST_YIELDS = 6
"""A generator with more places to yield than that jumps to one copy of the loop's body."""
MOST_CHOICES = 2
"""What `play` may choose between where moves are gathered: with more, constants in moves are worth more than jumps."""
MOST_GATHERED = 256
"""Up to so many moves are written down before the body runs for the first of them."""


class Frame(Named):
    """One function, as far as it is written."""

    def __init__(self, unit: Builder, function: ir.Function, definition: Definition) -> None:
        super().__init__(unit, function, Context(0, definition.file, definition.stored))
        self.contexts = 1
        self.ends: list[tuple[Any, Operand]] = []

    def whole_function(
        self, definition: Definition, arguments: dict[str, Operand], gives: Passing | None = None
    ) -> Passing:
        """Write the whole function, and return the shape of its result; `gives` is that of one that calls itself."""
        for key, value in arguments.items():
            self.enter(key, value)
        if not self.unit.is_ours(definition.file) and is_straight(definition.syntax.body):
            self._end_with(straight(self, definition.syntax.body))
        else:
            self.block(definition.syntax.body)
        if not self.builder.block.is_terminated:
            self.ends.append((self.builder.block, Operand(NOTHING)))
        self.rooms.branch(self.function.blocks[1])
        return self._leave(gives)

    def _leave(self, gives: Passing | None) -> Passing:
        """Write the ends of the function, all of one kind."""
        values = [value for _, value in self.ends] or [Operand(NOTHING)]
        kind = values[0].kind if gives is None else gives.kind
        for value in values:
            if value.kind != kind:
                raise Unsuited(f"cannot unify {kind.name} and {value.kind.name} as results")
        shape = gives or Passing.of(*values)
        for block, value in self.ends:
            self.builder.position_at_end(block)
            self.tell_fault()
            parts = shape.words(value)
            if not parts:
                self.builder.ret_void()
            elif len(parts) == 1:
                self.builder.ret(parts[0])
            else:
                result = ir.Constant(ir.LiteralStructType([part.type for part in parts]), ir.Undefined)
                for number, part in enumerate(parts):
                    result = self.builder.insert_value(result, part, number)
                self.builder.ret(result)
        return shape

    def spans_of_results(self, shape: Passing) -> tuple[Span, ...]:
        """Between which numbers each word of the result is."""
        if not all(each == WORD for each in shape.types()):
            return ()
        ends = [[span_of(self, word) for word in shape.words(value)] for _, value in self.ends]
        return tuple((min(each[0] for each in word), max(each[1] for each in word)) for word in zip(*ends, strict=True))

    # ---------------------------------------------------------------- statements

    def block(self, statements: list[ast.stmt]) -> None:
        """Statements in order, up to the first that leaves."""
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """One statement."""
        method = getattr(self, "_do_" + type(node).__name__.lower(), None)
        file = self.context.file
        try:
            if method is None:
                raise Unsuited(f"{type(node).__name__} has no machine code here")
            method(node)
        except Unsuited as reason:
            if self.unit.is_ours(file):
                raise
            raise CannotCompile(str(reason), file, getattr(node, "lineno", None)) from reason

    def _do_pass(self, node: ast.Pass) -> None:
        return

    def _do_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Yield):
            assert node.value.value is not None
            if self.context.yields is None:
                raise Unsuited("yield outside of a loop over moves")
            self.context.yields(self.expression(node.value.value))
        elif not isinstance(node.value, ast.Constant):
            self.expression(node.value)

    def _do_assign(self, node: ast.Assign) -> None:
        value = self.expression(node.value)
        for target in node.targets:
            self._put(target, value)

    def _put(self, target: ast.expr, value: Operand) -> None:
        if isinstance(target, ast.Name):
            self.store(target.id, value)
        elif isinstance(target, ast.Subscript):
            es_store(self, self.expression(target.value), self.expression(target.slice), value)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value.kind, RowKind) or len(value.part) != len(target.elts):
                raise Unsuited(f"a {value.kind.name} is not {count_text(len(target.elts), 'value')}")
            for part, item in zip(target.elts, value.part, strict=True):
                self._put(part, item)
        else:
            raise Unsuited(f"{ast.unparse(target)} cannot be given a value")

    def _do_augassign(self, node: ast.AugAssign) -> None:
        value = self.expression(node.value)
        if isinstance(node.target, ast.Name):
            self.store(node.target.id, self.calculated(node.op, self.read(node.target.id), value))
            return
        assert isinstance(node.target, ast.Subscript)
        memory, index = self.expression(node.target.value), self.expression(node.target.slice)
        es_store(self, memory, index, self.calculated(node.op, es_load(self, memory, index), value))

    def _do_return(self, node: ast.Return) -> None:
        if self.context.yields is not None:
            assert self.context.leaves is not None
            self._jump(self.context.leaves.stop, self.context.leaves.stopped)
            return
        self._end_with(Operand(NOTHING) if node.value is None else self.settled(self.expression(node.value)))

    def _end_with(self, value: Operand) -> None:
        self.ends.append((self.builder.block, value))
        # The instruction itself is written when the kind of all results is known.
        self.builder.position_at_end(self.builder.append_basic_block("never"))
        self.builder.unreachable()

    def _do_break(self, node: ast.Break) -> None:
        self._jump(self.context.loops[-1].stop, self.context.loops[-1].stopped)

    def _do_continue(self, node: ast.Continue) -> None:
        self._jump(self.context.loops[-1].further, self.context.loops[-1].went_on)

    def _jump(self, block: Any, ways: list[Names]) -> None:
        self.builder.branch(block)
        ways.append(dict(self.names))

    def _do_if(self, node: ast.If) -> None:
        bit = self.truth(node.test)
        if isinstance(bit, bool):
            self.block(node.body if bit else node.orelse)
            return
        if not node.orelse and self._only_gathers(node.body):
            self.reached, outer = bit, self.reached
            self.block(node.body)
            self.reached = outer
            return
        yes, after = (self.builder.append_basic_block(each) for each in ("then", "after"))
        no = self.builder.append_basic_block("else") if node.orelse else after
        self.builder.cbranch(bit, yes, no)
        before = dict(self.names)
        ways: list[Names] = [] if node.orelse else [before]
        for block, statements in ((yes, node.body), (no, node.orelse)):
            if statements:
                self.names = dict(before)
                self.builder.position_at_end(block)
                self.block(statements)
                if not self.builder.block.is_terminated:
                    self._jump(after, ways)
        self._go_on(after, ways)

    def _only_gathers(self, statements: list[ast.stmt]) -> bool:
        """Whether statements are one `yield` that only writes down what costs little.

        It writes in any case, and its condition counts it, as the processor cannot predict a jump.
        """
        added = statements[0].value if isinstance(statements[0], ast.Expr) else None
        if len(statements) > 1 or not isinstance(added, ast.Yield) or not self.context.gathers:
            return False
        costly = [each for each in ast.walk(added) if isinstance(each, ast.Call | ast.IfExp | ast.BoolOp)]
        return all(isinstance(each, ast.Call) and ast.unparse(each.func) in OPERATIONS for each in costly)

    def _go_on(self, block: Any, ways: list[Names]) -> None:
        """Continue after code that may have been left in those ways."""
        self.builder.position_at_end(block)
        if ways:
            self.meet(ways)
        else:
            self.builder.unreachable()

    # ---------------------------------------------------------------- loops

    @contextmanager
    def _looking_back(self, before: Names, ends: list[list[Names]]) -> Iterator[None]:
        """A loop's turns, which begin with those names and end with any of `ends`."""
        seen, self.seen, self.names = self.seen, set(), without_values(self.names)
        yield
        self.again(before, [names for ways in ends for names in ways])
        self.seen |= seen

    def _do_while(self, node: ast.While) -> None:
        is_endless = isinstance(node.test, ast.Constant) and bool(node.orelse)
        with self._escaping(node.orelse) if is_endless and self.escape is None else nullcontext():
            self._while(node)

    @contextmanager
    def _escaping(self, statements: list[ast.stmt]) -> Iterator[None]:
        """Let a fault, even an earlier one, lead to these statements: it may be all that ends a loop."""
        faulty, before = self.builder.append_basic_block("faulty"), dict(self.names)
        self.tell_fault()
        self.escape, self.is_watchful = faulty, True
        self.escape_if_faulty()
        yield
        self.unit.finds_in_loop = self.unit.finds_in_loop or self.finds_in_loop
        self.escape, after, further = None, self.names, self.builder.block
        self.names = without_values(before)
        self.builder.position_at_end(faulty)
        self.block(statements)
        self.names = after
        self.builder.position_at_end(further)

    def _while(self, node: ast.While) -> None:
        head, after = self.builder.append_basic_block("while"), self.builder.append_basic_block("after")
        loop, before, out = Exits(after, head), dict(self.names), []
        with self._looking_back(before, [loop.went_on]):
            self.builder.branch(head)
            self.builder.position_at_end(head)
            bit = self.truth(node.test)
            if not isinstance(bit, bool):
                body, done = self.builder.append_basic_block("turn"), self.builder.append_basic_block("done")
                self.builder.cbranch(bit, body, done)
                self.builder.position_at_end(body)
                out.append(done)
            elif not bit:
                out.append(self.builder.block)
            if bit is not False:
                self._turn(node.body, loop)
        self._else(node.orelse, out, [before, *loop.went_on], loop)

    def _turn(self, statements: list[ast.stmt], loop: Exits) -> None:
        """The body of a loop, up to where it continues."""
        self.context.loops.append(loop)
        self.block(statements)
        self.context.loops.pop()
        if not self.builder.block.is_terminated:
            self._jump(loop.further, loop.went_on)

    def _else(self, statements: list[ast.stmt], out: list[Any], ways: list[Names], loop: Exits) -> None:
        """What comes after the last turn, and then after the loop."""
        if out:
            self.builder.position_at_end(out[0])
            self.meet(ways)
            self.block(statements)
            if not self.builder.block.is_terminated:
                self._jump(loop.stop, loop.stopped)
        self._go_on(loop.stop, loop.stopped)

    def _do_for(self, node: ast.For) -> None:
        called, given = (ast.unparse(node.iter.func), node.iter.args) if isinstance(node.iter, ast.Call) else ("", [])
        if called == "range":
            self._over_range(node, [whole(self.word(self.expression(part))) for part in given])
        elif called in self.unit.definitions and self.unit.definitions[called].is_generator:
            self._over_moves(node, self.unit.definitions[called], [self.expression(part) for part in given])
        else:
            raise Unsuited(f"a loop over {ast.unparse(node.iter)} has no machine code here")

    def _over_range(
        self, node: ast.For, parts: list[Operand], item: Callable[[Operand], Operand] | None = None
    ) -> None:
        """A loop over numbers, or items with them, whose turns are counted apart from the loop's name."""
        start, stop, step = [fixed(0), *parts, fixed(1)] if len(parts) == 1 else [*parts, fixed(1)][:3]
        known, builder = step.known, self.builder
        counter = self.room(WORD)
        is_up: Any = isinstance(known, int) and known == 1
        builder.store(start.part if is_up else constant(0), counter)
        end = self.lasting(stop.part if is_up else self._turns(start.part, stop.part, step.part))
        begin, stride = self.lasting(start.part), self.lasting(step.part)
        head, body, further, done, after = (
            builder.append_basic_block(each) for each in ("for", "turn", "further", "done", "after")
        )
        loop, before = Exits(after, further), dict(self.names)
        with self._looking_back(before, [loop.went_on]):
            builder.branch(head)
            builder.position_at_end(head)
            at = builder.load(counter)
            compare = builder.icmp_signed if is_up else builder.icmp_unsigned
            builder.cbranch(compare("<", at, end()), body, done)
            builder.position_at_end(body)
            number = whole(at if is_up else builder.add(begin(), builder.mul(at, stride())))
            ends = [each.known for each in (start, stop, step) if isinstance(each.known, int)]
            if len(ends) == 3 and known and (turns := range(*ends)):
                self.spans[number.part] = min(turns[0], turns[-1]), max(turns[0], turns[-1])
            self._put(node.target, number if item is None else item(number))
            self._turn(node.body, loop)
            self.builder.position_at_end(further)
            self.builder.store(self.builder.add(self.builder.load(counter), constant(1)), counter)
            back = self.builder.branch(head)
        is_of_rules = not self.unit.is_ours(self.context.file)
        if is_of_rules and self.unit.lengths and is_written_out(node, self.unit.definitions):
            self.unit.loop_mark = write_out(back, self.function.module)
        self._else(node.orelse, [done], [before, *loop.went_on], loop)

    def _turns(self, start: Any, stop: Any, step: Any) -> Any:
        """How many numbers a range has; every number fits, as the count has no sign."""
        builder = self.builder
        is_up = builder.icmp_signed(">", step, constant(0))
        low, high = builder.select(is_up, start, stop), builder.select(is_up, stop, start)
        size = builder.select(is_up, step, builder.neg(step))
        span = builder.sub(builder.sub(high, low), constant(1))
        count = builder.add(builder.udiv(span, builder.select(self._is_none(size), constant(1), size)), constant(1))
        is_empty = builder.or_(builder.icmp_signed("<=", high, low), self._is_none(size))
        return builder.select(is_empty, constant(0), count)

    def _is_none(self, word: Any) -> Any:
        return self.builder.icmp_signed("==", word, constant(0))

    # ---------------------------------------------------------------- loops over generators

    def _over_moves(self, node: ast.For, definition: Definition, arguments: list[Operand]) -> None:
        """The generator's statements, with the loop's body at every `yield`."""
        own, done = self.context, self.builder.append_basic_block("done")
        leaving, before = Exits(done, None), dict(self.names)
        inner = Context(self.contexts, definition.file, definition.stored, leaves=leaving, is_copied=own.is_copied)
        self.contexts += 1
        most = self._most_yields(definition.syntax.body) if self._may_gather(definition, own) else 0
        if MOST_YIELDS < most <= MOST_GATHERED:
            gathered = Gathered(self, int(most))
            inner.yields, inner.gathers = gathered.add, True
            self._generate(definition, arguments, inner, done)
            self._go_on(done, leaving.stopped)
            if gathered.kind is None:
                self.block(node.orelse)
            elif leaving.stopped:
                self._over_range(node, [whole(self.builder.load(gathered.count))], gathered.item)
            return
        after = self.builder.append_basic_block("after")
        loop = Exits(after, None)
        body = _Body(self, node, own, loop, is_copied=definition.yields > 1)
        is_short = definition.yields <= MOST_YIELDS
        inner.yields = body.here if is_short else body.there
        inner.is_left = own.is_left or not is_short
        if not is_short:
            definition.require_few_resumed()
        with self._looking_back(before, [body.ends]):
            self._generate(definition, arguments, inner, done)
            body.finish()
        ways = [*leaving.stopped, *body.ends]
        self.builder.position_at_end(done)
        if not leaving.stopped:
            self.builder.unreachable()
            self._go_on(after, loop.stopped)
            return
        self._else(node.orelse, [done], ways, loop)

    def _generate(self, definition: Definition, arguments: list[Operand], inner: Context, done: Any) -> None:
        """The statements of a generator."""
        own, self.context = self.context, inner
        for key, value in self.unit.bound(definition, arguments).items():
            self.enter(key, value)
        self.block(definition.syntax.body)
        assert inner.leaves is not None
        if not self.builder.block.is_terminated:
            self._jump(done, inner.leaves.stopped)
        self.context = own

    def _may_gather(self, definition: Definition, own: Context) -> bool:
        """Whether all moves are written down first, in kernels.

        That is for moves from many places, and for boards, if `play` then works out few things anew.
        """
        play = self.unit.definitions.get("rule_play")
        if play is None or not self.unit.is_ours(own.file):
            return False
        choices = sum(isinstance(node, ast.IfExp | ast.If | ast.Compare) for node in ast.walk(play.syntax))
        return definition.yields > MOST_YIELDS or bool(self.unit.boards and choices <= MOST_CHOICES)

    def _most_yields(self, statements: list[ast.stmt]) -> float:
        """How often statements yield at most, as far as loops say."""
        most = 0.0
        for node in statements:
            if isinstance(node, ast.If):
                most += self._most_yields(node.body) + self._most_yields(node.orelse)
            elif isinstance(node, ast.For):
                turns = self._most_yields(node.body)
                most += (turns and turns * self._most_turns(node.iter)) + self._most_yields(node.orelse)
            elif isinstance(node, ast.While):
                most += self._most_yields(node.body) and math.inf
            else:
                most += isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)
        return most

    def _most_turns(self, over: ast.expr) -> float:
        """How many turns a loop has at most."""
        assert isinstance(over, ast.Call)
        definition = self.unit.definitions.get(ast.unparse(over.func))
        if definition is not None:
            return self._most_yields(definition.syntax.body)
        turns = known_turns(over)
        return math.inf if turns is None else turns


class _Body:
    """The body of a loop over a generator, as it is written at places to yield."""

    def __init__(self, frame: Frame, node: ast.For, own: Context, loop: Exits, *, is_copied: bool) -> None:
        self.frame = frame
        self.is_copied = is_copied
        self.node = node
        self.own = own
        self.loop = loop
        self.ends: list[Names] = []
        self.block: Any = None
        self.places: list[Any] = []
        self.move: Room | None = None
        self.ways: list[Names] = []
        self.whence: Any = None

    def here(self, move: Operand) -> None:
        """Write the body for a move, and continue after it."""
        frame = self.frame
        inner, frame.context = frame.context, self.own
        is_copied, self.own.is_copied = self.own.is_copied, self.own.is_copied or self.is_copied
        further = frame.builder.append_basic_block("further")
        turn = Exits(self.loop.stop, further, self.loop.stopped, [])
        frame._put(self.node.target, move)
        frame._turn(self.node.body, turn)
        frame.context, self.own.is_copied = inner, is_copied
        self.ends += turn.went_on
        frame._go_on(further, turn.went_on)

    def there(self, move: Operand) -> None:
        """Jump to the shared body, which comes back."""
        frame = self.frame
        move = frame.settled(move)
        if self.block is None or self.move is None:
            self.block = frame.builder.append_basic_block("body")
            self.move = Room(move.kind, [frame.room(part) for part in move.kind.types()])
            self.whence = frame.room(WORD)
        for place, part in zip(self.move.places, frame.turned_into(self.move.kind, move).leaves(), strict=True):
            frame.builder.store(part, place)
        frame.builder.store(constant(len(self.places)), self.whence)
        self.ways.append(dict(frame.names))
        frame.builder.branch(self.block)
        self.places.append(frame.builder.append_basic_block("back"))
        frame.builder.position_at_end(self.places[-1])

    def finish(self) -> None:
        """Write the shared body, if there were jumps to it."""
        if self.block is None or self.move is None:
            return
        frame = self.frame
        after = frame.builder.append_basic_block("turned")
        frame.builder.position_at_end(self.block)
        frame.meet(self.ways)
        before = dict(frame.names)
        turn = Exits(self.loop.stop, after, self.loop.stopped, [])
        frame._put(
            self.node.target,
            self.move.kind.built(frame.builder.load(place) for place in self.move.places),
        )
        frame._turn(self.node.body, turn)
        frame.again(before, turn.went_on)
        self.ends += turn.went_on
        frame.builder.position_at_end(after)
        choice = frame.builder.switch(frame.builder.load(self.whence), self.places[0])
        for number, place in enumerate(self.places[1:], start=1):
            choice.add_case(constant(number), place)
