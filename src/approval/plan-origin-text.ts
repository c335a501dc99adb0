import { flagOf, shellQuoted, shellWord } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { cleanLine } from '../report/text.ts';
import type { SavedPart, Sealing } from './parse-saved-plan.ts';
import type { SavedPlan } from './saved-plan.ts';

/**
 * Returns what `trueup show` prints about the seals of a file: what the seal of the whole file proves and, if it differs, what those of
 * plans in it prove that are not intact, with the ids of their stacks. `seals`: that of the file, then those of `parts` in their order.
 */
export function formatSeals(parts: readonly SavedPart[], seals: readonly Sealing[]): string[] {
  const [fileSeal, ...partSeals] = seals;
  const fileText = formatSeal(fileSeal!);
  const stacks = parts.map(({ id }, index) => ({ id, seal: partSeals[index] }));
  const stacksByText = groupBy(
    stacks.filter(({ seal }) => seal && seal.state !== 'sealed'),
    ({ seal }) => formatSeal(seal!),
  );
  stacksByText.delete(fileText);
  const stackLines = [...stacksByText].map(
    ([text, group]) => `${group.map(({ id }) => id).join(', ')}: ${text}`,
  );
  return [fileText, ...stackLines].map(cleanLine);
}

/**
 * Formats for `trueup show` what the seal (signature) of a plan proves about its origin, as far as the keys of this machine can tell, and
 * if the plan can be applied.
 */
function formatSeal(seal: Sealing): string {
  switch (seal.state) {
    case 'sealed':
      return `Sealed with the key ${seal.key}, which is available here: a run with that key made this plan and it is unchanged. The account may have changed: apply plans again and applies exactly this, or nothing.`;
    case 'none':
      return 'Not sealed: anyone who could write the file may have made or changed it. It can be read but not applied.';
    case 'unknown':
      return `Origin unknown: it claims to be sealed with the key ${seal.key}, which is not available here. Anyone could claim that; apply verifies it.`;
    case 'broken':
      return `Not trustworthy: the key ${seal.key} did not seal it in this form. It was changed after it was made and cannot be applied.`;
  }
}

/**
 * Formats for `trueup show` the facts that the plan itself does not show: its stack and account, the state of the ledger that it was made
 * on (its generation counts its writes), and the options of the run that made it.
 */
export function formatPlanOrigin({ stack, owner, baseUrl, generation, options }: SavedPlan): string {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = flagOf(name);
    if (Array.isArray(value)) return value.map((element) => `${flag} ${shellQuoted(String(element))}`);
    return value === true ? [flag] : [`${flag} ${shellWord(String(value))}`];
  });
  const madeWith = flags.length > 0 ? `, made with ${flags.join(' ')}` : '';
  return cleanLine(
    `A saved plan for the stack ${stack} of ${owner} at ${baseUrl}, on generation ${generation} of its ledger${madeWith}.`,
  );
}
