"""Lines of dominoes: who wins, by proof-number search, depth first, that stops at kernels.

A position is what can still be laid, up to the names of the values: the tail is value 0, and bit w of row v says that
tile v-w is unused. A book holds every position seen. The search drops values that nobody may enter (*traps*): one that
still has its double and otherwise leads only back to where the player came from, and one from which a single tile leads
to a dead end. A new position that has a growing kernel is lost. Without one the opposite of a win seems as hard to
prove as there are replies, and harder where the player to move may lay the double of the tail.

Sources: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", dissertation, University of Tokyo
(2002); the largest number in place of the sum: T. Ueda, T. Hashimoto, J. Hashimoto and H. Iida, "Weak proof-number
search" (2008); limits with slack: J. Pawlewicz and L. Lew, "Improving depth-first PN-search: 1+epsilon trick" (2007).
"""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *
from endsight.engine.kernels.growing_kernels import *
from endsight.engine.kernels.renaming import *

MOST_NAMED = 60
"""Values that a row has bits for, besides one for all fresh ones."""

NEVER = 1 << 30
"""The number of something that cannot be proven any more."""
OWN_DOUBLE = 12
"""So many more replies seem to be left to a player who may lay the double of the tail and stay there."""
SLACK = 4
"""A reply is left where its number passes the one beside it by more than one part in so many."""

KEY_BITS = 62
"""Bits of a word that hold rows."""
FRAME_WORDS = 3
"""A frame on the stack: a position, and the proof and the disproof number at which it is left."""
COUNT, FRESH, ANSWER, REPLIED = OWN, OWN + 1, OWN + 2, OWN + 3
"""Counters: how many values the position in AFTER has with names, and how many without; whether the player to move
wins; and how many replies are listed."""


class Book(NamedTuple):
    """Positions, and a table that finds them.

    A position has `key_words` words for its key, one for both numbers, and one for its replies: where they begin in
    `p_replies`, and how many there are; 0 before they are listed.
    """

    p_table: Numbers
    mask: int
    p_positions: Numbers
    most_positions: int
    p_replies: Numbers
    most_replies: int
    key_words: int
    most_named: int


def search_lines(
    book: Book, p_scratch: Numbers, p_stack: Numbers, most_depth: int, p_counters: Numbers, stop: int
) -> int:
    """Search until the counter ANSWER says whether the player to move wins.

    At depth 0, begin with the position in AFTER, whose tail is value 0. The counter HEAD is how many positions are in
    the book, TAIL the depth.
    """
    result = DONE
    if p_counters[TAIL] == 0:
        result = es_begin(book, p_scratch, p_stack, p_counters)
    while result == DONE and p_counters[TAIL] != 0:
        frame = (p_counters[TAIL] - 1) * FRAME_WORDS
        position = p_stack[frame]
        if es_replies_of(book, position) == 0:
            result = es_may_open(book, most_depth, p_counters, stop)
            if result == DONE:
                result = es_open(book, p_scratch, position, p_counters)
        if result == DONE:
            es_go_on(book, p_stack, frame, p_counters)
    return result


def es_begin(book: Book, p_scratch: Numbers, p_stack: Numbers, p_counters: Numbers) -> int:
    """Make the position in AFTER the first frame, unless a tile leads to a dead end."""
    if p_counters[HEAD] >= book.most_positions:
        return NODES_FULL
    if not es_drop_traps(p_scratch, p_counters[COUNT], 0, p_counters[FRESH]):
        p_counters[ANSWER] = 1
        return DONE
    p_stack[0] = es_entered(book, p_scratch, 0, p_counters)
    p_stack[1] = NEVER
    p_stack[2] = NEVER
    p_counters[TAIL] = 1
    return DONE


def es_may_open(book: Book, most_depth: int, p_counters: Numbers, stop: int) -> int:
    """Whether there is room for all replies of one more position, and time."""
    if p_counters[HEAD] >= stop:
        return STOPPED
    if p_counters[HEAD] + book.most_named + 1 >= book.most_positions:
        return NODES_FULL
    if p_counters[REPLIED] + book.most_named + 1 >= book.most_replies:
        return EDGES_FULL
    return DONE if p_counters[TAIL] < most_depth else STACK_FULL


def es_go_on(book: Book, p_stack: Numbers, frame: int, p_counters: Numbers) -> None:
    """Add up the numbers of a position from those after its replies; leave it, or go on to the best reply."""
    position = p_stack[frame]
    replies = es_replies_of(book, position)
    first, end = replies >> 8, (replies >> 8) + (replies & 255) - 1
    best, beside, most, count, chosen = NEVER, NEVER, 0, 0, 0
    for each in range(first, end):
        numbers = book.p_positions[es_numbers_at(book, book.p_replies[each])]
        proof, disproof = numbers >> 32, numbers & 0xFFFFFFFF
        if disproof < best:
            beside = best
            best = disproof
            chosen = book.p_replies[each]
        elif disproof < beside:
            beside = disproof
        if proof > 0:
            most = max(most, proof)
            count += 1
    # What is not decided stays below the number of what is, so that the first frame is left only with an answer.
    against = NEVER if best == 0 else min(most + max(count - 1, 0), NEVER - 1)
    es_set_numbers(book, position, best, against)
    if best >= p_stack[frame + 1] or against >= p_stack[frame + 2] or best == 0 or against == 0:
        p_counters[TAIL] -= 1
        p_counters[ANSWER] = 1 if best == 0 else 0
        return
    below = frame + FRAME_WORDS
    p_stack[below] = chosen
    p_stack[below + 1] = p_stack[frame + 2] - (count - 1)
    p_stack[below + 2] = min(p_stack[frame + 1], beside + 1 + beside // SLACK)
    p_counters[TAIL] += 1


# ---------------------------------------------------------------------- positions in the book


def es_at(book: Book, position: int) -> int:
    """Where a position stands."""
    return position * (book.key_words + 2)


def es_numbers_at(book: Book, position: int) -> int:
    """Where its numbers stand."""
    return es_at(book, position) + book.key_words


def es_replies_of(book: Book, position: int) -> int:
    """Where its replies begin, times 256, and one more than their number; 0 before they are listed."""
    return book.p_positions[es_numbers_at(book, position) + 1]


def es_set_numbers(book: Book, position: int, proof: int, disproof: int) -> None:
    """What is left to prove that the player to move wins, and what is left to prove the opposite."""
    book.p_positions[es_numbers_at(book, position)] = proof << 32 | disproof


def es_entered(book: Book, p_scratch: Numbers, tail: int, p_counters: Numbers) -> int:
    """The number in the book of the position in AFTER, which is entered if it is new."""
    count = es_rename(p_scratch, p_counters[COUNT], tail, p_counters[FRESH])
    es_write_key(book, p_scratch, count, p_counters[FRESH])
    slot = es_slot_of(book, p_scratch, KEY)
    if book.p_table[slot] != 0:
        return book.p_table[slot] - 1
    position = p_counters[HEAD]
    p_counters[HEAD] += 1
    book.p_table[slot] = position + 1
    for word in range(book.key_words):
        book.p_positions[es_at(book, position) + word] = p_scratch[KEY + word]
    book.p_positions[es_numbers_at(book, position) + 1] = 0
    row = p_scratch[NAMED]
    replies = es_bit_count(row) + p_counters[FRESH] + OWN_DOUBLE * (row & 1)
    if es_has_kernel(p_scratch, count, p_counters[FRESH]):
        es_set_numbers(book, position, NEVER, 0)
    else:
        es_set_numbers(book, position, 1, replies)
    return position


def es_slot_of(book: Book, p_words: Numbers, at: int) -> int:
    """The slot of the table with the key that stands there, or the empty one where it belongs."""
    slot = es_hash_of(p_words, at, book.key_words) & book.mask
    while book.p_table[slot] != 0 and not es_is_same(book, es_at(book, book.p_table[slot] - 1), p_words, at):
        slot = (slot + 1) & book.mask
    return slot


def es_hash_of(p_words: Numbers, at: int, key_words: int) -> int:
    """A number that the words of a key determine."""
    mixed = 0
    for word in range(key_words):
        mixed = (mixed ^ p_words[at + word]) * MIXER & ((1 << KEY_BITS) - 1)
        mixed ^= mixed >> 29
    return mixed


def es_is_same(book: Book, place: int, p_words: Numbers, at: int) -> bool:
    """Whether the same key stands in both places."""
    word = 0
    while word < book.key_words and book.p_positions[place + word] == p_words[at + word]:
        word += 1
    return word == book.key_words


def enter_again(book: Book, count: int) -> int:
    """Enter the first `count` positions of the book in an empty table."""
    for position in range(count):
        book.p_table[es_slot_of(book, book.p_positions, es_at(book, position))] = position + 1
    return DONE


def es_write_key(book: Book, p_scratch: Numbers, count: int, fresh: int) -> None:
    """The key of the position in NAMED: how many values it has, and the tiles of each to itself and to later ones."""
    p_scratch[KEY] = count << 31 | fresh
    word, used, bits = 1, 0, 0
    for value in range(book.most_named):
        if used + book.most_named - value > KEY_BITS:
            p_scratch[KEY + word] = bits
            word += 1
            used = 0
            bits = 0
        row = p_scratch[NAMED + value] if value < count else 0
        bits |= (row >> value) << used
        used += book.most_named - value
    p_scratch[KEY + word] = bits


def es_read_key(book: Book, p_scratch: Numbers, position: int) -> int:
    """Write the rows of a position to HERE; return the first word of its key."""
    place = es_at(book, position)
    count = book.p_positions[place] >> 31
    for value in range(count):
        p_scratch[HERE + value] = 0
    word, used = 1, 0
    for value in range(count):
        if used + book.most_named - value > KEY_BITS:
            word += 1
            used = 0
        row = (book.p_positions[place + word] >> used & ((1 << (book.most_named - value)) - 1)) << value
        p_scratch[HERE + value] |= row
        used += book.most_named - value
        while row != 0:
            last = row & -row
            p_scratch[HERE + es_bit_length(last) - 1] |= 1 << value
            row ^= last
    return book.p_positions[place]


# ---------------------------------------------------------------------- replies


def es_open(book: Book, p_scratch: Numbers, position: int, p_counters: Numbers) -> int:
    """List the positions after each reply, or only one that wins at once; none after replies that lose at once."""
    head = es_read_key(book, p_scratch, position)
    count, fresh = head >> 31, head & 0x7FFFFFFF
    listed = 0
    todo = p_scratch[HERE] | (0 if fresh == 0 else 1 << count)
    while todo != 0:
        last = todo & -todo
        todo ^= last
        reply = es_bit_length(last) - 1
        if not es_play(book, p_scratch, count, fresh, reply, p_counters):
            return TOO_LONG
        if es_drop_traps(p_scratch, p_counters[COUNT], reply, p_counters[FRESH]):
            after = es_entered(book, p_scratch, reply, p_counters)
            if book.p_positions[es_numbers_at(book, after)] & 0xFFFFFFFF == 0:
                p_scratch[REPLIES] = after
                listed = 1
                break
            if not es_is_listed(p_scratch, after, listed):
                p_scratch[REPLIES + listed] = after
                listed += 1
    first = p_counters[REPLIED]
    for each in range(listed):
        book.p_replies[first + each] = p_scratch[REPLIES + each]
    p_counters[REPLIED] += listed
    book.p_positions[es_numbers_at(book, position) + 1] = first << 8 | (listed + 1)
    return DONE


def es_is_listed(p_scratch: Numbers, after: int, listed: int) -> bool:
    """Whether another reply leads to the same position."""
    each = 0
    while each < listed and p_scratch[REPLIES + each] != after:
        each += 1
    return each < listed


def es_play(book: Book, p_scratch: Numbers, count: int, fresh: int, reply: int, p_counters: Numbers) -> bool:
    """Write the rows after a reply to AFTER, where `count` stands for any fresh value; False where names run out.

    A single fresh value gets a name, so there are none or at least two.
    """
    for value in range(count):
        p_scratch[AFTER + value] = p_scratch[HERE + value]
    if reply == count:
        for _ in range(2 if fresh == 2 else 1):
            if count == book.most_named:
                return False
            for value in range(count):
                p_scratch[AFTER + value] |= 1 << count
            p_scratch[AFTER + count] = (2 << count) - 1
            count += 1
            fresh -= 1
    p_scratch[AFTER] &= ~(1 << reply)
    if reply != 0:
        p_scratch[AFTER + reply] &= ~1
    p_counters[COUNT] = count
    p_counters[FRESH] = fresh
    return True


def es_drop_traps(p_scratch: Numbers, count: int, tail: int, fresh: int) -> bool:
    """Take away tiles to values whose enterer loses; False where the tail has a tile to a dead end and so wins at once.

    Where there are fresh values, every value has tiles to all of them, so there is no dead end.
    """
    is_new = fresh == 0
    while is_new:
        is_new = False
        for value in range(count):
            row = p_scratch[AFTER + value]
            others = row & ~(1 << value)
            if value != tail and others != 0 and others & (others - 1) == 0:
                trap = value if row != others else es_bit_length(others) - 1
                if trap == tail:
                    return False
                es_close(p_scratch, trap)
                is_new = True
    return True


def es_close(p_scratch: Numbers, trap: int) -> None:
    """Take away all tiles of a value."""
    row = p_scratch[AFTER + trap]
    while row != 0:
        last = row & -row
        row ^= last
        p_scratch[AFTER + es_bit_length(last) - 1] &= ~(1 << trap)
    p_scratch[AFTER + trap] = 0


# ---------------------------------------------------------------------- kernels


def es_has_kernel(p_scratch: Numbers, count: int, fresh: int) -> bool:
    """Whether the position in NAMED has a growing kernel with the tail; one more row then stands for fresh values."""
    if fresh != 0:
        for value in range(count):
            p_scratch[NAMED + value] |= 1 << count
        p_scratch[NAMED + count] = (2 << count) - 1
        count += 1
    return growing_kernel(p_scratch, NAMED, count, 0, p_scratch, KERNEL) != 0
