import { byText } from '../../src/model/graph.ts';
import type { Ran } from '../support/cli.ts';

/** What somebody who follows the story reads: each command with its output, without what differs from run to run. */
export class Transcript {
  readonly #parts: string[] = [];

  /** Begins a chapter. */
  begin(title: string): void {
    this.#parts.push(`${this.#parts.length > 0 ? '\n' : ''}== ${title}\n`);
  }

  /** Adds a command, and the lines of its output that `isShown` chooses. Lines that repeat the ledger of each stack are left out. */
  add(command: string, text: string, isShown: (line: string) => boolean = () => true): void {
    const lines = withoutRunDetails(text)
      .split('\n')
      .filter(
        (line) => line.trim() !== '' && !/(^|: )Ledger: |^::|^Read with| \(\d+ of \d+\)$|\.\.\.$/.test(line),
      )
      .filter(isShown);
    // Stacks run at the same time, so the order of their lines differs from run to run.
    if (lines.every((line) => /^[\w@]+: |^\d| objects are /.test(line))) lines.sort(byStack);
    this.#parts.push(`\n$ ${withoutRunDetails(command)}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }

  text = (): string => this.#parts.join('');
}

/** Compares lines by the stack in front of them, which keeps the order of the lines of each stack. */
const byStack = (a: string, b: string): number => byText(stackOf(a), stackOf(b));
/** Returns the stack of a line. Lines of the plan come first, and the summary last. */
const stackOf = (line: string): string => /^([\w@]+): /.exec(line)?.[1] ?? (line.startsWith(' ') ? '' : '~');

/** Returns a text without times, commits, ports and folders. */
const withoutRunDetails = (text: string): string =>
  text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://platform.test')
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replaceAll(/\bprj_\w+/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?( UTC)?/g, 'TIME')
    .replaceAll(/\b\d+(\.\d+)?( ms|s| seconds?| minutes?)\b( ago)?/g, 'SOON')
    .replaceAll(/(\/[\w.-]+)+\/trueup-(store|cli)-\w+(\/clone\d+)?/g, 'CLONE')
    .replaceAll(/(key|generation) [0-9a-f]{12}\b/g, '$1 KEY');

/** Returns the lines of a Markdown report that a reader sees first: totals, warnings and changes, without their values and links. */
export const reportLines = (report: string): string =>
  report
    .replaceAll(/<[^>]+>/g, '')
    .split('\n')
    .filter((line) => /^(### |\*\*|- \*\*|`?[-+~.=>]`? [^ ]*[`/]|! |#+ DESTR)/.test(line))
    .map((line) => line.replace(/ at (<a|\[`).*/, ''))
    .join('\n');

/** Fails with the whole output unless a command ended with this exit code. */
export function expectStatus(ran: Ran, status = 0): Ran {
  if (ran.status !== status) throw new Error(`exit code ${ran.status}, not ${status}:\n${ran.all}`);
  return ran;
}
