import { COLLECTION_STYLE, EVENT_ID, type Event, type MappingEvent, type SequenceEvent } from 'js-yaml';
import { behindBracket, checkComments, checkLineEnd, colonBehind } from './between-values.ts';
import type { ListNode, MapNode, Node } from './nodes.ts';
import { QuickAnchors } from './quick-anchors.ts';
import { QuickEntries } from './quick-entries.ts';
import { quickScalar } from './quick-scalar.ts';
import type { Source } from './source.ts';
import { unusual } from './unusual.ts';

const { FLOW } = COLLECTION_STYLE;

/** Makes nodes of events; throws `unusual` where the careful way may read something else, or find a problem. */
export class EventReader {
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
