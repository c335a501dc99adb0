import { refuseOverwriting, savePlans } from '../../approval/plan-files.ts';
import type { Host } from '../../host.ts';
import { flagOf, shellWord } from '../../model/diagnostic.ts';
import { namesSeveralStacks, type StacksOptions } from '../stack-options.ts';
import type { PlanningOptions } from './plan-options.ts';
import type { PlannedStack } from './plan-stacks.ts';

export { refuseOverwriting };

/** Saves plans to a file for `apply FILE`. Returns messages: how to apply them, or why nothing was written or they cannot be applied. */
export async function savePlanned(
  planned: readonly PlannedStack[],
  path: string,
  options: PlanningOptions & StacksOptions,
  host: Host,
): Promise<string[]> {
  const isOne = !namesSeveralStacks(options);
  const saving = await savePlans(planned, path, isOne, host);
  if (saving.state === 'no plan') return [`${path} was not written: there is no plan.`];
  if (saving.state === 'not approvable')
    return [`${path} was not written: a plan with errors cannot be approved.`];
  const savedText = `Saved to ${path}. \`trueup show ${shellWord(path)}\` shows it`;
  if (saving.state === 'not sealed')
    return [
      `${savedText}. It is not sealed, since no key is available here: it can be read but not applied.`,
    ];
  const flagNames = ['file', 'var', 'varFile', 'ledger', 'twin', 'baseUrl', 'tokenFile'] as const;
  const repeated = isOne ? flagNames.filter((name) => options[name] !== undefined) : [];
  const sameFlags = repeated.length > 0 ? `, with the same ${repeated.map(flagOf).join(', ')}` : '';
  const uncompared = saving.uncompared.join(', ');
  return [
    `${savedText}, \`trueup apply ${shellWord(path)}\` applies it${sameFlags}.`,
    ...(uncompared === ''
      ? []
      : [
          `It cannot be applied as it is, since a secret was not compared: ${uncompared}. Plan where that secret is available.`,
        ]),
  ];
}
