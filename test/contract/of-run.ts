import type { Kind } from '../../src/kind/kind.ts';
import type { Change } from '../../src/model/change.ts';
import type { Outcome } from '../../src/model/event.ts';
import { groupBy } from '../../src/model/graph.ts';
import type { Plan } from '../../src/model/plan.ts';
import { kebab } from './given.ts';

/** What refused requests say of the kinds whose changes they were for, each once. */
export function refusedFindings({ changes }: Plan, { failed }: Outcome): string[] {
  const kindOf = new Map(changes.map(({ address, kind }) => [address, kind]));
  return [...groupBy(failed, ({ address }) => kindOf.get(address))].map(([kind, all]) => {
    const { address, error } = all[0]!;
    const others = all.length > 1 ? `, and for ${all.length - 1} others` : '';
    return `${kind}: the twin refuses what the kind sends for ${address}${others}: ${(error as Error).message}`;
  });
}

/** What a second plan that is not empty says of the kinds in it, each thing once: what was sent, and is not found again. */
export function unsettledFindings({ changes }: Plan): string[] {
  const said = new Map<string, string>();
  for (const change of changes)
    for (const [about, message] of findingsOf(change)) if (!said.has(about)) said.set(about, message);
  return [...said.values()];
}

function findingsOf({ kind, action, address, fields }: Change): [about: string, message: string][] {
  if (action === 'noop') return [];
  if (action === 'create')
    return [
      [
        `${kind} create`,
        `${kind}: ${address} was created, and is not found again: the twin's read does not list it, or the kind's \`read\` and \`key\` do not find it there`,
      ],
    ];
  return fields.map(({ path, before, after }) => {
    const name = `\`${path}\` of ${address}`;
    const wanted = JSON.stringify(after);
    return [
      `${kind} ${path}`,
      before === undefined
        ? `${kind}: ${name} was sent as ${wanted}, and is not read back: the twin does not keep it, or shows it under another name, or the kind's \`decode\` loses it`
        : `${kind}: ${name} was sent as ${wanted}, and is read back as ${JSON.stringify(before)}: the twin's create or update does not keep it, or the kind does not send it`,
    ];
  });
}

/**
 * Describes an edit of a field for which a plan sends nothing. Used instead of the raw difference, because the usual cause is a sample
 * whose first value is the platform's own default.
 */
export const unsentFinding = (kind: string, field: string): string =>
  `${kind}: its sample sets \`${field}\`, and the plan sends nothing: the first value is what an object without the field has already. Give \`leaves\` in test/samples/${kebab(kind)}.ts another first value; if that does not help, the kind does not compare the field`;

/**
 * What is found again of objects that were deleted, by a plan that wants them once more: each should be created, unless every project has one and it is
 * as the platform makes it.
 */
export function undeletedFindings(
  { changes }: Plan,
  deleted: readonly string[],
  { onlyDeclared }: Partial<Kind['shape']> = {},
): string[] {
  const isPlatforms = ({ before }: Change) =>
    typeof onlyDeclared === 'function' && before !== undefined && onlyDeclared(before.fields);
  const there = changes.filter(
    (change) => deleted.includes(change.address) && change.action !== 'create' && !isPlatforms(change),
  );
  return [...groupBy(there, ({ kind }) => kind)].map(
    ([kind, [one]]) =>
      `${kind}: ${one!.address} was deleted, and is still read: the twin's delete does not drop it, or the kind asks for another`,
  );
}
