import {
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { behindBracket, checkLineEnd, colonBehind } from './between-values.ts';
import type { Entry, ListNode, MapNode, Node, ScalarNode } from './nodes.ts';
import { quickScalar } from './quick-scalar.ts';
import type { Source } from './source.ts';
import { unusual } from './unusual.ts';

/** The documents that these events tell of; throws `unusual` where the careful way may read something else, or find a problem. */
export function nodesOfEvents(source: Source, events: Event[]): Node[] {
  const { text } = source;
  let next = 0;

  function node(event: Event): Node {
    if (event.type === EVENT_ID.SCALAR) return quickScalar(source, event);
    if (event.type === EVENT_ID.MAPPING) return map(event);
    if (event.type === EVENT_ID.SEQUENCE) return list(event);
    throw unusual;
  }

  function list({ start, style, anchorStart, tagStart }: SequenceEvent): ListNode {
    if (anchorStart >= 0 || tagStart >= 0) throw unusual;
    const isFlow = style === COLLECTION_STYLE.FLOW;
    const at = { source, start, end: start + 1 };
    const items: Node[] = [];
    for (let event = events[next++]!; event.type !== EVENT_ID.POP; event = events[next++]!) {
      const item = node(event);
      items.push(item);
      at.end = item.at.end;
      if (!isFlow && !hasLines(event)) checkLineEnd(text, at.end);
    }
    if (isFlow) at.end = behindBracket(text, at.end);
    return { type: 'list', at, items };
  }

  function map({ start, style, anchorStart, tagStart }: MappingEvent): MapNode {
    const isFlow = style === COLLECTION_STYLE.FLOW;
    // A pair in a list, `[a: b]`, is a map without braces.
    if (anchorStart >= 0 || tagStart >= 0 || (isFlow && text[start] !== '{')) throw unusual;
    const at = { source, start, end: start + 1 };
    const entries: Entry[] = [];
    for (let event = events[next++]!; event.type !== EVENT_ID.POP; event = events[next++]!) {
      if (event.type !== EVENT_ID.SCALAR) throw unusual;
      const key = quickScalar(source, event);
      const behindColon = colonBehind(text, key.at) + 1;
      const following = events[next++]!;
      const isMissing = isUnwritten(following);
      const value = isMissing ? nothing(key) : node(following);
      entries.push({ key, value });
      at.end = value.at.end;
      if (!isFlow && !hasLines(following)) checkLineEnd(text, isMissing ? behindColon : at.end);
    }
    checkKeys(entries);
    if (isFlow) at.end = behindBracket(text, at.end);
    return { type: 'map', at, entries };
  }

  const documents: Node[] = [];
  // Each is an event for the document, those of its content, and one for its end.
  while (next < events.length) {
    next++;
    documents.push(node(events[next++]!));
    next++;
  }
  return documents;
}

const isUnwritten = (event: Event): event is ScalarEvent =>
  event.type === EVENT_ID.SCALAR && event.valueStart < 0 && event.anchorStart < 0 && event.tagStart < 0;

/** A list or map of lines: what stands in it was looked at by itself. */
const hasLines = (event: Event): boolean =>
  (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) &&
  event.style === COLLECTION_STYLE.BLOCK;

/** A value that is not written at all stands where its key does. */
const nothing = ({ at }: ScalarNode): ScalarNode => ({ type: 'scalar', at, text: '', value: null });

const fewKeys = 10;

function checkKeys(entries: Entry[]): void {
  const known = entries.length > fewKeys ? new Set<string>() : undefined;
  for (let i = 0; i < entries.length; i++) {
    const { text } = entries[i]!.key;
    if (text === '<<' || text === '__proto__' || known?.has(text)) throw unusual;
    known?.add(text);
    for (let before = 0; !known && before < i; before++)
      if (entries[before]!.key.text === text) throw unusual;
  }
}
