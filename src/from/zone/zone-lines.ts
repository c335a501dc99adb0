/** A word of a zone file, or a text in quotes. */
export interface Word {
  text: string;
  isQuoted: boolean;
  line: number;
  column: number;
}

/** A record or a directive, over as many lines as its parentheses hold. */
export interface ZoneLine {
  words: Word[];
  /** It begins at the margin: its first word is the name of the record. */
  hasOwner: boolean;
}

type Say = (at: { line: number; column: number }, message: string) => void;

/** The lines of a zone file without comments, parentheses, and empty ones. */
export function linesOf(text: string, say: Say): ZoneLine[] {
  return new Cutter(text, say).cut();
}

class Cutter {
  readonly #text: string;
  readonly #say: Say;
  readonly #lines: ZoneLine[] = [];
  #at = 0;
  #line = 1;
  #begin = 0;
  #words: Word[] = [];
  #hasOwner = false;
  #open: { line: number; column: number } | undefined;

  constructor(text: string, say: Say) {
    this.#text = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
    this.#say = say;
  }

  cut(): ZoneLine[] {
    this.#hasOwner = this.#isWordHere();
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!;
      if (char === '\n') this.#newLine();
      else if (char === ';') this.#skipComment();
      else if (char === '(' || char === ')') this.#parenthesis(char);
      else if (char === ' ' || char === '\t') this.#at++;
      else this.#words.push(char === '"' ? this.#quoted() : this.#word());
    }
    if (this.#open) this.#say(this.#open, 'this parenthesis is never closed');
    this.#end();
    return this.#lines;
  }

  get #place() {
    return { line: this.#line, column: this.#at - this.#begin + 1 };
  }

  #isWordHere = (): boolean => /[^\s;()]/.test(this.#text[this.#at] ?? ' ');

  #newLine(): void {
    this.#at++;
    this.#line++;
    this.#begin = this.#at;
    if (this.#open) return;
    this.#end();
    this.#hasOwner = this.#isWordHere();
  }

  #end(): void {
    if (this.#words.length > 0) this.#lines.push({ words: this.#words, hasOwner: this.#hasOwner });
    this.#words = [];
  }

  #skipComment(): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== '\n') this.#at++;
  }

  #parenthesis(char: string): void {
    if ((char === '(') === (this.#open !== undefined))
      this.#say(this.#place, char === '(' ? 'parentheses cannot be nested' : 'unmatched closing parenthesis');
    this.#open = char === '(' ? this.#place : undefined;
    this.#at++;
  }

  #word(): Word {
    const place = this.#place;
    let text = '';
    while (this.#at < this.#text.length && !/[\s;()"]/.test(this.#text[this.#at]!)) text += this.#char();
    return { text, isQuoted: false, ...place };
  }

  #quoted(): Word {
    const place = this.#place;
    let text = '';
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"' && this.#text[this.#at] !== '\n')
      text += this.#char();
    if (this.#text[this.#at] !== '"') this.#say(place, 'this quoted text is never closed');
    else this.#at++;
    return { text: fromBytes(text), isQuoted: true, ...place };
  }

  /** One character; `\"` is itself, and `\195` the byte of this number. */
  #char(): string {
    const rest = this.#text.slice(this.#at, this.#at + 4);
    const [, digits] = /^\\(\d{3})/.exec(rest) ?? [];
    if (digits !== undefined && Number(digits) < 256) {
      this.#at += 4;
      return String.fromCharCode(Number(digits));
    }
    const isEscaped = rest[0] === '\\' && rest.length > 1 && rest[1] !== '\n';
    this.#at += isEscaped ? 2 : 1;
    return isEscaped ? rest[1]! : rest[0]!;
  }
}

/** Numbered bytes are UTF-8 where they can be: a text of them reads as what it stands for. */
function fromBytes(text: string): string {
  const codes = [...text].map((char) => char.codePointAt(0)!);
  if (codes.every((code) => code < 128) || codes.some((code) => code > 255)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(codes));
  } catch {
    return text;
  }
}
