import { isWithinAny } from './address.ts';
import { byPlace, type Diagnostic } from './diagnostic.ts';
import { wholeAddress } from './wholes.ts';

const few = 3;

/**
 * One problem in place of more than a few that have one cause, at the first of their places; the others are in `related`. Objects that
 * contain others of them come first. `are`: what all have in common, such as `are owned by the stack web`.
 */
export function oneProblem(all: Diagnostic[], { are, hint }: { are: string; hint: string }): Diagnostic[] {
  const addresses = new Set(all.map(({ address = '' }) => wholeAddress(address)));
  const isInside = ({ address = '' }: Diagnostic) =>
    isWithinAny(address.slice(0, Math.max(0, address.lastIndexOf('/'))), addresses);
  const sorted = [...all].sort((a, b) => Number(isInside(a)) - Number(isInside(b)) || byPlace(a.at, b.at));
  // As people count them: a variable in three targets is one.
  const counted = [...new Map(sorted.map((one) => [keyOf(one), one])).values()];
  const [first, ...others] = counted;
  if (!first || others.length < few) return all;
  const { severity, code, at } = first;
  const names = [...new Set(counted.map(nameOf))].slice(0, few);
  const related = others.flatMap((one) => (one.at ? { message: nameOf(one), at: one.at } : []));
  return [
    {
      ...{ severity, code, hint },
      message: `${counted.length} resources ${are}: ${names.join(', ')} and ${counted.length - names.length} more`,
      ...(at ? { at } : {}),
      ...(related.length > 0 ? { related } : {}),
    },
  ];
}

const nameOf = ({ address = '' }: Diagnostic) => wholeAddress(address);
const keyOf = ({ address = '', at }: Diagnostic) =>
  JSON.stringify([wholeAddress(address), at?.file, at?.line, at?.column]);
