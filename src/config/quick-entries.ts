import { SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { Entry, Node } from './nodes.ts';
import { unusual } from './unusual.ts';

const few = 10;

/** The entries of a map, those of a merge in front. Throws `unusual` for a key that stands twice or is dangerous. */
export class QuickEntries {
  readonly #own: Entry[] = [];
  /** The keys, as soon as there are more than a few. */
  #keys?: Set<string>;
  #merged?: Entry[];

  add({ style }: ScalarEvent, entry: Entry): void {
    const { text } = entry.key;
    if (text === '<<' && style === SCALAR_STYLE.PLAIN) {
      if (this.#merged) throw unusual;
      this.#merged = mergedFrom(entry.value);
      return;
    }
    if (text === '__proto__' || this.#has(text)) throw unusual;
    this.#own.push(entry);
    this.#keys?.add(text);
    if (this.#own.length === few) this.#keys = new Set(this.#own.map(({ key }) => key.text));
  }

  all(): Entry[] {
    if (!this.#merged) return this.#own;
    return [...this.#merged.filter(({ key }) => !this.#has(key.text)), ...this.#own];
  }

  #has(text: string): boolean {
    if (this.#keys) return this.#keys.has(text);
    for (const { key } of this.#own) if (key.text === text) return true;
    return false;
  }
}

/** What `<<` brings: of two entries with one key the first. */
function mergedFrom(value: Node): Entry[] {
  const merged = new Map<string, Entry>();
  for (const map of value.type === 'list' ? value.items : [value]) {
    if (map.type !== 'map') throw unusual;
    for (const entry of map.entries) if (!merged.has(entry.key.text)) merged.set(entry.key.text, entry);
  }
  return [...merged.values()];
}
