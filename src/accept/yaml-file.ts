import {
  type Document,
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

/**
 * A value in a file with its surroundings: the value of a map's entry, an item of a list, or the root of a document. Used to edit its text.
 */
export interface Slot {
  file: YamlFile;
  /** The value; null if nothing is written after the key or dash. */
  node: Node | null;
  /** The map or list that it is in. */
  collection?: YAMLMap | YAMLSeq;
  /** Its key, in a map. */
  key?: Scalar;
  /** The slot of that map or list. */
  parent?: Slot;
  /** True if the value or a collection around it has an anchor that is used, so that an edit here would also change other places. */
  isShared: boolean;
}

/** A YAML or JSON file: its text, a slot for each value in it, and the edits of the text that are collected until the end. */
export class YamlFile {
  readonly path: string;
  readonly source: WrittenFile['source'];
  readonly name: string;
  readonly text: string;
  readonly isJson: boolean;
  readonly edits: TextEdit[] = [];
  /** The root of each document that holds a map. */
  readonly roots: Slot[] = [];
  readonly #entries = new Map<number, Slot>();
  readonly #items = new Map<number, Slot>();
  readonly #values = new Map<number, Slot>();
  readonly #lineEnd: string;

  /**
   * Parses a file of the configuration or its data, to find its values and to collect edits of its text for
   * `accept` and `trueup remove`. A CSV file has no values that can be found.
   */
  constructor({ path, source }: Pick<WrittenFile, 'path' | 'source'>) {
    this.path = path;
    this.source = source;
    this.name = source.file;
    this.text = source.text;
    this.isJson = /\.json$/i.test(path);
    this.#lineEnd = /\r\n/.test(this.text) ? '\r\n' : '\n';
    if (isCsvFile(this)) return;
    const parsed = parseAllDocuments(this.text, { uniqueKeys: false, logLevel: 'silent', version: '1.2' });
    for (const document of Array.isArray(parsed) ? parsed : []) this.#addDocument(document);
  }

  /** Returns the map entry whose key begins at an offset. */
  entryAt = (offset: number): Slot | undefined => this.#entries.get(offset);

  /** Returns the value that begins at an offset: that of a map entry, or a list item. */
  valueAt = (offset: number): Slot | undefined => this.#values.get(offset);

  /** Returns all map entries, then all list items, each in the order of the file. */
  slots = (): Slot[] => [...this.#entries.values(), ...this.#items.values()];

  /**
   * Returns the offset of a line and a column, which both count from 1. The reader of the configuration
   * records a reference by line and column, and `accept` finds its text by the offset.
   */
  offsetOf({ line, column }: { line: number; column: number }): number {
    let start = 0;
    for (let index = 1; index < line; index++) start = this.text.indexOf('\n', start) + 1;
    return start + column - 1;
  }

  /** Returns the list item that begins at an offset. */
  itemAt = (offset: number): Slot | undefined => this.#items.get(offset);

  /**
   * Adds the slots (places that `trueup accept` can edit) of a document, if it is a map or a list. Only a map
   * can contain blocks, a list can be data. A value with an anchor that an alias repeats is marked as shared, because an edit
   * would change all its places.
   */
  #addDocument(document: Document.Parsed): void {
    if (!isCollection(document.contents)) return;
    const usedAnchors = new Set<string>();
    visit(document, { Alias: (_, { source }) => void usedAnchors.add(source) });
    const root: Slot = { file: this, node: document.contents, isShared: false };
    if (isMap(document.contents)) this.roots.push(root);
    this.#addSlotsInside(root, usedAnchors);
  }

  /**
   * Adds a slot (place that `trueup accept` can edit) for each value inside a map or list, at any depth. A map entry is found by the offset
   * of its key (`entryAt`), a list item by its own (`itemAt`), and the value of both by that of the value (`valueAt`). `usedAnchors`: the
   * anchors that an alias repeats. A slot with one of them, or in one, is marked as shared, because an edit would change all its places.
   */
  #addSlotsInside(parent: Slot, usedAnchors: ReadonlySet<string>): void {
    const collection = parent.node as YAMLMap | YAMLSeq;
    const add = (node: Node | null, key?: Scalar): void => {
      const anchor = (node as { anchor?: string } | null)?.anchor;
      const isShared = parent.isShared || (anchor !== undefined && usedAnchors.has(anchor));
      const slot: Slot = { file: this, node, collection, parent, isShared, key };
      if (key?.range) this.#entries.set(key.range[0], slot);
      else if (!key && node?.range) this.#items.set(node.range[0], slot);
      if (node?.range) this.#values.set(node.range[0], slot);
      if (isCollection(node)) this.#addSlotsInside(slot, usedAnchors);
    };
    if (isMap(collection))
      for (const { key, value } of collection.items as Pair<Node, Node | null>[])
        if (isScalar(key)) add(value, key);
    if (isSeq(collection)) for (const item of collection.items as Node[]) add(item);
  }

  /** Adds an edit: the text between two offsets becomes `text`, with the line ends of the file. Edits are applied at the end. */
  edit(start: number, end: number, text: string, newMember?: TextEdit['newMember']): void {
    this.edits.push({ start, end, text: text.replaceAll('\n', this.#lineEnd), newMember });
  }

  /** Returns the texts of the members that edits insert into a collection. */
  newMembersOf = (collection: Node): string[] =>
    this.edits.flatMap(({ newMember }) => (newMember?.collection === collection ? [newMember.text] : []));

  /** True if an edit replaces text between two offsets. Used to leave text alone that another accepted change has replaced. */
  isEdited = (start: number, end: number): boolean =>
    this.edits.some((edit) => edit.start < end && edit.end > start);

  /** Returns the column of an offset, from 0. */
  columnOf = (offset: number): number => offset - this.lineStart(offset);

  /** Returns the offset where the line of an offset starts. */
  lineStart = (offset: number): number => this.text.lastIndexOf('\n', offset - 1) + 1;

  /**
   * Returns the start of the next line after a text that ends at `end`; the end of the file if there is none. If the text ends with a line
   * feed, that is `end` itself. Used to insert and remove whole lines.
   */
  nextLine(end: number): number {
    if (end > 0 && this.text[end - 1] === '\n') return end;
    const index = this.text.indexOf('\n', end);
    return index === -1 ? this.text.length : index + 1;
  }
}

/**
 * Finds the entry of a map by its key. Entries that `<<` merges into the map do not count, because their text is elsewhere. Used by `trueup
 * accept` to find the text to edit.
 */
export function findEntry(slot: Slot, name: string): Slot | undefined {
  if (!isMap(slot.node)) return undefined;
  const pair = (slot.node.items as Pair<Node, Node | null>[]).find(
    ({ key }) => isScalar(key) && scalarText(key) === name,
  );
  return pair && slot.file.entryAt((pair.key as Scalar).range![0]);
}

/** The style of the text around a value, which decides how the value is quoted. */
export interface TextSurroundings {
  /** True inside brackets, where commas and brackets need quotes. */
  isFlow: boolean;
  /** True in a JSON file, where all keys and texts have double quotes. */
  isJson: boolean;
}

/** Returns the style of the text around a slot, for formatting its new value. */
export const surroundingsOf = ({ file, collection }: Slot): TextSurroundings => ({
  isFlow: file.isJson || collection?.flow === true,
  isJson: file.isJson,
});

/** Returns the style for a value that `trueup accept` writes inside brackets, such as an item of `[a, b]`. */
export const inBrackets = ({ isJson }: YamlFile): TextSurroundings => ({ isFlow: true, isJson });

/** Returns the slots (places that `trueup accept` can edit) of the items of a YAML list; none for another value. */
export const itemSlotsOf = (slot: Slot): Slot[] =>
  isSeq(slot.node)
    ? (slot.node.items as Node[]).flatMap((item) =>
        item.range ? (slot.file.itemAt(item.range[0]) ?? []) : [],
      )
    : [];

/** Returns the text that a scalar stands for; of a number or boolean, the text as it is written. */
export const scalarText = ({ value, source }: Scalar): string =>
  typeof value === 'string' ? value : (source ?? String(value));

/** Yields the slots (places that `trueup accept` can edit) of the maps and lists around a slot, innermost first. */
export function* enclosingSlots(slot: Slot): Iterable<Slot> {
  for (let enclosing = slot.parent; enclosing; enclosing = enclosing.parent) yield enclosing;
}

/**
 * Returns the top-level key above a slot (place in a YAML file), such as `projects`, `templates` or `patches`. It decides whether the text
 * is a block, part of a template, or a patch, and so how `accept` may edit it.
 */
export function topKeyOf(slot: Slot): string | undefined {
  let topSlot: Slot = slot;
  for (const enclosing of enclosingSlots(slot)) if (enclosing.parent) topSlot = enclosing;
  return topSlot.key && scalarText(topSlot.key);
}

/** True if a text of the YAML has no `${...}` expression, so that `trueup accept` may replace it without removing a reference. */
export const isLiteralText = (text: string): boolean =>
  parseExpressions(text).every((expression) => typeof expression === 'string');

/**
 * True if a value in a file has no expressions and no anchors, so that `accept` can replace its text without
 * losing anything or changing other places. An alias counts as literal, because replacing it does not change
 * its target.
 */
export function isLiteral(node: Node | null): boolean {
  let isLiteralNode = true;
  visit(node, {
    Scalar: (_, { value, anchor }) => {
      if (anchor !== undefined || (typeof value === 'string' && !isLiteralText(value))) isLiteralNode = false;
    },
    Collection: (_, { anchor }) => {
      if (anchor !== undefined) isLiteralNode = false;
    },
  });
  return isLiteralNode;
}

/**
 * Returns the offset in a YAML file where a value ends, without comments and line ends after it: `trueup accept` inserts text there, or
 * replaces text up to there. Goes down to the last value in an indented map or list, because the parser counts comments after that value as
 * part of the map or list. If nothing is written for a value (`key:`), returns the offset after the colon of its key.
 */
export function endOffsetOf({ node, key, file }: Pick<Slot, 'node' | 'key' | 'file'>): number {
  if (node === null || isUnwritten(node)) return key ? offsetAfterColon(key, file) : (node?.range?.[0] ?? 0);
  if (isCollection(node) && !node.flow) {
    // An indented map or list has at least one item; an empty one is written with brackets.
    const last = node.items.at(-1);
    if (isMap(node)) {
      const { key, value } = last as Pair<Scalar, Node | null>;
      return endOffsetOf({ node: value, key, file });
    }
    if (last) return endOffsetOf({ node: last as Node, file });
  }
  return node.range![1];
}

/** True if the YAML has nothing for a value, as in `key:`. Then `trueup accept` can write a map of fields there. */
export const isUnwritten = (node: Node | null): boolean =>
  node === null || (isScalar(node) && node.value === null && !node.source);

/** Returns the offset in a YAML file after the colon of a key, where `trueup accept` inserts a value that is not written yet. */
export const offsetAfterColon = ({ range }: Scalar, { text }: YamlFile): number =>
  text.indexOf(':', range![1]) + 1;

/** A replacement of the text between two offsets. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
  /** The entry or item that it inserts, without commas, and the map or list that it inserts it into. */
  newMember?: { collection: Node; text: string } | undefined;
  /** The id of the data that it changes (`OriginEdit`), because a later check may refuse that. */
  originId?: string;
}

/** True for a CSV file. It has rows instead of slots. */
export const isCsvFile = ({ path }: Pick<YamlFile, 'path'>): boolean => /\.csv$/i.test(path);

/**
 * Applies the edits of `trueup accept` to the text of a file and returns the new text. Insertions at one offset keep their order. Throws if
 * two edits overlap, unless one edit removes all text of the other.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let index = 0;
  for (const { start, end, text: replacement } of sortEdits(edits)) {
    if (start < index) throw new Error('two edits overlap');
    result += text.slice(index, start) + replacement;
    index = end;
  }
  return result + text.slice(index);
}

/**
 * Sorts edits by offset, without those that are inside a removed part of the text, since their text is removed anyway. For example, `trueup
 * accept` may change a field of a block that another edit removes.
 */
function sortEdits(edits: readonly TextEdit[]): TextEdit[] {
  const sorted = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.index - b.index)
    .map(({ edit }) => edit);
  const removals = sorted.filter(({ start, end, text }) => text === '' && end > start);
  const isRemovedWith = (edit: TextEdit, removal: TextEdit): boolean => {
    if (removal === edit || edit.start < removal.start || edit.end > removal.end) return false;
    const isInsertionAtEdge =
      edit.start === edit.end && (edit.start === removal.start || edit.start === removal.end);
    if (isInsertionAtEdge) return false;
    // Of two equal removals, the first one is kept.
    const isSmaller = edit.end - edit.start < removal.end - removal.start;
    return isSmaller || removals.indexOf(removal) < removals.indexOf(edit);
  };
  return sorted.filter((edit) => !removals.some((removal) => isRemovedWith(edit, removal)));
}
