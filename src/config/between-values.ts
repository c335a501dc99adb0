import type { Spot } from './source.ts';
import { unusual } from './unusual.ts';

const maxKey = 1024;

/** Where the `:` of a key is. It stands on the same line, and not far from the key's start; `unusual` otherwise. */
export function colonBehind(text: string, { start, end }: Pick<Spot, 'start' | 'end'>): number {
  const colon = behindBlanks(text, end);
  if (text[colon] !== ':' || colon - start > maxKey) throw unusual;
  return colon;
}

/** Throws `unusual` if, behind a value that is not in brackets, more than a comment stands on its line. */
export function checkLineEnd(text: string, from: number): void {
  const char = text[behindBlanks(text, from)];
  const isEnd = char === undefined || char === '\n' || char === '\r' || char === '#';
  // A block of lines ends with its last line.
  if (!isEnd && text[from - 1] !== '\n') throw unusual;
}

/** Throws `unusual` if, behind a value in braces, a comment begins a line: the careful way takes that for a mistake. */
export function checkComments(text: string, from: number): void {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === ',' || char === '}') return;
    if (char !== '#') continue;
    if (text[at - 1] === '\n') throw unusual;
    at = lineEnd(text, at);
  }
}

/** Behind the bracket that closes a list or map; `from` is behind the last value in it, or behind the bracket that opens it. */
export function behindBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '}' || char === ']') return at + 1;
    if (char === '#') at = lineEnd(text, at);
  }
  throw unusual;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32) at++;
  return at;
}
