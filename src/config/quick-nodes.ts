import {
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import type { Entry, ListNode, MapNode, Node, ScalarNode } from './nodes.ts';
import { plainValue } from './plain-value.ts';
import type { Source, Spot } from './source.ts';

// Tabs, lone carriage returns, byte order marks; directives and document ends; text behind `---`; explicit keys; anchors,
// aliases and tags.
const unusual =
  /[\t\0\uFEFF]|\r(?!\n)|^(?:%|\.\.\.| +---|---(?! *\r?$))|(?:^|[\s[{,])\?[\s,\]}]|(?:^|- |[:[{,]) *[&*!]/m;
const maxDepth = 100;
const maxKey = 1024;

const giveUp = Symbol('give up');

/**
 * The documents of a file, if it is made of what nearly all files are made of: maps with lists, texts, numbers. Undefined for
 * everything else, and for whatever is wrong: that is read the careful way, which is several times slower. What is returned is
 * exactly what the careful way returns.
 */
export function quickNodes(source: Source): Node[] | undefined {
  if (unusual.test(source.text)) return undefined;
  let events: Event[];
  try {
    events = parseEvents(source.text, { maxDepth });
  } catch {
    return undefined;
  }
  try {
    return nodesOf(source, events);
  } catch (error) {
    if (error !== giveUp) throw error;
    return undefined;
  }
}

function nodesOf(source: Source, events: Event[]): Node[] {
  const { text } = source;
  let next = 0;

  function scalar(event: ScalarEvent): ScalarNode {
    const { valueStart, valueEnd, style } = event;
    if (valueStart < 0 || event.anchorStart >= 0 || event.tagStart >= 0) throw giveUp;
    const written = getScalarValue(text, event);
    if (style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) checkEscapes(text.slice(valueStart, valueEnd));
    if (style === SCALAR_STYLE.PLAIN) {
      const at = { source, start: valueStart, end: valueEnd };
      return { type: 'scalar', at, value: plainValue(written), text: written };
    }
    const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
    const at = isQuoted ? { source, start: valueStart - 1, end: valueEnd + 1 } : blockSpot(event);
    return { type: 'scalar', at, value: written, text: written };
  }

  function blockSpot({ valueStart, valueEnd }: ScalarEvent): Spot {
    const line = text.slice(text.lastIndexOf('\n', valueStart - 2) + 1, valueStart);
    const header = /[|>]-? *\r?\n$/.exec(line);
    const last = /\S *[\r\n]*$/.exec(text.slice(valueStart, valueEnd));
    if (!header || line.includes(' #') || !last) throw giveUp;
    const lineEnd = text.indexOf('\n', valueStart + last.index);
    return {
      source,
      start: valueStart - line.length + header.index,
      end: lineEnd === -1 ? text.length : lineEnd + 1,
    };
  }

  function node(event: Event): Node {
    if (event.type === EVENT_ID.SCALAR) return scalar(event);
    if (event.type === EVENT_ID.MAPPING) return map(event);
    if (event.type === EVENT_ID.SEQUENCE) return list(event);
    throw giveUp;
  }

  function list({ start, style, anchorStart, tagStart }: SequenceEvent): ListNode {
    if (anchorStart >= 0 || tagStart >= 0) throw giveUp;
    const at = { source, start, end: start + 1 };
    const items: Node[] = [];
    for (let event = events[next++]!; event.type !== EVENT_ID.POP; event = events[next++]!) {
      const item = node(event);
      items.push(item);
      at.end = item.at.end;
      if (style === COLLECTION_STYLE.BLOCK) checkLineEnd(at.end);
    }
    if (style === COLLECTION_STYLE.FLOW) at.end = behindBracket(at.end);
    return { type: 'list', at, items };
  }

  function map({ start, style, anchorStart, tagStart }: MappingEvent): MapNode {
    const isFlow = style === COLLECTION_STYLE.FLOW;
    // A pair in a list, `[a: b]`, is a map without braces.
    if (anchorStart >= 0 || tagStart >= 0 || (isFlow && text[start] !== '{')) throw giveUp;
    const at = { source, start, end: start + 1 };
    const entries: Entry[] = [];
    for (let event = events[next++]!; event.type !== EVENT_ID.POP; event = events[next++]!) {
      if (event.type !== EVENT_ID.SCALAR) throw giveUp;
      const key = scalar(event);
      if (key.text === '__proto__' || key.text === '<<') throw giveUp;
      const colon = colonBehind(key.at);
      const following = events[next++]!;
      const isWritten = following.type !== EVENT_ID.SCALAR || following.valueStart >= 0;
      const value: Node = isWritten ? node(following) : { type: 'scalar', at: key.at, text: '', value: null };
      entries.push({ key, value });
      at.end = value.at.end;
      if (!isFlow) checkLineEnd(isWritten ? at.end : colon + 1);
    }
    checkKeys(entries);
    if (isFlow) at.end = behindBracket(at.end);
    return { type: 'map', at, entries };
  }

  function colonBehind({ start, end }: Spot): number {
    let colon = end;
    while (text.charCodeAt(colon) === 32) colon++;
    if (text[colon] !== ':' || colon - start > maxKey) throw giveUp;
    return colon;
  }

  /** Nothing but a comment may stand behind a value that is not in brackets. */
  function checkLineEnd(from: number): void {
    let i = from;
    while (text.charCodeAt(i) === 32) i++;
    const isEnd = i === text.length || text[i] === '\n' || text[i] === '\r' || text[i] === '#';
    if (!isEnd && text[from - 1] !== '\n') throw giveUp;
  }

  /** Behind the bracket that closes what begins or has its last item before `from`. */
  function behindBracket(from: number): number {
    for (let i = from; i < text.length; i++) {
      const char = text[i];
      if (char === '}' || char === ']') return i + 1;
      if (char === '#') i = text.indexOf('\n', i);
    }
    throw giveUp;
  }

  const documents: Node[] = [];
  while (next < events.length) {
    next++;
    documents.push(node(events[next++]!));
    next++;
  }
  return documents;
}

// The parsers differ about a backslash at the end of a line, and about characters that there are none of.
function checkEscapes(written: string): void {
  if (written.includes('\\') && (written.includes('\n') || written.includes('\\U'))) throw giveUp;
}

function checkKeys(entries: Entry[]): void {
  if (entries.length > 10) {
    if (new Set(entries.map(({ key }) => key.text)).size < entries.length) throw giveUp;
    return;
  }
  for (let i = 1; i < entries.length; i++)
    for (let j = 0; j < i; j++) if (entries[i]!.key.text === entries[j]!.key.text) throw giveUp;
}
