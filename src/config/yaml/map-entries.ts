import type { Reporter } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import { type Entry, itemsOrSelf, type MapNode } from './nodes.ts';

/** Collects the entries of one map while it is read: resolves `<<`, and reports repeated and dangerous keys. */
export class MapEntries {
  readonly #report: Reporter;
  readonly #written = new Map<string, Entry>();
  #merge: Entry | undefined;

  constructor(report: Reporter) {
    this.#report = report;
  }

  /**
   * Adds an entry, or reports a repeated key. With `isPlainKey`, the key is written without quotes, so that `<<` is a
   * merge.
   */
  add(entry: Entry, isPlainKey: boolean): void {
    const { key } = entry;
    const isMerge = isPlainKey && key.text === '<<';
    const firstEntry = isMerge ? this.#merge : this.#written.get(key.text);
    if (key.text === '__proto__') this.#report.error('yaml/key', 'this key is not allowed', { at: key });
    else if (firstEntry)
      this.#report.error('yaml/duplicate-key', `duplicate key ${quoted(key.text)}`, {
        at: key,
        hint: isMerge ? 'merge a list: `<<: [*one, *other]`' : 'keep one of the two',
        related: [{ message: 'the first one', at: firstEntry.key }],
      });
    else if (isMerge) {
      this.#merge = entry;
      this.#checkMerge(entry);
    } else this.#written.set(key.text, entry);
  }

  /**
   * Reports a `<<` whose value is no map and no list of maps, because there is nothing to merge. Usually an alias is
   * missing.
   */
  #checkMerge({ key, value }: Entry): void {
    if (mapsOf(value).length === itemsOrSelf(value).length) return;
    this.#report.error('yaml/merge', '`<<` must be a map or a list of maps', {
      at: key,
      hint: 'usually an alias: `<<: *name`',
    });
  }

  /**
   * Returns the entries: first those from `<<`, except keys that the map repeats, then those of the map. A map can
   * take entries of another one with `<<: *name`.
   */
  merged(): Entry[] {
    if (!this.#merge) return [...this.#written.values()];
    const merged = new Map<string, Entry>();
    for (const entry of mapsOf(this.#merge.value).flatMap(({ entries }) => entries))
      if (!merged.has(entry.key.text) && !this.#written.has(entry.key.text))
        merged.set(entry.key.text, entry);
    return [...merged.values(), ...this.#written.values()];
  }
}

/** The maps that `<<` merges. Of two maps with the same key, the first one counts. */
const mapsOf = (value: Entry['value']): MapNode[] => itemsOrSelf(value).filter((item) => item.type === 'map');
