import { problem, raise } from '../model/diagnostic.ts';
import { readJson } from '../model/read-json.ts';

/** A part of a converted file that is left out: its name for people, the reason, and the number of resources or records in it. */
export interface LeftOutItem {
  name: string;
  reason: string;
  count: number;
}

/** The numbers of a conversion. Everything that was read is either converted or left out with a reason. */
export interface ConversionTally {
  read: number;
  converted: number;
  leftOut: readonly LeftOutItem[];
}

/** Returns the number of resources or records in parts that are left out. */
export const countItems = (items: readonly LeftOutItem[]): number =>
  items.reduce((sum, { count }) => sum + count, 0);

/** Throws `Problems` if the numbers of a conversion do not add up, because then a resource or record would be lost without a message. */
export function checkTally({ read, converted, leftOut }: ConversionTally, file: string): void {
  const leftOutCount = countItems(leftOut);
  if (read === converted + leftOutCount) return;
  raise(
    'from/lost',
    `${file}: ${read} were read, but ${converted} converted and ${leftOutCount} left out; nothing was written`,
    { hint: 'this is a bug in trueup: please report it with a file that shows it' },
  );
}

/**
 * Parses the JSON of another tool. A number that would be rounded becomes an `InexactNumber`, so that the
 * caller can leave out its object. Throws `Problems` with the place of the first syntax error, or else of each
 * duplicate key. They quote nothing of the text, because it may be secret.
 */
export function parseJson(text: string, file: string): unknown {
  const { value, problems } = readJson(text);
  if (problems.length === 0) return value;
  raise(
    problems.map(({ line, column, message, hint }) =>
      problem('from/json', message, { at: { file, line, column }, hint }),
    ),
  );
}
