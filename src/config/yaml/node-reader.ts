/*
 * Builds the nodes of a configuration from the tokens of the YAML parser.
 *
 * Terms:
 *   token        a piece of the parser's syntax tree: a scalar with its source text, a map with its items
 *   item         one entry of a map, or one value of a list: tokens in front of the key, key, tokens in front of the value, value
 *   props        what the tokens in front of a node say: anchor, tag, indicator (`token-checks.ts`)
 *   node         our form of a value: text, value and spot (`nodes.ts`)
 *   block, flow  a collection of lines, and one in brackets
 *
 * Premise: the parser also makes tokens of text that is no valid YAML. The reader makes the best node of each token, and sets `needsFullCheck` if the
 * text may be invalid. The caller then looks for syntax errors before it uses a node.
 */
import { CST, Lexer, Parser } from 'yaml';
import type { Diagnostic, Reporter } from '../../model/diagnostic.ts';
import { type ListNode, type MapNode, maxDepth, type Node, type ScalarNode } from './nodes.ts';
import { Anchors, giveUp, MapEntries, ScalarReader } from './scalar-reader.ts';
import type { Source } from './source.ts';
import { isOrdinaryEnd, isOrdinaryKey, type Props } from './token-checks.ts';

/** The nodes of a YAML text before its syntax was checked. They must not be used if the text has problems. */
export interface Reading {
  documents: Node[];
  /** Collects problems that are no syntax errors, such as repeated keys, wrong aliases and custom tags. */
  report: Reporter;
  /** True if the text may have syntax errors, so that `findSyntaxErrors` must check it. */
  needsFullCheck: boolean;
}

/** The documents of a YAML text. A text with a problem has none, because half of it could mean anything. */
export interface ParsedYaml {
  documents: Node[];
  diagnostics: Diagnostic[];
}

/**
 * Returns the documents of a YAML text, or the problems with it. If there are any, marks the source as broken
 * and returns no documents, so that no wrong value is used. Syntax errors are returned alone, because they
 * cause other problems (in `report`).
 */
export function parsedYaml(
  source: Source,
  { documents, report }: Reading,
  syntaxErrors: Diagnostic[],
): ParsedYaml {
  const diagnostics = syntaxErrors.length > 0 ? syntaxErrors : report.diagnostics;
  if (diagnostics.length > 0) source.broken = true;
  return { documents: source.broken ? [] : documents, diagnostics };
}

/**
 * Reads the documents of a YAML text as nodes (values with their places, for messages). It is fast, but
 * checks the syntax only roughly: if `needsFullCheck` of the result is true, the text may have syntax errors,
 * and the caller has to run a complete check before it uses a node.
 */
export function readNodes(source: Source): Reading {
  const reader = new NodeReader(source);
  reader.read();
  return reader;
}

/** A smaller collection is not read ahead: two items have to stay with the parser. */
const readAheadFrom = 4;

/** Builds the nodes of all documents of one text. See the top of this file. */
class NodeReader extends ScalarReader implements Reading {
  readonly documents: Node[] = [];
  /** The entries that `#readAhead` has read of maps that the parser has not finished. */
  readonly #openMaps = new WeakMap<CST.BlockMap, MapEntries>();
  readonly #openLists = new WeakMap<CST.BlockSequence, Node[]>();
  #canReadAhead = true;
  #depth = 0;

  /**
   * Reads all documents of a YAML text into nodes (values with their places). The text goes to the parser in
   * lexemes (its smallest parts), so that finished parts of a large file can be read early, which saves
   * memory. An anchor (`&name`) ends that, because anchors and aliases have to be read in order. Stops at
   * values that are nested or expanded too far, after a report (`giveUp`).
   */
  read(): void {
    const parser = new Parser();
    try {
      for (const lexeme of new Lexer().lex(this.source.text)) {
        for (const token of parser.next(lexeme)) this.#readTopLevel(token);
        if (lexeme === '\n' || lexeme === '\r\n') this.#readAhead(parser.stack);
        else if (lexeme[0] === '&') this.#canReadAhead = false;
      }
      for (const token of parser.end()) this.#readTopLevel(token);
    } catch (error) {
      if (error !== giveUp) throw error;
      // The rest was not looked at.
      this.needsFullCheck = true;
    }
  }

  /**
   * Reads a token at the outermost level: usually a document. Any other token must be a comment or a blank; otherwise
   * the text may have a syntax error, and the complete check has to run.
   */
  #readTopLevel(token: CST.Token): void {
    if (token.type === 'document') this.#readDocument(token);
    else this.needFullCheckIf(token.type !== 'comment' && token.type !== 'newline' && token.type !== 'space');
  }

  /**
   * Reads the finished items of the lists and maps that the parser is still in, and removes them from its
   * stack. Called after each line. A large file is usually one document, and without this its tokens would be
   * in memory all at once. `stack`: the parser's open tokens, the outermost first.
   *
   * Collections nested deeper than allowed are skipped: they are an error in any case, and many lines such as
   * `a: b: c` would take quadratic time.
   */
  #readAhead(stack: readonly CST.Token[]): void {
    if (!this.#canReadAhead) return;
    const end = Math.min(stack.length, maxDepth + 2);
    for (let depth = 1; depth < end; depth++) {
      const token = stack[depth]!;
      if (token.type !== 'block-map' && token.type !== 'block-seq') continue;
      if (token.items.length < readAheadFrom) continue;
      this.#depth = depth;
      // The parser may still move a comment to the item before the last one.
      const items = token.items.splice(0, token.items.length - 2);
      if (token.type === 'block-map') this.#openMaps.set(token, this.#readEntries(token, items));
      else this.#openLists.set(token, this.#readItems(token, items));
    }
    this.#depth = 0;
  }

  /**
   * Reads one document of a YAML file and adds its node to `documents`. `start`: the tokens in front of its
   * content, such as `---`. Anchors (`&name`) end with their document, so the next one starts with none.
   */
  #readDocument({ offset, start, value, end }: CST.Document): void {
    const props = this.readProps(start, 'doc-start');
    const isOnMarkerLine = props.indicator !== undefined && !props.hasNewline;
    this.needFullCheckIf((isOnMarkerLine && isBlockToken(value)) || !isOrdinaryEnd(end));
    this.documents.push(this.#readNode(value, props, start, offset));
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
    if (token?.type === 'alias') {
      this.needFullCheckIf(anchor !== undefined || tag !== undefined);
      return this.readAlias(token, this.#depth + 1);
    }
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
    // An anchor on the line of a list's first item is an error.
    this.needFullCheckIf(anchor && token?.type === 'block-seq');
    const node = token ? this.#readToken(token, tag) : this.emptyNode(offsetOfEmpty(before, fallback), tag);
    this.#depth--;
    if (openAnchor) this.anchors.close(openAnchor, node);
    return node;
  }

  /**
   * Builds the node of a value from its token. A token is the parser's form of a value; a node is ours, with
   * text, value and place, and the only form that the readers of a configuration know. `tag`: a type such as
   * `!!str` in front of a scalar. An unknown kind of token is probably a syntax error, so the complete check
   * has to run.
   */
  #readToken(token: CST.Token, tag: CST.SourceToken | undefined): Node {
    if (token.type === 'block-map') return this.#readBlockMap(token);
    if (token.type === 'block-seq') return this.#readBlockList(token);
    if (token.type === 'flow-collection')
      return token.start.source === '{' ? this.#readFlowMap(token) : this.#readFlowList(token);
    if (CST.isScalar(token)) return this.readScalar(token, tag);
    this.needFullCheckIf(true);
    return this.emptyNode(token.offset, tag);
  }

  #readBlockList(list: CST.BlockSequence): ListNode {
    const items = this.#readItems(list, list.items);
    return { type: 'list', at: this.spot(list.offset, this.end), items };
  }

  /**
   * Builds the nodes of the items of a YAML list, or of a portion of them: `#readAhead` reads the first items
   * of long lists early. The result then begins with the earlier nodes. An item with only comments has no
   * node.
   */
  #readItems(list: CST.BlockSequence, items: readonly CST.CollectionItem[]): Node[] {
    const nodes = this.#openLists.get(list) ?? [];
    for (const { start, value } of items) {
      const props = this.readProps(start, 'seq-item-ind');
      const hasOnlyComments = !props.indicator && !value && !props.anchor && !props.tag;
      if (hasOnlyComments) continue;
      this.needFullCheckIf(!props.indicator);
      nodes.push(this.#readNode(value, props, start, list.offset));
    }
    return nodes;
  }

  #readBlockMap(map: CST.BlockMap): MapNode {
    const entries = this.#readEntries(map, map.items).merged();
    return { type: 'map', at: this.spot(map.offset, this.end), entries };
  }

  /**
   * Builds the entries of a YAML map from its `items`, or from a portion of them: `#readAhead` reads the
   * first items of long maps early. The result then contains the earlier entries as well. If an item looks
   * unusual, the complete check for syntax errors has to run. An item with only comments has no entry.
   */
  #readEntries(map: CST.BlockMap, items: readonly CST.CollectionItem[]): MapEntries {
    const entries = this.#openMaps.get(map) ?? new MapEntries(this.report);
    const lastItem = map.items.at(-1);
    for (const item of items) {
      const { start, key, sep, value } = item;
      const props = this.readProps(start, 'explicit-key-ind');
      const hasOnlyComments = !key && !sep && !props.indicator && !props.anchor && !props.tag;
      if (hasOnlyComments) {
        // If they do not end the map, something is wrong with the indentation.
        this.needFullCheckIf(item !== lastItem);
        continue;
      }
      const valueProps = this.readProps(sep ?? [], 'map-value-ind');
      const colon = valueProps.indicator;
      const isOrdinary = !props.indicator && !props.anchor && key && colon && isOrdinaryKey(key, colon, map);
      this.needFullCheckIf(!isOrdinary || (value?.type === 'block-map' && !valueProps.hasNewline));
      this.#addEntry(entries, item, props, valueProps);
    }
    return entries;
  }

  /**
   * Builds the node of a map in braces, `{ a: 1, b: 2 }`, from the parser's token. Repeated keys and merges
   * (`<<: *name`) are handled as in other maps.
   */
  #readFlowMap(map: CST.FlowCollection): MapNode {
    const entries = new MapEntries(this.report);
    for (const [item, props] of this.#flowItems(map)) this.#addFlowEntry(entries, item, props);
    return {
      type: 'map',
      at: this.spot(map.offset, this.#closeBracket(map, '}')),
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
    return { type: 'list', at: this.spot(list.offset, this.#closeBracket(list, ']')), items };
  }

  /**
   * Yields the items of a YAML list or map in brackets, each with its props: the anchor (`&name`), the tag
   * (`!!str`) and the signs in front of it. Skips an item that is only a comment. If a comma may be missing
   * or superfluous, the complete check for syntax errors has to run.
   */
  *#flowItems({ items }: CST.FlowCollection): Generator<[CST.CollectionItem, Props]> {
    for (const [index, item] of items.entries()) {
      const { start, key, sep, value } = item;
      const props = this.readProps(start, 'explicit-key-ind', true);
      if (!sep && !value && !props.indicator && !props.anchor && !props.tag)
        this.needFullCheckIf(index < items.length - 1 || (index === 0 && props.hasComma));
      else {
        this.needFullCheckIf(props.hasComma === (index === 0) || isBlockToken(key) || isBlockToken(value));
        yield [item, props];
      }
    }
  }

  /**
   * Reads one item of a YAML map in braces, such as `b: 2` in `{ a: 1, b: 2 }`, and adds its entry. An item
   * without a colon is a key without a value. If the item may have a syntax error, the complete check has to
   * run. `props`: the anchor, the tag and the signs in front of it.
   */
  #addFlowEntry(entries: MapEntries, item: CST.CollectionItem, props: Props): void {
    const valueProps = this.readProps(item.sep ?? [], 'map-value-ind', true);
    this.needFullCheckIf(
      (item.value && !valueProps.indicator) || (item.key && !CST.isScalar(item.key)) || false,
    );
    this.#addEntry(entries, item, props, valueProps);
  }

  /**
   * Builds the node of a map with one entry that stands without braces in a YAML list, as in `[a: b]`. This
   * is rare and often a mistake, so the complete check for syntax errors has to run.
   */
  #readPair(item: CST.CollectionItem, props: Props): MapNode {
    this.needFullCheckIf(true);
    const entries = new MapEntries(this.report);
    this.anchors.count(++this.#depth);
    this.#addFlowEntry(entries, item, props);
    this.#depth--;
    return { type: 'map', at: this.spot(keyOffset(item), this.end), entries: entries.merged() };
  }

  /**
   * Reads the end of a YAML list or map in brackets, and returns the offset behind the bracket, where the
   * node ends. If the bracket is missing or wrong, the complete check for syntax errors has to run. `end`:
   * the tokens behind the last item.
   */
  #closeBracket({ end }: CST.FlowCollection, bracket: string): number {
    const [closing] = end;
    this.needFullCheckIf(closing?.source !== bracket || !isOrdinaryEnd(end, 1));
    if (closing) this.end = closing.offset + closing.source.length;
    return this.end;
  }

  /**
   * Builds the entry of one item of a YAML map, in lines or in braces, and adds it to `entries`, the content
   * of the map's node. `props` and `valueProps`: the anchor, the tag and the signs in front of key and value.
   * Reports a key that is no scalar. A value that is not written (`a:`) gets the place of its key, so that
   * messages point there. Without a colon there is no value.
   */
  #addEntry(entries: MapEntries, item: CST.CollectionItem, props: Props, valueProps: Props): void {
    const { key: keyToken, sep } = item;
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
    if (
      valueToken?.type !== 'alias' &&
      value.type === 'scalar' &&
      value.value === null &&
      value.text === ''
    ) {
      // A value that is not written stands where its key does.
      value = { ...value, at: key.at };
      this.end = keyEnd;
    }
    entries.add({ key, value }, keyToken?.type === 'scalar');
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
 * True for the token of a YAML map or list without brackets. Such a token is a syntax error in some places, such as inside brackets.
 */
const isBlockToken = (token: CST.Token | null | undefined): boolean =>
  token?.type === 'block-map' || token?.type === 'block-seq';

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
