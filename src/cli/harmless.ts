import { fstatSync } from 'node:fs';
import { type Host, inActions, type OutputStream } from './host.ts';

/** GitHub Actions obeys `##[command]` anywhere in a line; written as an escape it is text, also within JSON. */
export const harmless = (text: string) => text.replaceAll('##[', '\\u0023#[');

/**
 * Text that a stream may show. GitHub Actions obeys `::command` at the beginning of a line, too, behind any blanks: a YAML text of several
 * lines has such lines. What goes to a file is kept as it is, since no runner reads that.
 */
export function harmlessOn(stream: OutputStream, host: Host, text: string): string {
  if (!inActions(host)) return text;
  return isFile(stream) ? harmless(text) : harmless(text).replace(/^([^\S\n]*)::/gm, '$1\\u003a:');
}

/** True for output that is redirected to a file. */
export const isFile = ({ fd }: OutputStream): boolean => fd !== undefined && fstatSync(fd).isFile();
