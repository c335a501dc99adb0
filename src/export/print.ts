import { Document, isScalar, Pair, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';
import type { Fields } from '../model/value.ts';
import { cleanLine, hasHidden, visible } from '../report/clean.ts';

/** What is written, as YAML. `comments` stand at the top. */
export function print(map: WrittenMap, comments: string[] = []): string {
  const document = new Document();
  document.contents = nodeOf(map, document) as never;
  if (comments.length > 0) document.commentBefore = above(comments);
  // Quoted, so that the characters can be escapes. All keys and values are one or the other.
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && hasHidden(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return visible(document.toString({ lineWidth: 0 }), yamlEscape);
}

// In YAML, unlike JSON, an escape of four digits is a whole character.
const yamlEscape = (char: string): string => {
  const code = char.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
};

function nodeOf(value: Written, document: Document): unknown {
  if (value instanceof WrittenMap) {
    const map = new YAMLMap();
    if (value.comments.length > 0) map.commentBefore = above(value.comments);
    for (const { key, value: item, comments } of value.entries) {
      const name = new Scalar(key);
      if (comments.length > 0) name.commentBefore = above(comments);
      map.items.push(new Pair(name, nodeOf(item, document)));
    }
    map.flow = value.entries.length === 0;
    return map;
  }
  if (Array.isArray(value) && value.some((item) => item instanceof WrittenMap)) {
    const list = new YAMLSeq();
    list.items = value.map((item) => nodeOf(item, document));
    return list;
  }
  const node = document.createNode(value);
  // Small data on one line: long forms are for what people edit.
  if (!isScalar(node) && node !== null && JSON.stringify(value).length < 80) (node as YAMLMap).flow = true;
  return node;
}

const above = (comments: string[]): string =>
  comments
    .flatMap((text) => text.split('\n'))
    .map((line) => ` ${cleanLine(line)}`)
    .join('\n');

/** A map as it is written: entries in order, each with comments above it. */
export class WrittenMap {
  readonly entries: WrittenEntry[] = [];
  /** Above the map itself, where it stands in a list. */
  readonly comments: string[];

  constructor(comments: string[] = []) {
    this.comments = comments;
  }

  add(key: string, value: Written, comments: string[] = []): this {
    this.entries.push({ key, value, comments });
    return this;
  }
}

interface WrittenEntry {
  key: string;
  value: Written;
  comments: string[];
}

/** JSON, a map, or a list of maps. */
export type Written = null | boolean | number | string | WrittenMap | Written[] | Fields;
