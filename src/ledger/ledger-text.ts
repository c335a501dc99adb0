import { withSortedMembers } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';

/*
 * The text of a ledger, entry by entry. A ledger may have 100,000 entries and a text of 50 MB. `JSON.stringify` of a sorted copy would take
 * several times that memory, at the moment when an apply uses the most.
 *
 *   record   `entries` or `begun` of a ledger: values by address. Its members are sorted, and those of its values, so that equal ledgers are equal texts
 *   part     a piece of the text with about `partLength` characters
 */

const partLength = 64 * 1024;

/** The members of a ledger that are records. They are written entry by entry. */
const recordNames: ReadonlySet<string> = new Set<keyof Ledger>(['entries', 'begun']);

/**
 * Returns the text of a ledger in parts, because one string would take too much memory for a large ledger. Joined, they are
 * `JSON.stringify(ledger, null, 2)` of the ledger with sorted records, except for the line with the last brace: the store adds the
 * signature as the last member, and then that line (`signParts`).
 */
export function formatLedgerParts(ledger: Ledger): string[] {
  const parts: string[] = [];
  // Pieces of the next part. They are joined and not appended, because V8 keeps the pieces of an appended text until the text is read.
  let pieces = ['{'];
  let length = 1;
  const write = (text: string) => {
    pieces.push(text);
    length += text.length;
    if (length < partLength) return;
    parts.push(pieces.join(''));
    pieces = [];
    length = 0;
  };
  let separator = '\n  ';
  for (const [name, value] of Object.entries(ledger)) {
    if (value === undefined) continue;
    write(`${separator}${JSON.stringify(name)}: `);
    if (recordNames.has(name)) writeSortedMembers(value as Record<string, unknown>, write);
    else write(formatIndented(value, '  '));
    separator = ',\n  ';
  }
  return [...parts, pieces.join('')];
}

/**
 * Writes a part of a ledger as JSON text, with sorted members, so that equal ledgers have equal texts. One value at a time, because a
 * ledger may be large.
 */
function writeSortedMembers(record: Readonly<Record<string, unknown>>, write: (text: string) => void): void {
  let separator = '{\n    ';
  for (const address of Object.keys(record).sort()) {
    const value = record[address];
    if (value === undefined) continue;
    write(`${separator}${JSON.stringify(address)}: ${formatIndented(withSortedMembers(value), '    ')}`);
    separator = ',\n    ';
  }
  write(separator.startsWith('{') ? '{}' : '\n  }');
}

/**
 * Returns a value as JSON whose lines after the first begin with `indentation`. Line feeds in texts are escaped, so those of JSON only end
 * its lines.
 */
const formatIndented = (value: unknown, indentation: string): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indentation}`);
