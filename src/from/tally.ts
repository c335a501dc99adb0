import { Problems } from '../model/diagnostic.ts';

/** A part of a converted file that is left out: its name for people, the reason, and the number of resources or records in it. */
export interface LeftOutItem {
  name: string;
  reason: string;
  count: number;
}

/** The numbers of a conversion. Everything that was read is either converted or left out with a reason. */
export interface Tally {
  read: number;
  converted: number;
  leftOut: readonly LeftOutItem[];
}

/** Throws `Problems` if the numbers of a conversion do not add up, because then a resource or record would be lost without a message. */
export function checkTally({ read, converted, leftOut }: Tally, file: string): void {
  const leftOutCount = leftOut.reduce((sum, { count }) => sum + count, 0);
  if (read === converted + leftOutCount) return;
  throw new Problems(
    'from/lost',
    `${file}: ${read} were read, but ${converted} converted and ${leftOutCount} left out; nothing was written`,
    { hint: 'this is a bug in trueup: please report it with a file that shows it' },
  );
}
