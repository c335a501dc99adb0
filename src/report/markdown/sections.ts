import { byAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { isDrift } from '../../model/drift.ts';
import type { PlanContext } from '../plan-context.ts';

/** A heading and whose changes stand under it; `urgent` ones are told in full first where there is little room. */
interface Section {
  title: string;
  urgent: boolean;
  has(change: Change, context: PlanContext): boolean;
}

/** By risk; a change stands under the first that has it. */
const sections: Section[] = [
  { title: 'Irreversible', urgent: true, has: ({ grade }) => grade === 'irreversible' },
  { title: 'Destructive', urgent: true, has: ({ grade }) => grade === 'destructive' },
  { title: 'Disruptive', urgent: true, has: ({ grade }) => grade === 'disruptive' },
  {
    title: 'Conflict: changed here and outside',
    urgent: true,
    has: ({ fields }) => fields.some(({ cause }) => cause === 'conflict'),
  },
  { title: 'Drift: changed outside, is reverted', urgent: true, has: isSentDrift },
  { title: 'Changes', urgent: false, has: ({ address }, { carriers }) => carriers.has(address) },
  { title: 'Only recorded: nothing is sent', urgent: false, has: () => true },
];

function isSentDrift(change: Change, { carriers }: PlanContext): boolean {
  return isDrift(change) && carriers.has(change.address);
}

/** The changes that there are to show, by section. */
export function sectioned(changes: Change[], context: PlanContext) {
  const left = new Set(changes.filter(({ action }) => action !== 'noop').sort(byAddress));
  return sections.flatMap(({ title, urgent, has }) => {
    const own = [...left].filter((change) => has(change, context));
    for (const change of own) left.delete(change);
    return own.length > 0 ? [{ title, urgent, changes: own }] : [];
  });
}
