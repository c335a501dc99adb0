/*
 * Finds requests that a first-match list, such as the rules of a firewall, treats in a third way while it changes. Terms:
 *
 *   item       an element of the list. Items with equal `matchId` match the same requests, items with equal `effectId` do the same to them.
 *   effects    what a list does to a request: the effects of the items that match it, up to the first item that ends the list for the request
 *   candidate  some items that match and some that do not, such that a request with these matches meets a third verdict. Whether such a request
 *              exists is for the caller to decide.
 *
 * The search walks through the three lists (before, during and after) at once, and decides one item after the other: it matches, or it does
 * not. Most items are in all lists, and need no decision. If an item is the next one of `during` and of another list, and both have the
 * same effects so far, a request that it matches ends alike in both. So only requests that it does not match are left. Likewise, a search
 * ends where `during` and another list have the same effects so far and the same items ahead.
 *
 * Example: `before` is [a deny], `during` is [], `after` is [b deny, a deny]. A request that `a` matches is denied before and after, and
 * passes during: the candidates are { matching: [a, b] } and { matching: [a], failing: [b] }. A request that `a` does not match passes
 * before and during, so it is no candidate.
 */
import type { Address, Verdict } from '#kind';

/** What an item does to the requests that it matches. */
export interface Effect {
  /** The item; undefined for the end of the list. */
  address: Address | undefined;
  /** Equal for the same effect. The end of a list has `pass`. */
  effectId: string;
  /** Whether the items behind it see the request. */
  continues: Verdict;
  /** True if a visitor surely notices whether this effect or another one applies. */
  isNoticed: boolean;
}

/** An item of a first-match list. */
export interface ListItem extends Effect {
  address: Address;
  matchId: string;
  /** True if it may let a request pass that it matches, depending on more than the request. So nothing follows from that. */
  isOptional?: boolean;
}

/** The list in three states of an apply. */
export interface ListStates<Item> {
  before: readonly Item[];
  during: readonly Item[];
  after: readonly Item[];
}

/** See the top of this file. */
export interface Candidate<Item> {
  matching: readonly Item[];
  failing: readonly Item[];
  /**
   * Items of all three lists that are not decided. If one of them matches, the effects may be others, because no source says whether the
   * items behind it see the request.
   */
  unclear: readonly Item[];
  effects: ListStates<Effect>;
}

interface Search<Item> {
  /** Returns whether a request may exist that all these items match. Ends a search early. */
  mayMatch(items: readonly Item[]): boolean;
  /** Gets each candidate. Returns true to end the search. */
  onCandidate(candidate: Candidate<Item>): boolean;
  /** How many decisions may be tried. */
  budget: { steps: number };
}

/** The effect of a list without an item that ends it. */
export const passed: Effect = { address: undefined, effectId: 'pass', continues: 'no', isNoticed: true };

/** How far a search has come in one list. */
interface Cursor<Item> {
  items: readonly Item[];
  /** The number of each tail of the list, by the index of its first item: equal tails have equal numbers, also in other lists. */
  restIds: readonly number[];
  index: number;
  effects: readonly Effect[];
  isDone: boolean;
}

/** Tries all candidates. Returns false if the budget did not suffice for them. Throws nothing. */
export function findCandidates<Item extends ListItem>(
  { before, during, after }: ListStates<Item>,
  search: Search<Item>,
): boolean {
  const numberOf = createNumbering();
  const start = (items: readonly Item[]): Cursor<Item> => ({
    items,
    restIds: restIdsOf(items, numberOf),
    index: 0,
    effects: [],
    isDone: false,
  });
  const finder = new CandidateFinder(search);
  finder.explore([start(before), start(during), start(after)], []);
  return search.budget.steps >= 0;
}

/**
 * Returns whether two lists do the same to a request: `unknown` if the difference is not surely noticed, or an earlier effect may end the
 * lists.
 */
export function haveSameEffects(first: readonly Effect[], second: readonly Effect[]): Verdict {
  if (isPrefix(first, second) && first.length === second.length) return 'yes';
  const [noticedFirst, noticedSecond] = [first, second].map((effects) =>
    effects.filter(({ isNoticed }) => isNoticed),
  ) as [Effect[], Effect[]];
  const length = Math.max(noticedFirst.length, noticedSecond.length);
  const index = Array.from({ length }, (_, i) => i).find(
    (i) => noticedFirst[i]?.effectId !== noticedSecond[i]?.effectId,
  );
  if (index === undefined) return 'unknown';
  const comeBefore = (effects: readonly Effect[], differing: Effect | undefined) =>
    effects.slice(0, differing === undefined ? effects.length : effects.indexOf(differing));
  const earlier = [...comeBefore(first, noticedFirst[index]), ...comeBefore(second, noticedSecond[index])];
  return earlier.some(({ continues }) => continues === 'unknown') ? 'unknown' : 'no';
}

/** Returns the items that decide in one of the three states of a candidate, as far as the search has followed them, for reports. */
export const decidersOf = ({ effects: { before, during, after } }: Candidate<unknown>): Address[] => [
  ...new Set([...before, ...during, ...after].flatMap(({ address }) => address ?? [])),
];

type Cursors<Item> = readonly [before: Cursor<Item>, during: Cursor<Item>, after: Cursor<Item>];

class CandidateFinder<Item extends ListItem> {
  readonly #search: Search<Item>;
  /** The decisions so far, by `matchId`. */
  readonly #decided = new Map<string, boolean>();
  readonly #matching: Item[] = [];
  readonly #failing: Item[] = [];

  constructor(search: Search<Item>) {
    this.#search = search;
  }

  /** Explores the requests with the decisions so far. `unclear`: see `Candidate`. Returns true if the search has to end. */
  explore(cursors: Cursors<Item>, unclear: readonly Item[]): boolean {
    if (this.#search.budget.steps-- <= 0) return true;
    const undo: Item[] = [];
    const result = this.#exploreDeciding(cursors, [...unclear], undo);
    for (const item of undo) this.#forget(item, this.#failing);
    return result;
  }

  #exploreDeciding(start: Cursors<Item>, unclear: Item[], undo: Item[]): boolean {
    let cursors = start;
    for (;;) {
      cursors = cursors.map((cursor) => this.#advance(cursor)) as unknown as Cursors<Item>;
      const [before, during, after] = cursors;
      if (endAlike(during, before) || endAlike(during, after)) return false;
      const next = during.isDone ? undefined : during.items[during.index]!;
      if (!next) break;
      const areAhead = [before, after].map((cursor) => isAhead(next, cursor, during));
      if (next.continues === 'no' && areAhead.includes(true)) {
        this.#decide(next, false, this.#failing);
        undo.push(next);
      } else if (areAhead.every(Boolean)) {
        if (next.continues === 'unknown') unclear.push(next);
        cursors = cursors.map((cursor) => ({
          ...cursor,
          index: cursor.index + 1,
        })) as unknown as Cursors<Item>;
      } else return this.#branch(next, cursors, unclear);
    }
    const [before, during, after] = cursors;
    const open = [before, after].find(({ isDone, effects }) => !isDone && isPrefix(effects, during.effects));
    if (open) return this.#branch(open.items[open.index]!, cursors, unclear);
    return this.#search.onCandidate({
      matching: [...this.#matching],
      failing: [...this.#failing],
      unclear,
      effects: { before: before.effects, during: during.effects, after: after.effects },
    });
  }

  /** Explores the requests that an item matches, then those that it does not match. */
  #branch(item: Item, cursors: Cursors<Item>, unclear: readonly Item[]): boolean {
    if (this.#search.mayMatch([...this.#matching, item])) {
      this.#decide(item, true, this.#matching);
      const isEnd = this.explore(cursors, unclear);
      this.#forget(item, this.#matching);
      if (isEnd) return true;
    }
    this.#decide(item, false, this.#failing);
    const isEnd = this.explore(cursors, unclear);
    this.#forget(item, this.#failing);
    return isEnd;
  }

  #decide(item: Item, matches: boolean, items: Item[]): void {
    this.#decided.set(item.matchId, matches);
    if (matches || !item.isOptional) items.push(item);
  }

  #forget(item: Item, items: Item[]): void {
    this.#decided.delete(item.matchId);
    const index = items.lastIndexOf(item);
    if (index >= 0) items.splice(index, 1);
  }

  /** Moves a cursor past the items that are decided. */
  #advance(cursor: Cursor<Item>): Cursor<Item> {
    if (cursor.isDone) return cursor;
    const effects = [...cursor.effects];
    let { index } = cursor;
    for (; ; index++) {
      const item = cursor.items[index];
      if (!item) return { ...cursor, index, effects: [...effects, passed], isDone: true };
      const matches = this.#decided.get(item.matchId);
      if (matches === undefined) return { ...cursor, index, effects };
      if (!matches) continue;
      effects.push(item);
      if (item.continues === 'no') return { ...cursor, index, effects, isDone: true };
    }
  }
}

/** True if an item is the next one of a list that has had the same effects as `during`. */
const isAhead = <Item extends ListItem>(item: Item, cursor: Cursor<Item>, during: Cursor<Item>): boolean => {
  const nextItem = cursor.isDone ? undefined : cursor.items[cursor.index];
  return (
    nextItem?.matchId === item.matchId &&
    nextItem.effectId === item.effectId &&
    cursor.effects.length === during.effects.length &&
    isPrefix(cursor.effects, during.effects)
  );
};

/** True if two lists have the same effects for all requests with the decisions so far. */
const endAlike = <Item>(first: Cursor<Item>, second: Cursor<Item>): boolean =>
  first.isDone === second.isDone &&
  first.effects.length === second.effects.length &&
  isPrefix(first.effects, second.effects) &&
  (first.isDone || first.restIds[first.index] === second.restIds[second.index]);

const isPrefix = (prefix: readonly Effect[], effects: readonly Effect[]): boolean =>
  prefix.every(({ effectId }, i) => effects[i]?.effectId === effectId);

/** Creates a numbering of texts, with one number for equal texts, because numbers are cheap to compare. */
function createNumbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

/** Returns the number of each tail of a list, by the index of its first item. Lists that end alike share these numbers. */
function restIdsOf(items: readonly ListItem[], numberOf: (text: string) => number): number[] {
  const restIds = [numberOf('')];
  for (const { matchId, effectId } of [...items].reverse())
    restIds.unshift(numberOf(JSON.stringify([matchId, effectId, restIds[0]])));
  return restIds;
}
