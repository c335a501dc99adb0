/*
 * Builds the nodes of a configuration from the tokens of the YAML parser.
 *
 * Terms:
 *   token        a piece of the parser's syntax tree: a scalar with its source text, a map with its items
 *   item         one entry of a map, or one value of a list: tokens in front of the key, key, tokens in front of the value, value
 *   props        the anchor, the tag and the indicator (such as `-`) among the tokens in front of a node
 *   node         our form of a value: text, value and spot (`nodes.ts`)
 *   block, flow  a collection of lines, and one in brackets
 *
 * Premise: the text has no syntax errors (`check-syntax.ts`). Only text that is not ordinary gets here (`ordinary-reader.ts`).
 */
import { CST } from 'yaml';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type ListNode, type MapNode, maxDepth, type Node, type ScalarNode } from './nodes.ts';
import { Anchors, giveUp, MapEntries, ScalarReader } from './scalar-reader.ts';
import type { Source } from './source.ts';

/** The documents of a YAML text. A text with a problem has none, because half of it could mean anything. */
export interface ParsedYaml {
  documents: Node[];
  diagnostics: Diagnostic[];
}

/**
 * Reads a YAML text as nodes (values with their places, for messages), from the tokens of its documents. The
 * caller has checked that there are no syntax errors. `diagnostics` has the other problems, such as repeated
 * keys, wrong aliases and custom tags: then some nodes are missing or wrong.
 */
export function readNodes(source: Source, tokens: Iterable<CST.Token>): ParsedYaml {
  const reader = new NodeReader(source);
  reader.read(tokens);
  return { documents: reader.documents, diagnostics: reader.report.diagnostics };
}

/** The tokens in front of a node: its anchor and tag, and the indicator (`-`, `:`, `?`, `---`) that announces it. */
interface Props {
  anchor: CST.SourceToken | undefined;
  tag: CST.SourceToken | undefined;
  indicator: CST.SourceToken | undefined;
}

/**
 * Returns the props of a YAML node, by the `tokens` in front of it. `indicator`: the kind of sign that announces the node.
 */
function readProps(tokens: readonly CST.SourceToken[], indicator: CST.SourceToken['type']): Props {
  const find = (wanted: CST.SourceToken['type']) => tokens.find(({ type }) => type === wanted);
  return { anchor: find('anchor'), tag: find('tag'), indicator: find(indicator) };
}

/** Builds the nodes of all documents of one text. See the top of this file. */
class NodeReader extends ScalarReader {
  readonly documents: Node[] = [];
  #depth = 0;

  /** Reads all documents. Stops at values that are nested or expanded too far, after a report (`giveUp`). */
  read(tokens: Iterable<CST.Token>): void {
    try {
      for (const token of tokens) if (token.type === 'document') this.#readDocument(token);
    } catch (error) {
      if (error !== giveUp) throw error;
    }
  }

  /**
   * Reads one document of a YAML file and adds its node to `documents`. `start`: the tokens in front of its
   * content, such as `---`. Anchors (`&name`) end with their document, so the next one starts with none.
   */
  #readDocument({ offset, start, value }: CST.Document): void {
    this.documents.push(this.#readNode(value, readProps(start, 'doc-start'), start, offset));
    this.anchors = new Anchors();
  }

  /**
   * Builds the node of a value from its token. Its anchor (`&name`) is recorded, so that aliases (`*name`)
   * can repeat the value. Without a token the value is empty: its node is null, and stands behind the tokens
   * `before` it, or at the offset `fallback` if there are none. Throws `giveUp` after it reported values that
   * are nested too deep.
   */
  #readNode(
    token: CST.Token | undefined,
    { anchor, tag }: Props,
    before: readonly CST.SourceToken[],
    fallback: number,
  ): Node {
    if (token?.type === 'alias') return this.readAlias(token, this.#depth + 1);
    const depth = ++this.#depth;
    const openAnchor = anchor && this.anchors.open(anchor.source.slice(1), depth);
    this.anchors.count(depth);
    if (tag) this.checkTag(tag);
    if (depth > maxDepth) {
      const tooDeepSpot = this.spot(token?.offset ?? fallback);
      this.report.error('yaml/depth', `this is nested more than ${maxDepth} levels deep`, {
        at: tooDeepSpot,
      });
      throw giveUp;
    }
    const node = token ? this.#readToken(token, tag) : this.emptyNode(offsetOfEmpty(before, fallback), tag);
    this.#depth--;
    if (openAnchor) this.anchors.close(openAnchor, node);
    return node;
  }

  /**
   * Builds the node of a value from its token. A token is the parser's form of a value; a node is ours, with
   * text, value and place, and the only form that the readers of a configuration know. `tag`: a type such as
   * `!!str` in front of a scalar.
   */
  #readToken(token: CST.Token, tag: CST.SourceToken | undefined): Node {
    if (token.type === 'block-map') return this.#readBlockMap(token);
    if (token.type === 'block-seq') return this.#readBlockList(token);
    if (token.type === 'flow-collection')
      return token.start.source === '{' ? this.#readFlowMap(token) : this.#readFlowList(token);
    if (CST.isScalar(token)) return this.readScalar(token, tag);
    return this.emptyNode(token.offset, tag);
  }

  /** Builds the node of a YAML list in lines (`- item`) from its tokens. An item with only comments has no node. */
  #readBlockList(list: CST.BlockSequence): ListNode {
    const items: Node[] = [];
    for (const { start, value } of list.items) {
      const props = readProps(start, 'seq-item-ind');
      const hasOnlyComments = !props.indicator && !value && !props.anchor && !props.tag;
      if (!hasOnlyComments) items.push(this.#readNode(value, props, start, list.offset));
    }
    return { type: 'list', at: this.spot(list.offset, this.end), items };
  }

  /** Builds the node of a map in lines. An item with only comments has no entry. */
  #readBlockMap(map: CST.BlockMap): MapNode {
    const entries = new MapEntries(this.report);
    for (const item of map.items) {
      const props = readProps(item.start, 'explicit-key-ind');
      const hasOnlyComments = !item.key && !item.sep && !props.indicator && !props.anchor && !props.tag;
      if (!hasOnlyComments) this.#addEntry(entries, item, props);
    }
    return { type: 'map', at: this.spot(map.offset, this.end), entries: entries.merged() };
  }

  /**
   * Builds the node of a map in braces, `{ a: 1, b: 2 }`, from the parser's token. Repeated keys and merges
   * (`<<: *name`) are handled as in other maps.
   */
  #readFlowMap(map: CST.FlowCollection): MapNode {
    const entries = new MapEntries(this.report);
    for (const [item, props] of this.#flowItems(map)) this.#addEntry(entries, item, props);
    return {
      type: 'map',
      at: this.spot(map.offset, this.#closeBracket(map)),
      entries: entries.merged(),
    };
  }

  /**
   * Builds the node of a list in brackets, `[a, b]`, from the parser's token. An item such as `a: b` is a map
   * with one entry.
   */
  #readFlowList(list: CST.FlowCollection): ListNode {
    const items: Node[] = [];
    for (const [item, props] of this.#flowItems(list)) {
      const isPair = item.sep !== undefined || props.indicator !== undefined;
      const node = isPair
        ? this.#readPair(item, props)
        : this.#readNode(item.value, props, item.start, list.offset);
      items.push(node);
    }
    return { type: 'list', at: this.spot(list.offset, this.#closeBracket(list)), items };
  }

  /**
   * Yields the items of a YAML list or map in brackets, each with its props: the anchor (`&name`), the tag
   * (`!!str`) and the signs in front of it. Skips an item that is only a comment.
   */
  *#flowItems({ items }: CST.FlowCollection): Generator<[CST.CollectionItem, Props]> {
    for (const item of items) {
      const props = readProps(item.start, 'explicit-key-ind');
      if (item.sep || item.value || props.indicator || props.anchor || props.tag) yield [item, props];
    }
  }

  /**
   * Builds the node of a map with one entry that stands without braces in a YAML list: `[a: b]` means `[{ a: b }]`. `props`: the anchor,
   * tag and signs of its key. The map counts as one more level of nesting.
   */
  #readPair(item: CST.CollectionItem, props: Props): MapNode {
    const entries = new MapEntries(this.report);
    this.anchors.count(++this.#depth);
    this.#addEntry(entries, item, props);
    this.#depth--;
    return { type: 'map', at: this.spot(keyOffset(item), this.end), entries: entries.merged() };
  }

  /** Returns the offset behind the bracket that closes a YAML list or map, where the node ends. */
  #closeBracket({ end: [closing] }: CST.FlowCollection): number {
    if (closing) this.end = closing.offset + closing.source.length;
    return this.end;
  }

  /**
   * Builds the entry of one item of a YAML map, in lines or in braces, and adds it to `entries`, the content
   * of the map's node. `props`: the anchor, the tag and the signs in front of the key.
   * Reports a key that is no scalar. A value that is not written (`a:`) gets the place of its key, so that
   * messages point there. Without a colon there is no value.
   */
  #addEntry(entries: MapEntries, item: CST.CollectionItem, props: Props): void {
    const { key: keyToken, sep } = item;
    const valueProps = readProps(sep ?? [], 'map-value-ind');
    // The document layer ignores a value without a colon, too.
    const valueToken = valueProps.indicator && item.value;
    const offset = keyOffset(item);
    const key = keyToken ? this.#readKey(keyToken, props.tag) : this.emptyNode(offset, props.tag);
    if (!key) {
      const keySpot = this.spot(offset);
      this.report.error('yaml/key', 'a key must be plain text', { at: keySpot, hint: 'put it in quotes' });
      return;
    }
    const keyEnd = this.end;
    let value = this.#readNode(valueToken, valueProps, sep ?? [], keyEnd);
    const isEmpty = value.type === 'scalar' && value.value === null && value.text === '';
    const isNotWritten = isEmpty && valueToken?.type !== 'alias';
    if (isNotWritten) {
      // It stands where its key does.
      value = { ...value, at: key.at };
      this.end = keyEnd;
    }
    // Keys in quotes have other tokens.
    const isPlainKey = keyToken?.type === 'scalar';
    entries.add({ key, value }, isPlainKey);
  }

  /**
   * Builds the node of a map key of the YAML from its token. An alias (`*name`) as a key is replaced by the
   * scalar that it repeats. Returns undefined for a key that is no scalar, which the caller reports. `tag`: a
   * type such as `!!str` in front of it.
   */
  #readKey(token: CST.Token, tag: CST.SourceToken | undefined): ScalarNode | undefined {
    if (token.type === 'alias') {
      this.end = token.offset + token.source.length;
      return this.anchors.scalarOf(token.source.slice(1));
    }
    if (!CST.isScalar(token)) return undefined;
    if (tag) this.checkTag(tag);
    return this.readScalar(token, tag);
  }
}

/**
 * Returns the offset of the key of a YAML entry, the place of its node for messages, also if the key is not written, as in `: value`.
 */
const keyOffset = ({ key, start, sep }: CST.CollectionItem): number =>
  key?.offset ?? offsetOfEmpty(start, sep?.[0]?.offset ?? 0);

/**
 * Returns the offset at which a message about an empty value (`a:`) points, because it has no text of its
 * own: behind the last token in front of it, and the space that follows that. `before`: all tokens in front
 * of it. If all are blanks and comments, the result is the offset of the first; without any, it is
 * `fallback`.
 */
function offsetOfEmpty(before: readonly CST.SourceToken[], fallback: number): number {
  const isGap = ({ type }: CST.SourceToken) => type === 'space' || type === 'comment' || type === 'newline';
  const lastIndex = before.findLastIndex((token) => !isGap(token));
  const last = before[lastIndex];
  if (!last) return before[0]?.offset ?? fallback;
  const next = before[lastIndex + 1];
  const { offset, source } = next?.type === 'space' ? next : last;
  return offset + source.length;
}
