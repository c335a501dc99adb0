import {
  type AliasEvent,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { type Entry, type ListNode, type MapNode, maxDepth, maxExpansion, type Node } from './nodes.ts';
import {
  behindBracket,
  checkComments,
  checkLineEnd,
  colonBehind,
  quickScalar,
  unusual,
} from './quick-scalar.ts';
import type { Source } from './source.ts';

// Tabs, line ends of old, byte order marks; directives, ends of documents, and what stands beside `---`.
const unusualText = /[\t\uFEFF]|\r(?!\n)|(?:^|\n)(?:%|\.\.\.| +---|---(?! *(?:\r?\n|$)))/;

/**
 * The documents of a file, if it holds nothing but what most files do. Undefined for all else, and wherever anything is wrong:
 * that is read the careful way, by a parser several times slower. What is returned is what that one returns, places and all.
 */
export function quickNodes(source: Source): Node[] | undefined {
  if (unusualText.test(source.text)) return undefined;
  let events: Event[];
  try {
    events = parseEvents(source.text, { maxDepth });
  } catch {
    return undefined;
  }
  try {
    return new EventReader(source, events).documents();
  } catch (error) {
    if (error !== unusual) throw error;
    return undefined;
  }
}

const { FLOW } = COLLECTION_STYLE;

/** Makes nodes of events; throws `unusual` where the careful way may read something else, or find a problem. */
class EventReader {
  readonly #source: Source;
  readonly #events: Event[];
  #at = 0;
  #depth = 0;
  /** Behind what was read last. */
  #end = 0;
  #anchors = new QuickAnchors('');

  constructor(source: Source, events: Event[]) {
    this.#source = source;
    this.#events = events;
  }

  documents(): Node[] {
    const documents: Node[] = [];
    // Each is an event for the document, those of its content, and one for its end.
    for (; this.#at < this.#events.length; this.#at++) {
      this.#at++;
      this.#anchors = new QuickAnchors(this.#source.text);
      documents.push(this.#node(this.#next()));
    }
    return documents;
  }

  #next = (): Event => this.#events[this.#at++]!;

  #node(event: Event): Node {
    if (event.type === EVENT_ID.ALIAS) {
      this.#end = event.anchorEnd;
      return this.#anchors.take(event, this.#depth + 1);
    }
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP || event.tagStart >= 0) throw unusual;
    this.#depth++;
    const opened = event.anchorStart >= 0 ? this.#anchors.open(event, this.#depth) : undefined;
    this.#anchors.count(this.#depth);
    let node: Node;
    if (event.type === EVENT_ID.SCALAR) {
      node = quickScalar(this.#source, event);
      this.#end = node.at.end;
    } else node = event.type === EVENT_ID.MAPPING ? this.#map(event) : this.#list(event);
    this.#depth--;
    if (opened) this.#anchors.close(opened, node);
    return node;
  }

  #list({ start, style }: SequenceEvent): ListNode {
    const items: Node[] = [];
    this.#end = start + 1;
    for (let event = this.#next(); event.type !== EVENT_ID.POP; event = this.#next()) {
      items.push(this.#node(event));
      if (style !== FLOW && !hasLines(event)) checkLineEnd(this.#source.text, this.#end);
    }
    return { type: 'list', at: this.#spot(start, style === FLOW), items };
  }

  #map({ start, style }: MappingEvent): MapNode {
    const { text } = this.#source;
    // A pair in a list, `[a: b]`, is a map without braces.
    if (style === FLOW && text[start] !== '{') throw unusual;
    const entries = new QuickEntries();
    this.#end = start + 1;
    for (let event = this.#next(); event.type !== EVENT_ID.POP; event = this.#next()) {
      if (event.type !== EVENT_ID.SCALAR || event.anchorStart >= 0 || event.tagStart >= 0) throw unusual;
      const key = quickScalar(this.#source, event);
      let lineEnd = colonBehind(text, key.at) + 1;
      const following = this.#next();
      if (isUnwritten(following)) {
        // A value that is not written at all stands where its key does.
        entries.add(event, { key, value: { type: 'scalar', at: key.at, text: '', value: null } });
        this.#anchors.count(this.#depth + 1);
        this.#end = key.at.end;
      } else {
        entries.add(event, { key, value: this.#node(following) });
        lineEnd = this.#end;
      }
      if (style === FLOW) checkComments(text, this.#end);
      else if (!hasLines(following)) checkLineEnd(text, lineEnd);
    }
    return { type: 'map', at: this.#spot(start, style === FLOW), entries: entries.all() };
  }

  #spot(start: number, isFlow: boolean) {
    if (isFlow) this.#end = behindBracket(this.#source.text, this.#end);
    return { source: this.#source, start, end: this.#end };
  }
}

const isUnwritten = (event: Event): boolean =>
  event.type === EVENT_ID.SCALAR && event.valueStart < 0 && event.anchorStart < 0 && event.tagStart < 0;

/** A list or map of lines: what stands in it was looked at by itself. */
const hasLines = (event: Event): boolean =>
  (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) && event.style !== FLOW;

const few = 10;

/** The entries of a map, those of a merge in front. Throws `unusual` for a key that stands twice or is dangerous. */
class QuickEntries {
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

/** The entries that `<<` brings: of two with one key the first. */
function mergedFrom(value: Node): Entry[] {
  const merged = new Map<string, Entry>();
  for (const map of value.type === 'list' ? value.items : [value]) {
    if (map.type !== 'map') throw unusual;
    for (const entry of map.entries) if (!merged.has(entry.key.text)) merged.set(entry.key.text, entry);
  }
  return [...merged.values()];
}

type Name = Pick<AliasEvent, 'anchorStart' | 'anchorEnd'>;

interface Anchored {
  node: Node;
  /** Its values, counting every use of an alias, and its levels. */
  size: number;
  height: number;
}

/** The counts before an anchored node began, and the name of its anchor. */
interface Opened {
  name: string;
  depth: number;
  size: number;
  deepest: number;
}

/** The anchors of a document, and how much of it was read. Throws `unusual` for aliases that the careful way refuses. */
class QuickAnchors {
  readonly #text: string;
  /** Undefined as long as the anchored node is being read. */
  readonly #known = new Map<string, Anchored | undefined>();
  #size = 0;
  #deepest = 0;
  #expanded = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** One more value, at this depth. */
  count(depth: number): void {
    this.#size++;
    if (depth > this.#deepest) this.#deepest = depth;
  }

  /** Before a node with an anchor is read and counted, at this depth. */
  open(event: Name, depth: number): Opened {
    // js-yaml lets a bracket follow at once.
    if (!/\s/.test(this.#text[event.anchorEnd] ?? ' ')) throw unusual;
    const opened = { name: this.#nameOf(event), depth, size: this.#size, deepest: this.#deepest };
    this.#known.set(opened.name, undefined);
    this.#deepest = depth;
    return opened;
  }

  /** When all of it is read: from here on the anchor stands for `node`. */
  close({ name, depth, size, deepest }: Opened, node: Node): void {
    this.#known.set(name, { node, size: this.#size - size, height: this.#deepest - depth + 1 });
    this.#deepest = Math.max(this.#deepest, deepest);
  }

  /** Gives back the node that an alias at this depth stands for. */
  take(event: Name, depth: number): Node {
    const target = this.#known.get(this.#nameOf(event));
    if (!target || depth + target.height > maxDepth) throw unusual;
    this.#expanded += target.size;
    if (this.#expanded > maxExpansion) throw unusual;
    this.#size += target.size;
    this.#deepest = Math.max(this.#deepest, depth + target.height - 1);
    return target.node;
  }

  #nameOf({ anchorStart, anchorEnd }: Name): string {
    const name = this.#text.slice(anchorStart, anchorEnd);
    if (!/^[\w.-]+$/.test(name)) throw unusual;
    return name;
  }
}
