import { type Event, parseEvents } from 'js-yaml';
import { EventReader } from './event-reader.ts';
import type { Node } from './nodes.ts';
import type { Source } from './source.ts';
import { unusual } from './unusual.ts';
import { maxDepth } from './yaml-limits.ts';

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
