import fc from 'fast-check';

type Tree = { scalar: string } | { list: Tree[] } | { map: Tree[] };

const scalars = [
  'plain',
  'no',
  '1.10',
  '"08"',
  "'single'",
  "'it''s'",
  '"a \\"b\\""',
  '"\\u00e9\\n"',
  '~',
  '0x1F',
  'http://a.b/c#d',
  "''",
  'two words',
  '${var.x}',
  '-1',
];
// Only in a block, behind its key; `_` stands for the indentation.
const blockScalars = [
  '|\n_one\n_  two\n',
  '>-\n_folded\n_text\n\n_more\n',
  '|+\n_kept\n',
  'over\n_two lines',
];

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'yaml' },
    fc.record({ scalar: fc.constantFrom(...scalars) }),
    fc.record({ list: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ map: fc.array(tie('tree'), { maxLength: 4 }) }),
  ),
}));

/** A YAML text as somebody might have typed it, and what must not get lost: its comments and anchors, each of them unique. */
export const writtenYaml: fc.Arbitrary<{ text: string; marks: string[] }> = fc
  .tuple(fc.array(tree, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat({ max: 999 })))
  .map(([roots, stream]) => new Writer(() => stream.next().value as number).document(roots));

class Writer {
  readonly #marks: string[] = [];
  readonly #anchors: string[] = [];
  readonly #next: () => number;

  constructor(next: () => number) {
    this.#next = next;
  }

  document(roots: Tree[]): { text: string; marks: string[] } {
    const text = this.#chance(8) ? '---\n' : '';
    return { text: `${text}${this.#map(roots, 0)}`, marks: this.#marks };
  }

  #chance = (of: number) => this.#next() % of === 0;
  #blanks = () => ' '.repeat(1 + (this.#next() % 3));

  #comment(): string {
    const mark = `#c${this.#marks.length}.`;
    this.#marks.push(mark);
    return mark;
  }

  /** What may stand behind the last thing of a line, and between it and the next. */
  #lineEnd(indent: number): string {
    let text = this.#chance(5) ? `${this.#blanks()}${this.#comment()}` : '';
    text += this.#chance(8) ? '  \n' : '\n';
    if (this.#chance(6)) text += '\n'.repeat(1 + (this.#next() % 3));
    if (this.#chance(6)) text += `${' '.repeat(indent)}${this.#comment()}\n`;
    return text;
  }

  #anchor(): string {
    if (!this.#chance(6)) return '';
    const name = `a${this.#anchors.length}.`;
    this.#anchors.push(name);
    this.#marks.push(`&${name}`);
    return `&${name} `;
  }

  #scalar(text: string): string {
    if (this.#anchors.length > 0 && this.#chance(6))
      return `*${this.#anchors[this.#next() % this.#anchors.length]}`;
    const anchor = this.#anchor();
    return anchor + text;
  }

  #map(values: Tree[], indent: number): string {
    return values
      .map((value, at) => `${' '.repeat(indent)}k${at}:${this.#behind(value, indent, 0)}`)
      .join('');
  }

  #list(values: Tree[], indent: number): string {
    return values.map((value) => `${' '.repeat(indent)}-${this.#behind(value, indent, 1)}`).join('');
  }

  #behind(value: Tree, indent: number, least: 0 | 1): string {
    if ('scalar' in value) {
      if (this.#chance(6)) return this.#blockScalar(indent);
      return `${this.#blanks()}${this.#scalar(value.scalar)}${this.#lineEnd(indent)}`;
    }
    const isList = 'list' in value;
    const values = isList ? value.list : value.map;
    if (values.length === 0 || this.#chance(3))
      return `${this.#blanks()}${this.#flow(value, indent)}${this.#lineEnd(indent)}`;
    // Closed before the anchors inside of it are used, so that none contains itself.
    const inner = indent + (isList && least === 0 && indent > 0 ? this.#next() % 4 : 1 + (this.#next() % 4));
    const head = this.#lineEnd(inner);
    return head + (isList ? this.#list(values, inner) : this.#map(values, inner));
  }

  #blockScalar(indent: number): string {
    const text = blockScalars[this.#next() % blockScalars.length]!;
    const body = text.replaceAll('_', ' '.repeat(indent + 1 + (this.#next() % 4)));
    return ` ${body}${body.endsWith('\n') ? '' : this.#lineEnd(indent)}`;
  }

  #flow(value: Tree, indent: number): string {
    if ('scalar' in value) return this.#scalar(value.scalar.startsWith('$') ? 'plain' : value.scalar);
    const gap = () =>
      this.#chance(8)
        ? `${this.#chance(3) ? ` ${this.#comment()}` : ''}\n${' '.repeat(indent + 1 + (this.#next() % 5))}`
        : ' '.repeat(this.#next() % 3);
    const [open, close] = 'list' in value ? '[]' : '{}';
    const values = 'list' in value ? value.list : value.map;
    const items = values.map((item, at) => `${'list' in value ? '' : `k${at}: `}${this.#flow(item, indent)}`);
    return `${open}${gap()}${items
      .map((item) => `${item}${gap()},${gap()}`)
      .join('')
      .replace(/,(\s*)$/, '$1')}${close}`;
  }
}
