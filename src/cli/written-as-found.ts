import { cleanLine } from '../report/clean.ts';

const mostNamed = 10;

/** The lines that name what was written as it was found and could hold a secret, though nobody declared it as one; none for nothing. */
export const writtenAsFound = (found: readonly string[]): string[] =>
  found.length === 0
    ? []
    : [
        'Written as found: check them for secrets before you commit.',
        ...found.slice(0, mostNamed).map((field) => `  ${cleanLine(field)}`),
        ...(found.length > mostNamed ? [`  and ${found.length - mostNamed} more`] : []),
      ];
