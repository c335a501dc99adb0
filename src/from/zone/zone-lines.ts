/**
 * Splits a zone file (RFC 1035, section 5) into the words of its records.
 *
 * A word is a run of characters, or a text in quotes, or a key with a value in quotes (`alpn="h2,h3"`). `\"` is the character itself,
 * `\195` the byte with this number. Characters are bytes of UTF-8, so that `\195\164` and `ä` are the same text.
 */
import type { TextPlace } from '../../model/read-json.ts';

/** A word of a zone file, or a text in quotes. */
export interface Word extends TextPlace {
  /** The bytes of its characters, without quotes and escapes. */
  bytes: Uint8Array;
  /** The text in the file, without quotes around it. Escapes stay, because an escaped `.` or `@` has another meaning. */
  written: string;
  isQuoted: boolean;
}

/** A record or a directive. With parentheses, it may have several lines of the file. */
export interface ZoneLine {
  words: Word[];
  /** True if it begins in the first column, so that its first word is the name of the record. */
  hasOwner: boolean;
}

/** Reports a mistake at a place of the file. */
type Reject = (place: TextPlace, message: string) => void;

/** Splits a zone file into records and directives, without comments, parentheses and empty lines. Reports mistakes with `reject`. */
export function splitZoneFile(text: string, reject: Reject): ZoneLine[] {
  return new Tokenizer(text, reject).split();
}

const isDelimiter = (char: string | undefined): boolean => char === undefined || ' \t\n;()'.includes(char);

/** Reads a text character by character. `#at` is the offset of the next one. */
class Tokenizer {
  readonly #text: string;
  readonly #reject: Reject;
  readonly #lines: ZoneLine[] = [];
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #words: Word[] = [];
  #hasOwner = false;
  /** The places of the parentheses that are open. */
  readonly #open: TextPlace[] = [];

  constructor(text: string, reject: Reject) {
    this.#text = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
    this.#reject = reject;
  }

  /**
   * Splits the text of a zone file into its logical lines, each with its words, and reports mistakes on the way. A record in parentheses is
   * one line. A line that begins in the first column begins with the name of its record (`hasOwner`). Called once.
   */
  split(): ZoneLine[] {
    this.#hasOwner = this.#isAtMargin();
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!;
      if (char === '\n') this.#endLine();
      else if (char === ';') this.#skipComment();
      else if (char === '(') this.#openParenthesis();
      else if (char === ')') this.#closeParenthesis();
      else if (char === ' ' || char === '\t') this.#at++;
      else this.#words.push(char === '"' ? this.#quotedWord() : this.#plainWord());
    }
    for (const textPlace of this.#open) this.#reject(textPlace, 'this parenthesis is never closed');
    this.#endRecord();
    return this.#lines;
  }

  get #place(): TextPlace {
    return { line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  /** True if text begins in the first column of a line: the name of the record. */
  #isAtMargin = (): boolean => !' \t\n;'.includes(this.#text[this.#at] ?? ' ');

  /**
   * Handles the end of a line in a zone file. It also ends the record, unless a parenthesis is open: a record
   * in parentheses continues on the next line. A line that begins at the margin, without a blank, begins with
   * the name of its record.
   */
  #endLine(): void {
    this.#at++;
    this.#line++;
    this.#lineStart = this.#at;
    if (this.#open.length > 0) return;
    this.#endRecord();
    this.#hasOwner = this.#isAtMargin();
  }

  /** Adds the collected words as a line, unless there are none. */
  #endRecord(): void {
    if (this.#words.length > 0) this.#lines.push({ words: this.#words, hasOwner: this.#hasOwner });
    this.#words = [];
  }

  #skipComment(): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== '\n') this.#at++;
  }

  #openParenthesis(): void {
    this.#open.push(this.#place);
    this.#at++;
  }

  /** Reads `)`. Reports it if no parenthesis is open. */
  #closeParenthesis(): void {
    if (!this.#open.pop()) this.#reject(this.#place, 'this closing parenthesis was never opened');
    this.#at++;
  }

  /**
   * Reads a word of a zone file that has no quotes around it, up to a blank or another delimiter. It may
   * contain a value in quotes, as in `alpn="h2,h3"`.
   */
  #plainWord(): Word {
    const textPlace = this.#place;
    const start = this.#at;
    const bytes: number[] = [];
    while (!isDelimiter(this.#text[this.#at]) && this.#text[this.#at] !== '"') this.#character(bytes);
    if (this.#text[this.#at] === '"') this.#quoteInside(start, bytes);
    return {
      bytes: Uint8Array.from(bytes),
      written: this.#text.slice(start, this.#at),
      isQuoted: false,
      ...textPlace,
    };
  }

  /**
   * Reads the quoted value of a word like `key="value"` in a zone file into `bytes`. The value belongs to the
   * word, even with blanks in it. `start`: where the word begins, to check that it is `key=` up to here.
   */
  #quoteInside(start: number, bytes: number[]): void {
    if (!/^[a-z0-9-]+=$/i.test(this.#text.slice(start, this.#at)))
      this.#reject(this.#place, 'a quote begins inside a word: write `\\"` for the character');
    bytes.push(quoteByte);
    this.#quoted(bytes);
    bytes.push(quoteByte);
  }

  /**
   * Reads a word of a zone file in quotes, such as the text of a TXT record, with the blanks in it. The word
   * has its bytes, and the text as it is written, because some values keep their escapes.
   */
  #quotedWord(): Word {
    const textPlace = this.#place;
    const start = this.#at + 1;
    const bytes: number[] = [];
    this.#quoted(bytes);
    return {
      bytes: Uint8Array.from(bytes),
      written: this.#text.slice(start, this.#at - 1),
      isQuoted: true,
      ...textPlace,
    };
  }

  /**
   * Reads a text in quotes from a zone file into `bytes`, from the opening to the closing quote. Used for a
   * word in quotes and for a value in quotes inside a word (`alpn="h2,h3"`). Reports a missing closing quote,
   * and text right behind it.
   */
  #quoted(bytes: number[]): void {
    const textPlace = this.#place;
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"' && this.#text[this.#at] !== '\n')
      this.#character(bytes);
    if (this.#text[this.#at] !== '"') {
      this.#reject(textPlace, 'this quote is never closed');
      return;
    }
    this.#at++;
    if (!isDelimiter(this.#text[this.#at]) && this.#text[this.#at] !== '"')
      this.#reject(this.#place, 'there is text right after a closing quote: put a space between them');
  }

  /**
   * Reads one character of a zone file, or one escape such as `\;` or `\065`, into `bytes`. Reports a wrong
   * escape, and reads on, so that the user sees all mistakes at once.
   */
  #character(bytes: number[]): void {
    // Three digits, another escaped character, or a plain one. None is longer than four units.
    const [matched, digits, escapedCharacter] = /^(?:\\(\d{3})|\\([^\d\n])|.)/su.exec(
      this.#text.slice(this.#at, this.#at + 4),
    )!;
    if (digits === undefined && escapedCharacter === undefined && matched === '\\')
      this.#reject(this.#place, 'after `\\` comes a character, or three digits up to 255');
    if (Number(digits) > 255) this.#reject(this.#place, 'after `\\` comes a number up to 255');
    this.#at += matched.length;
    if (digits !== undefined) bytes.push(Number(digits));
    else bytes.push(...encoder.encode(escapedCharacter ?? matched));
  }
}

/** The byte of `"`. */
const quoteByte = 34;
const encoder = new TextEncoder();
