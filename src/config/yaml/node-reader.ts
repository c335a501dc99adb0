/*
 * Builds the nodes of a configuration from the tokens of the YAML parser.
 *
 * Terms:
 *   token   a piece of the parser's syntax tree: a scalar with its source text, a map with its items
 *   node    our form of a value: text, value and spot (`nodes.ts`)
 *   props   what stands in front of a token: anchor, tag, indicator (`token-checks.ts`)
 *
 * Premise: the parser also makes tokens of text that is no valid YAML. The reader makes the best node of each token and sets `isSuspicious` where
 * the text may be invalid; its caller then checks the syntax before it uses a node.
 */
import { CST, Lexer, Parser } from 'yaml';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import { Anchors } from './anchors.ts';
import { MapEntries } from './map-entries.ts';
import { type ListNode, type MapNode, maxDepth, maxExpansion, type Node, type ScalarNode } from './nodes.ts';
import { plainValue } from './plain-value.ts';
import type { Reading } from './reading.ts';
import { positionOf, type Source, type Spot } from './source.ts';
import {
  documentStart,
  flowItemStart,
  flowValueStart,
  isOrdinaryEnd,
  isOrdinaryKey,
  isOrdinaryName,
  keyStart,
  listItemStart,
  type Props,
  readProps,
  valueStart,
} from './token-checks.ts';
import { describeYamlError } from './yaml-problems.ts';

/** Thrown to give up a document that is nested or expanded too far. */
const giveUp = Symbol('give up');

/** So few items of a collection are left to its end: below that, reading ahead saves nothing. */
const readAheadFrom = 4;

const coreTag =
  /^(?:!!(?:str|int|float|bool|null|map|seq)|!<tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)>)$/;
const stringTag = /^(?:!!str|!<tag:yaml\.org,2002:str>)$/;

/** Reads the documents of a YAML text as nodes. */
export function readNodes(source: Source): Reading {
  const reader = new NodeReader(source);
  reader.readText();
  return reader;
}

class NodeReader implements Reading {
  readonly documents: Node[] = [];
  readonly problems: Diagnostic[] = [];
  isSuspicious = false;
  readonly #source: Source;
  /** What was read ahead of block collections that the parser is still at. */
  readonly #begunMaps = new WeakMap<CST.BlockMap, MapEntries>();
  readonly #begunLists = new WeakMap<CST.BlockSequence, Node[]>();
  #canReadAhead = true;
  #anchors = new Anchors();
  #depth = 0;
  /** The offset behind the last token that was read. */
  #end = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  readText(): void {
    const parser = new Parser();
    try {
      for (const lexeme of new Lexer().lex(this.#source.text)) {
        for (const token of parser.next(lexeme)) this.#topLevel(token);
        if (lexeme === '\n' || lexeme === '\r\n') this.#readAhead(parser.stack);
        else if (lexeme[0] === '&') this.#canReadAhead = false;
      }
      for (const token of parser.end()) this.#topLevel(token);
    } catch (error) {
      if (error !== giveUp) throw error;
      // The rest was not looked at.
      this.isSuspicious = true;
    }
  }

  /** Reads one token of the file's top level: a document, or what stands between documents. */
  #topLevel(token: CST.Token): void {
    if (token.type === 'document') this.#document(token);
    else if (token.type !== 'comment' && token.type !== 'newline' && token.type !== 'space')
      this.isSuspicious = true;
  }

  /**
   * Reads the finished items of the collections that the parser is at, and takes them out of its stack. Otherwise the tokens of a large file, which
   * are one document, are all in memory at once, and a fifth of the time goes into collecting garbage. Not done behind an anchor, because
   * nodes with anchors have to be read in their order.
   */
  #readAhead(stack: readonly CST.Token[]): void {
    if (!this.#canReadAhead) return;
    for (let depth = 1; depth < stack.length; depth++) {
      const token = stack[depth]!;
      if (token.type !== 'block-map' && token.type !== 'block-seq') continue;
      if (token.items.length < readAheadFrom) continue;
      this.#depth = depth;
      // The parser may still move a comment to the item before the last one.
      const items = token.items.splice(0, token.items.length - 2);
      if (token.type === 'block-map') {
        const entries = this.#entriesOf(token);
        this.#readEntries(token, items, entries);
        this.#begunMaps.set(token, entries);
      } else {
        const nodes = this.#itemsOf(token);
        this.#readItems(token, items, nodes);
        this.#begunLists.set(token, nodes);
      }
    }
    this.#depth = 0;
  }

  #document({ offset, start, value, end }: CST.Document): void {
    const props = this.#props(start, documentStart);
    const isOnMarkerLine = props.indicator !== undefined && !props.hasNewline;
    if ((isOnMarkerLine && isBlock(value)) || !isOrdinaryEnd(end)) this.isSuspicious = true;
    this.documents.push(this.#node(value, props, start, offset));
    this.#anchors = new Anchors();
    this.#depth = 0;
  }

  #props(tokens: readonly CST.SourceToken[], rules: Parameters<typeof readProps>[1]): Props {
    const props = readProps(tokens, rules);
    if (props.isSuspicious) this.isSuspicious = true;
    return props;
  }

  #report(code: string, message: string, spot: Spot, hint?: string): void {
    this.problems.push(problem(code, message, { at: positionOf(spot), hint }));
  }

  #spot(start: number, end: number): Spot {
    return { source: this.#source, start, end };
  }

  /**
   * Builds the node of a token. Without a token, nothing is written: then the node is null, and stands behind the tokens `before` it, or at
   * `fallback` if there are none.
   */
  #node(
    token: CST.Token | undefined,
    { anchor, tag }: Props,
    before: readonly CST.SourceToken[],
    fallback: number,
  ): Node {
    if (token?.type === 'alias') {
      if (anchor || tag) this.isSuspicious = true;
      return this.#alias(token, this.#depth + 1);
    }
    const depth = ++this.#depth;
    const openAnchor = anchor && this.#anchors.open(anchor.source.slice(1), depth);
    this.#anchors.count(depth);
    if (tag) this.#checkTag(tag);
    if (depth > maxDepth) {
      const start = token?.offset ?? fallback;
      this.#report(
        'yaml/depth',
        `this is nested more than ${maxDepth} levels deep`,
        this.#spot(start, start),
      );
      throw giveUp;
    }
    // An anchor or tag on the line of a list's first item is an error.
    if (token?.type === 'block-seq' && anchor) this.isSuspicious = true;
    const node = token ? this.#written(token, tag) : this.#unwritten(offsetOfEmpty(before, fallback), tag);
    this.#depth--;
    if (openAnchor) this.#anchors.close(openAnchor, node);
    return node;
  }

  #written(token: CST.Token, tag: CST.SourceToken | undefined): Node {
    switch (token.type) {
      case 'block-map':
        return this.#blockMap(token);
      case 'block-seq':
        return this.#blockList(token);
      case 'flow-collection':
        return token.start.source === '{' ? this.#flowMap(token) : this.#flowList(token);
      case 'scalar':
      case 'single-quoted-scalar':
      case 'double-quoted-scalar':
      case 'block-scalar':
        return this.#scalar(token, tag);
      default:
        this.isSuspicious = true;
        return this.#unwritten(token.offset, tag);
    }
  }

  #unwritten(offset: number, tag: CST.SourceToken | undefined): ScalarNode {
    this.#end = offset;
    const value = tag && stringTag.test(tag.source) ? '' : null;
    return { type: 'scalar', at: this.#spot(offset, offset), text: '', value };
  }

  #checkTag({ source, offset }: CST.SourceToken): void {
    if (coreTag.test(source)) return;
    const { code, message, hint } = describeYamlError('TAG_RESOLVE_FAILED');
    this.#report(code, message, this.#spot(offset, offset), hint);
  }

  #alias({ source, offset, end }: CST.FlowScalar, depth: number): Node {
    if (!isOrdinaryName(source) || !isOrdinaryEnd(end)) this.isSuspicious = true;
    const name = source.slice(1);
    const spot = this.#spot(offset, offset + source.length);
    this.#end = spot.end;
    const node = this.#anchors.expand(name, depth);
    if (typeof node === 'object') return node;
    if (node === 'too-large') {
      const message = `the aliases up to here expand to more than ${maxExpansion} values`;
      this.#report('yaml/alias-limit', message, spot);
      throw giveUp;
    }
    if (node === 'too-deep') {
      const message = `with this alias, values are nested more than ${maxDepth} levels deep`;
      this.#report('yaml/depth', message, spot);
      throw giveUp;
    }
    // In a data file the name may be a password that begins with `*`.
    const missing = this.#source.isQuoted ? quoted(name) : 'of this name';
    this.#report(
      'yaml/alias',
      node === 'open'
        ? `the alias ${quoted(name)} is inside its own anchor`
        : `no anchor ${missing} is defined before this alias`,
      spot,
    );
    this.#anchors.count(depth);
    return { type: 'scalar', at: spot, text: '', value: null };
  }

  #scalar(token: CST.FlowScalar | CST.BlockScalar, tag: CST.SourceToken | undefined): ScalarNode {
    const { type, source, offset } = token;
    let text: string;
    let end = offset + source.length;
    const isOnOneLine = type !== 'block-scalar' && isOrdinaryEnd(token.end);
    if (isOnOneLine && type === 'scalar' && ordinaryPlain.test(source)) text = source;
    else if (isOnOneLine && ordinaryQuoted.test(source)) text = source.slice(1, -1);
    else {
      const resolved = CST.resolveAsScalar(token, true, this.#suspect);
      text = resolved.value;
      end = resolved.range[1];
    }
    this.#end = end;
    const isString = tag ? stringTag.test(tag.source) : type !== 'scalar';
    return { type: 'scalar', at: this.#spot(offset, end), text, value: isString ? text : plainValue(text) };
  }

  #suspect = (): void => {
    this.isSuspicious = true;
  };

  #blockList(list: CST.BlockSequence): ListNode {
    const items = this.#itemsOf(list);
    this.#readItems(list, list.items, items);
    return { type: 'list', at: this.#spot(list.offset, this.#end), items };
  }

  /** Returns the nodes of a list that were read ahead, or an empty list. */
  #itemsOf = (list: CST.BlockSequence): Node[] => this.#begunLists.get(list) ?? [];

  #readItems(list: CST.BlockSequence, items: readonly CST.CollectionItem[], nodes: Node[]): void {
    for (const { start, value } of items) {
      const props = this.#props(start, listItemStart);
      if (!props.indicator) {
        const hasOnlyComments = !value && !props.anchor && !props.tag;
        if (hasOnlyComments) continue;
        this.isSuspicious = true;
      }
      nodes.push(this.#node(value, props, start, list.offset));
    }
  }

  #blockMap(map: CST.BlockMap): MapNode {
    const entries = this.#entriesOf(map);
    this.#readEntries(map, map.items, entries);
    return { type: 'map', at: this.#spot(map.offset, this.#end), entries: entries.all() };
  }

  /** Returns the entries of a map that were read ahead, or no entries. */
  #entriesOf = (map: CST.BlockMap): MapEntries => this.#begunMaps.get(map) ?? new MapEntries(this.problems);

  #readEntries(map: CST.BlockMap, items: readonly CST.CollectionItem[], entries: MapEntries): void {
    const lastItem = map.items.at(-1);
    for (const item of items) {
      const { start, key, sep, value } = item;
      const props = this.#props(start, keyStart);
      if (!key && !sep && !props.indicator && !props.anchor && !props.tag) {
        // Only comments. If they do not end the map, something is wrong with the indentation.
        if (item !== lastItem) this.isSuspicious = true;
        continue;
      }
      const valueProps = this.#props(sep ?? [], valueStart);
      const colon = valueProps.indicator;
      const isOrdinary = !props.indicator && !props.anchor && key && colon && isOrdinaryKey(key, colon, map);
      if (!isOrdinary || (value?.type === 'block-map' && !valueProps.hasNewline)) this.isSuspicious = true;
      this.#entry(entries, { item, props, valueProps });
    }
  }

  #flowMap(map: CST.FlowCollection): MapNode {
    const entries = new MapEntries(this.problems);
    const spot = this.#spot(map.offset, map.offset);
    for (const { item, props } of this.#flowItems(map))
      this.#entry(entries, { item, props, valueProps: this.#flowValueProps(item) });
    spot.end = this.#closeBracket(map, '}');
    return { type: 'map', at: spot, entries: entries.all() };
  }

  #flowList(list: CST.FlowCollection): ListNode {
    const items: Node[] = [];
    for (const { item, props } of this.#flowItems(list)) {
      const isPair = item.sep !== undefined || props.indicator !== undefined;
      items.push(
        isPair ? this.#pairInList(item, props) : this.#node(item.value, props, item.start, list.offset),
      );
    }
    return { type: 'list', at: this.#spot(list.offset, this.#closeBracket(list, ']')), items };
  }

  /** Returns the items in brackets, without those that are only comments. */
  #flowItems({ items }: CST.FlowCollection): { item: CST.CollectionItem; props: Props }[] {
    const written: { item: CST.CollectionItem; props: Props }[] = [];
    for (const [index, item] of items.entries()) {
      const props = this.#props(item.start, flowItemStart);
      const isFirst = index === 0;
      const { sep, key, value } = item;
      if (!sep && !value && !props.indicator && !props.anchor && !props.tag) {
        if (index < items.length - 1 || (isFirst && props.hasComma)) this.isSuspicious = true;
        continue;
      }
      if (props.hasComma === isFirst || isBlock(key) || isBlock(value)) this.isSuspicious = true;
      written.push({ item, props });
    }
    return written;
  }

  #flowValueProps({ key, sep, value }: CST.CollectionItem): Props {
    const valueProps = this.#props(sep ?? [], flowValueStart);
    if ((value && !valueProps.indicator) || (key && !CST.isScalar(key))) this.isSuspicious = true;
    return valueProps;
  }

  /** Builds the map of one entry that `[a: b]` holds. */
  #pairInList(item: CST.CollectionItem, props: Props): MapNode {
    this.isSuspicious = true;
    const start = keyOffset(item);
    const entries = new MapEntries(this.problems);
    const spot = this.#spot(start, start);
    this.#depth++;
    this.#anchors.count(this.#depth);
    this.#entry(entries, { item, props, valueProps: this.#flowValueProps(item) });
    this.#depth--;
    return { type: 'map', at: { ...spot, end: this.#end }, entries: entries.all() };
  }

  /** Reads the end of a flow collection; returns the offset behind its bracket. */
  #closeBracket({ end }: CST.FlowCollection, bracket: string): number {
    const [closing] = end;
    if (closing?.source !== bracket || !isOrdinaryEnd(end, 1)) this.isSuspicious = true;
    if (closing) this.#end = closing.offset + closing.source.length;
    return this.#end;
  }

  /** Builds an entry and adds it to `entries`. */
  #entry(
    entries: MapEntries,
    { item, props, valueProps }: { item: CST.CollectionItem; props: Props; valueProps: Props },
  ): void {
    const { key: keyToken, sep } = item;
    // The document layer ignores a value without a colon, too.
    const valueToken = valueProps.indicator && item.value;
    const offset = keyOffset(item);
    const key = keyToken ? this.#keyOf(keyToken, props.tag) : this.#unwritten(offset, props.tag);
    if (!key) {
      this.#report('yaml/key', 'a key must be plain text', this.#spot(offset, offset), 'put it in quotes');
      return;
    }
    const keyEnd = this.#end;
    const value = this.#node(valueToken, valueProps, sep ?? [], keyEnd);
    const isEmpty =
      value.type === 'scalar' && value.value === null && value.text === '' && valueToken?.type !== 'alias';
    if (isEmpty) {
      this.#end = keyEnd;
      entries.add({ key, value: { ...value, at: key.at } }, keyToken?.type === 'scalar');
    } else entries.add({ key, value }, keyToken?.type === 'scalar');
  }

  #keyOf(token: CST.Token, tag: CST.SourceToken | undefined): ScalarNode | undefined {
    if (token.type === 'alias') {
      this.#end = token.offset + token.source.length;
      return this.#anchors.scalarOf(token.source.slice(1));
    }
    if (!CST.isScalar(token)) return undefined;
    if (tag) this.#checkTag(tag);
    return this.#scalar(token, tag);
  }
}

/** A plain scalar on one line that begins with no character that is reserved. */
const ordinaryPlain = /^[^\s,%|>@`][^\n\r]*$/;
/** A scalar in quotes on one line, without escapes. */
const ordinaryQuoted = /^(?:'[^'\n\r]*'|"[^"\\\n\r]*")$/;

const isBlock = (token: CST.Token | null | undefined): boolean =>
  token?.type === 'block-map' || token?.type === 'block-seq';

/** Returns the offset of the key of an item, also if it is not written, as in `: value`. */
const keyOffset = ({ key, start, sep }: CST.CollectionItem): number =>
  key?.offset ?? offsetOfEmpty(start, sep?.[0]?.offset ?? 0);

/** Returns the offset of a value that is not written: behind the blanks that follow the last token before it. */
function offsetOfEmpty(before: readonly CST.SourceToken[], fallback: number): number {
  const lastIndex = before.findLastIndex(
    ({ type }) => type !== 'space' && type !== 'comment' && type !== 'newline',
  );
  const last = before[lastIndex];
  if (!last) return before[0]?.offset ?? fallback;
  const space = before[lastIndex + 1];
  const behind = space?.type === 'space' ? space : last;
  return behind.offset + behind.source.length;
}
