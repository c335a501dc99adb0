import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import type { Entry, MapNode } from './nodes.ts';
import { positionOf } from './source.ts';

/** Collects the entries of one map while it is read: resolves `<<`, and reports repeated and dangerous keys. */
export class MapEntries {
  readonly #problems: Diagnostic[];
  readonly #own = new Map<string, Entry>();
  #merge: Entry | undefined;

  constructor(problems: Diagnostic[]) {
    this.#problems = problems;
  }

  /** `isPlainKey`: the key is written without quotes, so that `<<` is a merge. */
  add(entry: Entry, isPlainKey: boolean): void {
    const { key } = entry;
    const isMerge = isPlainKey && key.text === '<<';
    const firstEntry = isMerge ? this.#merge : this.#own.get(key.text);
    if (key.text === '__proto__')
      this.#problems.push(problem('yaml/key', 'this key is not allowed', { at: positionOf(key.at) }));
    else if (firstEntry)
      this.#problems.push(
        problem('yaml/duplicate-key', `duplicate key ${quoted(key.text)}`, {
          at: positionOf(key.at),
          hint: isMerge ? 'merge a list: `<<: [*one, *other]`' : 'keep one of the two',
          related: [{ message: 'the first one', at: positionOf(firstEntry.key.at) }],
        }),
      );
    else if (isMerge) {
      this.#merge = entry;
      this.#checkMerge(entry);
    } else this.#own.set(key.text, entry);
  }

  #checkMerge({ key, value }: Entry): void {
    if (mapsOf(value).length === (value.type === 'list' ? value.items.length : 1)) return;
    this.#problems.push(
      problem('yaml/merge', '`<<` must be a map or a list of maps', {
        at: positionOf(key.at),
        hint: 'usually an alias: `<<: *name`',
      }),
    );
  }

  /** Returns the entries: those of the merge first, without the keys that the map has itself. */
  all(): Entry[] {
    if (!this.#merge) return [...this.#own.values()];
    const merged = new Map<string, Entry>();
    for (const entry of mapsOf(this.#merge.value).flatMap(({ entries }) => entries))
      if (!merged.has(entry.key.text) && !this.#own.has(entry.key.text)) merged.set(entry.key.text, entry);
    return [...merged.values(), ...this.#own.values()];
  }
}

/** The maps that `<<` merges. Of two maps with the same key, the first one counts. */
const mapsOf = (value: Entry['value']): MapNode[] =>
  (value.type === 'list' ? value.items : [value]).filter((item) => item.type === 'map');
