import { Problems } from '../model/diagnostic.ts';

/** Something of a file that is not converted: a name for people, and the reason. `count`: how many things it stands for. */
export interface LeftOutItem {
  name: string;
  reason: string;
  count: number;
}

/** The account of a conversion: all that was read was converted or is left out with a reason. */
export interface Tally {
  read: number;
  converted: number;
  leftOut: readonly LeftOutItem[];
}

/** Throws `Problems` if the numbers of a conversion do not add up: something would be lost without a word. */
export function checkTally({ read, converted, leftOut }: Tally, file: string): void {
  const left = leftOut.reduce((sum, { count }) => sum + count, 0);
  if (read === converted + left) return;
  throw new Problems(
    'from/lost',
    `${file}: ${read} were read, but ${converted} converted and ${left} left out; nothing was written`,
    { hint: 'this is a bug in trueup: please report it with a file that shows it' },
  );
}
