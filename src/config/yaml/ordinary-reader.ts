/*
 * Reads ordinary YAML in one walk from the text to nodes.
 *
 * Terms:
 *   ordinary     what nearly all files consist of: maps and lists in lines or brackets, scalars on one line, comments
 *   gap          blanks, line ends and comments between two values
 *   column       how far a value is indented; the entries of a map and the items of a list have the same column
 *
 * Premise: the parser of `yaml` reads all of YAML, but takes several times as long, because it makes tokens of every blank. Most
 * files do not need it. So this reader accepts only text that certainly is correct YAML. At anything else (anchors, tags, texts of
 * several lines, rare escapes, tabs, mistakes) it gives up, and `parse-with-library.ts` parses the whole text. It reports nothing: a
 * repeated key makes it give up, too. A property test compares the nodes of both.
 */
import {
  type Entry,
  type ListNode,
  type MapNode,
  maxDepth,
  maxKeyLength,
  type Node,
  type ScalarNode,
} from './nodes.ts';
import { plainValue } from './plain-value.ts';
import type { Source, Spot } from './source.ts';

/** Thrown at the first part of a text that is not ordinary. Then `readOrdinary` returns undefined, and the parser of `yaml` reads it. */
const needsFullParser = Symbol('needs the full parser');

/** A longer key in lines is not ordinary. The library counts some of the blanks in front of a key when it compares with `maxKeyLength`. */
const maxOrdinaryKeyLength = maxKeyLength / 2;

/** A plain scalar in lines: it ends before `: `, before ` #` and at the end of its line. */
const plainInLines = /(?:[^ \n:]|:(?=[^ \n]))+(?: +(?!#)(?:[^ \n:]|:(?=[^ \n]))+)*/y;
/** A plain scalar in brackets also ends at a comma and at a bracket. */
const plainInBrackets =
  /(?:[^ \n:,[\]{}]|:(?=[^ \n,[\]{}]))+(?: +(?!#)(?:[^ \n:,[\]{}]|:(?=[^ \n,[\]{}]))+)*/y;
/** A plain scalar that begins like this is ordinary: not with a sign of YAML, such as the `*` of an alias or the `- ` of a list. */
const plainStart = /(?![\s?:,[\]{}#&*!|>'"%@`])(?!-(?:[\s,[\]{}]|$))/y;
const quotedScalar = /"(?:[^"\\\n]|\\["\\/nt])*"|'(?:[^'\n]|'')*'/y;
const listSign = /-(?=[ \n]|$) */y;
const blanks = / */y;
/** The end of a line, perhaps with a comment. A comment needs a blank in front of it. */
const lineEnd = /(?: +#[^\n]*| *)(?:\n|$)/y;
/** From the start of a line: blank lines and comments, and the blanks in front of the next value. */
const gapBetweenLines = /(?: *(?:#[^\n]*)?\n)* *(?:#[^\n]*$)?/y;
/** In brackets, the library takes some comments at the start of a line for mistakes, so they are not ordinary. */
const gapInBrackets = /(?: |(?<= )#[^\n]*|\n)*/y;
const colon = /:/y;
/** A colon needs a gap behind it, except behind a key in quotes that stands in brackets. */
const colonAndGap = / *:(?=[ \n]|$)/y;
/** The start or the end of a document. */
const documentMark = /(?:---|\.\.\.)(?=\s|$)/y;
const firstDocumentMark = /(?: *(?:#[^\n]*)?\n)*---(?= *\n)/y;

/**
 * Returns the node of a YAML text with one document that is a map or a list, several times as fast as the parser of `yaml`. Returns
 * undefined if something in the text is not ordinary, such as an anchor or a text of several lines. Such a text may have mistakes, so the
 * caller has to read it with that parser.
 */
export function readOrdinary(source: Source): Node | undefined {
  if (/[\t\r\ufeff]/.test(source.text)) return undefined;
  try {
    return new OrdinaryReader(source).read();
  } catch (error) {
    // A regular expression that matches millions of characters, such as a very long line, exceeds the memory for its steps.
    if (error === needsFullParser || error instanceof RangeError) return undefined;
    throw error;
  }
}

class OrdinaryReader {
  readonly #source: Source;
  readonly #text: string;
  /** The offset of the next character to read. */
  #offset = 0;
  /** The column of the next value, if only blanks are in front of it. -1 at the end of the text. */
  #column = 0;
  /** The offset behind the last value that was read. */
  #end = 0;
  #depth = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#text = source.text;
  }

  /**
   * Reads the YAML document of this reader, fast because it knows only ordinary forms. Throws `needsFullParser` for any other text, also if
   * something follows the document; the caller then uses the full parser.
   */
  read(): Node {
    if (this.#skip(firstDocumentMark)) this.#readLineEnd();
    else this.#skipGap();
    // No map or list is around the document, so it may begin in any column.
    const node = this.#readInLines(-1);
    const hasMoreText = this.#column >= 0;
    if (node.type === 'scalar' || hasMoreText) throw needsFullParser;
    return node;
  }

  /**
   * Moves the reader behind a match of the pattern at its place, and returns true; returns false, and stays, if the text there does not
   * match. `pattern`: a sticky one (flag `y`).
   */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#offset;
    if (!pattern.test(this.#text)) return false;
    this.#offset = pattern.lastIndex;
    return true;
  }

  /** Like `#skip`, but throws `needsFullParser` if the text does not match. The caller of the reader then uses the full parser. */
  #expect(pattern: RegExp): void {
    if (!this.#skip(pattern)) throw needsFullParser;
  }

  #next(): string | undefined {
    return this.#text[this.#offset];
  }

  #spot(start: number, end: number): Spot {
    return { source: this.#source, start, end };
  }

  /**
   * Goes behind the end of the line, and to the next value. Throws `needsFullParser` if something else than a comment is left in the line.
   */
  #readLineEnd(): void {
    this.#expect(lineEnd);
    this.#skipGap();
  }

  /**
   * Goes from the start of a line over blanks, empty lines and comments to the next value, and stores its column: by its indentation, the
   * readers of maps and lists tell whether it belongs to them. The column is -1 at the end of the text. Throws `needsFullParser` for a
   * second document, so that `readOrdinary` gives up and the caller parses the text with the library.
   */
  #skipGap(): void {
    this.#skip(gapBetweenLines);
    const isAtEnd = this.#offset === this.#text.length;
    this.#column = isAtEnd ? -1 : this.#offset - this.#lineStart();
    if (this.#column === 0 && this.#skip(documentMark)) throw needsFullParser;
  }

  /** Returns the offset of the start of the line that the reader is in. */
  #lineStart(): number {
    return this.#text.lastIndexOf('\n', this.#offset - 1) + 1;
  }

  /**
   * Reads the value that begins at the offset, at the start of a line or behind the sign of a list: a list if a list sign (`- `) follows,
   * otherwise a map or a single value. Goes to the start of the next value. `outer`: the column of the map or list around it. Throws
   * `needsFullParser` for a value that is nested too deep, so that the full parser of YAML reads the text.
   */
  #readInLines(outer: number): Node {
    if (++this.#depth > maxDepth) throw needsFullParser;
    const column = this.#column;
    const start = this.#offset;
    const node = this.#skip(listSign) ? this.#readList(start, column) : this.#readMapOrValue(outer);
    this.#depth--;
    return node;
  }

  /**
   * Reads a list in lines, `- item`, whose dashes are in this column. The offset is behind the dash of its first item. Reading an item goes
   * to the value behind it and stores its column (`#column`), by which the list ends or goes on. Throws `needsFullParser` for an
   * indentation that only the full parser of YAML can judge.
   */
  #readList(start: number, column: number): ListNode {
    const items: Node[] = [];
    do {
      // The column of the item, if it begins on the line of its sign.
      this.#column = this.#offset - this.#lineStart();
      if (this.#skip(lineEnd)) {
        const gapStart = this.#offset;
        this.#skipGap();
        if (this.#column <= column) throw needsFullParser;
        items.push(this.#readBelow(column, gapStart));
      } else items.push(this.#readInLines(column));
      if (this.#column > column) throw needsFullParser;
    } while (this.#column === column && this.#skip(listSign));
    return { type: 'list', at: this.#spot(start, this.#end), items };
  }

  /**
   * Reads the value of a key (`key:`) or of a dash that stands in the lines below it. `outer`: the column of that key or dash. `gapStart`:
   * the start of the first of these lines. Throws `needsFullParser` for a scalar with a comment in front of it.
   */
  #readBelow(outer: number, gapStart: number): Node {
    const value = this.#readInLines(outer);
    // The library takes a scalar below some comments for the key in the next line.
    const hasComment = this.#text.slice(gapStart, value.at.start).includes('#');
    if (value.type === 'scalar' && hasComment) throw needsFullParser;
    return value;
  }

  /**
   * Reads a scalar, a value in brackets, or a map in lines, which begins with the scalar that is its first key. `outer`: the column of the
   * map or list around it.
   */
  #readMapOrValue(outer: number): Node {
    const column = this.#column;
    const value = this.#readValue(outer, plainInLines);
    if (value.type !== 'scalar' || !this.#skip(colonAndGap)) {
      this.#readLineEnd();
      return value;
    }
    return this.#readMap(value, column);
  }

  /**
   * Reads a map in lines, `key: value`, whose keys begin in this column. The offset is behind the colon of its first key. Throws
   * `needsFullParser` for an indentation that only the full parser of YAML can judge.
   */
  #readMap(firstKey: ScalarNode, column: number): MapNode {
    const entries = new OrdinaryEntries();
    let key = firstKey;
    for (;;) {
      if (this.#offset - key.at.start > maxOrdinaryKeyLength) throw needsFullParser;
      // Reading the value goes to the next one and stores its column.
      entries.add(key, this.#readValueOfKey(key, column));
      if (this.#column > column) throw needsFullParser;
      if (this.#column < column) break;
      key = this.#readScalar(plainInLines);
      this.#expect(colonAndGap);
    }
    return { type: 'map', at: this.#spot(firstKey.at.start, this.#end), entries: entries.list };
  }

  /** Reads the value of a key in lines: behind the colon, or in the lines below. Those are indented further, or they are a list. */
  #readValueOfKey(key: ScalarNode, column: number): Node {
    const isBelow = this.#skip(lineEnd);
    if (isBelow) {
      const gapStart = this.#offset;
      this.#skipGap();
      const isListOfKey = this.#column === column && this.#isAt(listSign);
      const hasValue = this.#column > column || isListOfKey;
      return hasValue ? this.#readBelow(column, gapStart) : this.#emptyValue(key);
    }
    this.#expect(blanks);
    // `#readBelow` counts the depth of its value in `#readInLines`.
    if (++this.#depth > maxDepth) throw needsFullParser;
    const value = this.#readValue(column, plainInLines);
    this.#depth--;
    this.#readLineEnd();
    return value;
  }

  #isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#offset;
    return pattern.test(this.#text);
  }

  /**
   * Returns null as the value of a key (`key:`) without one. It stands where its key does, for messages. Counts as one more level of
   * nesting, like any value, so it throws `needsFullParser` at the limit.
   */
  #emptyValue({ at }: ScalarNode): ScalarNode {
    if (this.#depth === maxDepth) throw needsFullParser;
    this.#end = at.end;
    return { type: 'scalar', at, text: '', value: null };
  }

  /**
   * Reads a scalar or a value in brackets. `outer`: the column of the map or list in lines around it. `plain`: the pattern of a text
   * without quotes at this place.
   */
  #readValue(outer: number, plain: RegExp): Node {
    const next = this.#next();
    if (next === '{') return this.#readMapInBrackets(outer);
    if (next === '[') return this.#readListInBrackets(outer);
    return this.#readScalar(plain);
  }

  /** Reads a text in quotes, or one without quotes that fits the pattern `plain`, as a scalar: text, number, boolean or null. */
  #readScalar(plain: RegExp): ScalarNode {
    const start = this.#offset;
    const first = this.#text[start];
    let text: string;
    let value: ScalarNode['value'];
    if (first === '"' || first === "'") {
      this.#expect(quotedScalar);
      text = withoutEscapes(this.#text.slice(start + 1, this.#offset - 1), first);
      value = text;
    } else {
      this.#expect(plainStart);
      this.#expect(plain);
      text = this.#text.slice(start, this.#offset);
      value = plainValue(text);
    }
    this.#end = this.#offset;
    return { type: 'scalar', at: this.#spot(start, this.#offset), text, value };
  }

  /**
   * Goes to the next comma, colon, bracket or value in brackets. Gives up if a new line is not indented further than `outer`, the column of
   * the map or list in lines around the brackets (-1 if there is none), or is a mark such as `---`.
   */
  #skipGapInBrackets(outer: number): void {
    const start = this.#offset;
    this.#skip(gapInBrackets);
    // Without a line end, the start of the line is not searched: that would take too long at each item of a long line.
    if (!this.#text.slice(start, this.#offset).includes('\n')) return;
    const lineStart = this.#text.lastIndexOf('\n', this.#offset - 1) + 1;
    if (this.#offset - lineStart <= outer || this.#isAt(documentMark)) throw needsFullParser;
  }

  /** Reads a list such as `[a, b]`. `outer`: the column of the block around it, behind which all its lines must begin. */
  #readListInBrackets(outer: number): ListNode {
    const start = this.#offset;
    const items: Node[] = [];
    this.#readItems(outer, ']', () => {
      items.push(this.#readItem(outer));
    });
    return { type: 'list', at: this.#spot(start, this.#end), items };
  }

  /** Reads a map in brackets such as `{ a: b }`. `outer`: the column of the block around it, behind which all its lines must begin. */
  #readMapInBrackets(outer: number): MapNode {
    const start = this.#offset;
    const entries = new OrdinaryEntries();
    this.#readItems(outer, '}', () => {
      const key = this.#readScalar(plainInBrackets);
      // Behind a key in quotes, a colon needs no gap: `{ "a":1 }`.
      const isColonRead = isQuoted(this.#text, key) && this.#skip(colon);
      if (!isColonRead) this.#expect(colonAndGap);
      this.#skipGapInBrackets(outer);
      const isEmpty = this.#next() === ',' || this.#next() === '}';
      entries.add(key, isEmpty ? this.#emptyValue(key) : this.#readItem(outer));
    });
    return { type: 'map', at: this.#spot(start, this.#end), entries: entries.list };
  }

  /** Reads a value inside `{}` or `[]`, one level deeper. `outer`: the column of the map or list in lines around the brackets. */
  #readItem(outer: number): Node {
    if (++this.#depth > maxDepth) throw needsFullParser;
    const value = this.#readValue(outer, plainInBrackets);
    this.#depth--;
    return value;
  }

  /**
   * Reads the items of `{}` or `[]`, from the opening bracket to behind the closing one. `readItem` reads the text between two commas.
   * `outer`: the column of the map or list in lines around the brackets.
   */
  #readItems(outer: number, closing: string, readItem: () => void): void {
    this.#offset++;
    this.#skipGapInBrackets(outer);
    while (this.#next() !== closing) {
      readItem();
      this.#skipGapInBrackets(outer);
      if (this.#next() === closing) break;
      if (this.#next() !== ',') throw needsFullParser;
      this.#offset++;
      this.#skipGapInBrackets(outer);
    }
    this.#offset++;
    this.#end = this.#offset;
  }
}

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', n: '\n', t: '\t' };

/** Returns the text between two quotes as it is meant. */
function withoutEscapes(text: string, quote: '"' | "'"): string {
  if (quote === "'") return text.replaceAll("''", "'");
  return text.includes('\\') ? text.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign]!) : text;
}

const isQuoted = (text: string, { at }: ScalarNode): boolean => /["']/.test(text[at.start]!);

/** A map of more entries finds repeated keys with a set. */
const maxCompared = 8;

/** The entries of one map while it is read. A repeated key is not ordinary, and neither is a merge (`<<`). */
class OrdinaryEntries {
  readonly list: Entry[] = [];
  #names: Set<string> | undefined;

  /**
   * Adds an entry. Throws `needsFullParser` for a key that the map has already, and for keys with a meaning of their own (`<<`,
   * `__proto__`): then the full parser reads the whole text, and reports a repeated key. From `maxCompared` entries on, a set finds
   * repeated keys; before that, comparing is faster.
   */
  add(key: ScalarNode, value: Node): void {
    const { text } = key;
    if (this.list.length === maxCompared) this.#names = new Set(this.list.map((entry) => entry.key.text));
    const isRepeated = this.#names?.has(text) ?? this.list.some((entry) => entry.key.text === text);
    if (isRepeated || text === '<<' || text === '__proto__') throw needsFullParser;
    this.#names?.add(text);
    this.list.push({ key, value });
  }
}
