import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { WrittenFile } from '../config/configuration.ts';
import { parseExpressions } from '../config/expressions/parse-expressions.ts';

/** The place of a value in a file: the value of an entry of a map, an item of a list, or the root of a document. */
export interface Slot {
  file: YamlFile;
  /** The value; null where nothing is written. */
  node: Node | null;
  /** The map or list that it is in. */
  collection?: YAMLMap | YAMLSeq;
  /** Its key, in a map. */
  key?: Scalar;
  /** The place that the map or list is in. */
  parent?: Slot;
  /** An anchor on the way makes that it stands elsewhere, too. */
  isShared: boolean;
}

/** A file of YAML or JSON as its text, with the places of what is in it, and the edits that are to be made. */
export class YamlFile {
  readonly path: string;
  readonly name: string;
  readonly text: string;
  readonly isJson: boolean;
  readonly edits: TextEdit[] = [];
  /** The root of each document that holds a map. */
  readonly roots: Slot[] = [];
  readonly #entries = new Map<number, Slot>();
  readonly #items = new Map<number, Slot>();
  readonly #lineEnd: string;

  constructor({ path, source }: Pick<WrittenFile, 'path' | 'source'>) {
    this.path = path;
    this.name = source.file;
    this.text = source.text;
    this.isJson = /\.json$/i.test(path);
    this.#lineEnd = /\r\n/.test(this.text) ? '\r\n' : '\n';
    if (/\.csv$/i.test(path)) return;
    const parsed = parseAllDocuments(this.text, { uniqueKeys: false, logLevel: 'silent', version: '1.2' });
    for (const document of Array.isArray(parsed) ? parsed : []) this.#addDocument(document);
  }

  /** The entry of a map whose key begins there. */
  entryAt = (offset: number): Slot | undefined => this.#entries.get(offset);

  /** All places, in the order of the file within maps and lists. */
  slots = (): Slot[] => [...this.#entries.values(), ...this.#items.values()];

  /** The offset of a place as people count, in characters from 1. */
  offsetOf({ line, column }: { line: number; column: number }): number {
    let start = 0;
    for (let index = 1; index < line; index++) start = this.text.indexOf('\n', start) + 1;
    return start + column - 1;
  }

  /** The item of a list that begins there. */
  itemAt = (offset: number): Slot | undefined => this.#items.get(offset);

  #addDocument(document: Document.Parsed): void {
    if (!isMap(document.contents)) return;
    const used = new Set<string>();
    visit(document, { Alias: (_, { source }) => void used.add(source) });
    const root: Slot = { file: this, node: document.contents, isShared: false };
    this.roots.push(root);
    this.#addBelow(root, used);
  }

  #addBelow(up: Slot, used: ReadonlySet<string>): void {
    const { node: holder } = up;
    const add = (node: Node | null, key?: Scalar): void => {
      const anchor = (node as { anchor?: string } | null)?.anchor;
      const isShared = up.isShared || (anchor !== undefined && used.has(anchor));
      const slot: Slot = {
        file: this,
        node,
        collection: holder as YAMLMap,
        parent: up,
        isShared,
        ...(key ? { key } : {}),
      };
      if (key?.range) this.#entries.set(key.range[0], slot);
      else if (!key && node?.range) this.#items.set(node.range[0], slot);
      if (isCollection(node)) this.#addBelow(slot, used);
    };
    if (isMap(holder))
      for (const { key, value } of holder.items as Pair<Node, Node | null>[])
        if (isScalar(key)) add(value, key);
    if (isSeq(holder)) for (const item of holder.items as Node[]) add(item);
  }

  edit(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text: text.replaceAll('\n', this.#lineEnd) });
  }

  /** The column of an offset: whatever precedes it on its line counts as blanks. */
  columnOf = (offset: number): number => offset - this.lineStart(offset);

  lineStart = (offset: number): number => this.text.lastIndexOf('\n', offset - 1) + 1;

  /** The beginning of the line behind the one on which something ends. */
  nextLine(end: number): number {
    if (end > 0 && this.text[end - 1] === '\n') return end;
    const index = this.text.indexOf('\n', end);
    return index === -1 ? this.text.length : index + 1;
  }
}

/** The entry of a map with this key, as it is written there; what is merged in does not count. */
export function findEntry(slot: Slot, name: string): Slot | undefined {
  if (!isMap(slot.node)) return undefined;
  const pair = (slot.node.items as Pair<Node, Node | null>[]).find(
    ({ key }) => isScalar(key) && scalarText(key) === name,
  );
  return pair && slot.file.entryAt((pair.key as Scalar).range![0]);
}

/** The items of a list. */
export const itemsOf = (slot: Slot): Slot[] =>
  isSeq(slot.node)
    ? (slot.node.items as Node[]).flatMap((item) =>
        item.range ? (slot.file.itemAt(item.range[0]) ?? []) : [],
      )
    : [];

export const scalarText = ({ value, source }: Scalar): string =>
  typeof value === 'string' ? value : (source ?? String(value));

/** The places around one, from the inside. */
export function* enclosingSlots(slot: Slot): Iterable<Slot> {
  for (let at = slot.parent; at; at = at.parent) yield at;
}

/** The key of the document's map that a place is below. */
export function topKeyOf(slot: Slot): string | undefined {
  let last: Slot = slot;
  for (const one of enclosingSlots(slot)) if (one.parent) last = one;
  return last.key && scalarText(last.key);
}

/** True if nothing in a text stands for something else. */
export const isLiteralText = (text: string): boolean =>
  parseExpressions(text).every((expression) => typeof expression === 'string');

/** True if all that is written in a node is meant as it stands, and nothing elsewhere is it, too. An alias may be replaced as a whole. */
export function isLiteral(node: Node | null): boolean {
  let is = true;
  visit(node, {
    Scalar: (_, { value, anchor }) => {
      if (anchor !== undefined || (typeof value === 'string' && !isLiteralText(value))) is = false;
    },
    Collection: (_, { anchor }) => {
      if (anchor !== undefined) is = false;
    },
  });
  return is;
}

/** The end of a value, without the comments and line ends behind it; for nothing, of the colon behind its key. */
export function endOffsetOf({ node, key, file }: Pick<Slot, 'node' | 'key' | 'file'>): number {
  if (node === null || isUnwritten(node)) return key ? offsetAfterColon(key, file) : (node?.range?.[0] ?? 0);
  if (isCollection(node) && !node.flow) {
    const last = node.items.at(-1);
    if (isMap(node)) {
      const { key, value } = last as Pair<Scalar, Node | null>;
      return endOffsetOf({ node: value, key, file });
    }
    if (last) return endOffsetOf({ node: last as Node, file });
  }
  return isAlias(node) || isScalar(node) || isCollection(node) ? node.range![1] : 0;
}

/** True for a value of which nothing is written. */
export const isUnwritten = (node: Node | null): boolean =>
  node === null || (isScalar(node) && node.value === null && !node.source);

/** The offset behind the colon of a key. */
export const offsetAfterColon = ({ range }: Scalar, { text }: YamlFile): number =>
  text.indexOf(':', range![1]) + 1;

/** A stretch of a text, by offsets, and what stands there from now on. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** A text after its edits, which must not overlap. What is put in at one place keeps its order. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let index = 0;
  for (const { start, end, text: more } of inOrder(edits)) {
    if (start < index) throw new Error('two edits overlap');
    result += text.slice(index, start) + more;
    index = end;
  }
  return result + text.slice(index);
}

/** By place; what lies wholly inside of something that goes is gone with it. */
function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  const sorted = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.index - b.index)
    .map(({ edit }) => edit);
  const removals = sorted.filter(({ start, end, text }) => text === '' && end > start);
  return sorted.filter(
    (textEdit) =>
      !removals.some(
        (removal) =>
          removal !== textEdit &&
          removal.start <= textEdit.start &&
          textEdit.end <= removal.end &&
          (removal.end - removal.start > textEdit.end - textEdit.start ||
            removals.indexOf(removal) < removals.indexOf(textEdit)) &&
          !(
            textEdit.start === textEdit.end &&
            (textEdit.start === removal.start || textEdit.start === removal.end)
          ),
      ),
  );
}
