import { checkSeal } from '../approval/parse-saved-plan.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import { readStoredPlan } from '../approval/stored-plan.ts';
import type { WorkspaceStack } from '../config/workspace-stacks.ts';
import type { Host } from '../host.ts';
import { type Diagnostic, problem, Reporter, raiseErrors } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { LedgerChoice } from '../stores/ledger-choice.ts';
import { openLedgerDocuments } from '../stores/open-ledger.ts';

/** How many ledger stores are read at the same time. */
const parallelReads = 8;

/**
 * Reads the sealed plan of each stack from the store of its ledger, where a worker put it. Used by `fleet enqueue apply` to let the
 * user approve these plans. Throws `Problems` with all stacks that have no plan sealed with this key.
 */
export async function readSealedPlans(
  stacks: readonly WorkspaceStack[],
  options: LedgerChoice,
  host: Host,
  key: LedgerKey,
): Promise<Map<string, SavedPlan>> {
  const plans = new Map<string, SavedPlan>();
  const report = new Reporter();
  const waiting = [...stacks];
  const readNext = async () => {
    for (let stack = waiting.shift(); stack; stack = waiting.shift()) {
      const name = stack.configuration.desired.stack;
      const stored = await readStoredPlan(await openLedgerDocuments(name, options, host));
      const refusal = refusalOf(stored?.saved, { id: stack.id, name }, key);
      if (refusal) report.add(refusal);
      else plans.set(stack.id, stored!.saved);
    }
  };
  await Promise.all(Array.from({ length: parallelReads }, readNext));
  raiseErrors(report.diagnostics);
  return plans;
}

/**
 * Returns why a stored plan must not be applied: it is missing, not sealed with this key, or made for another stack. Undefined for a good
 * plan.
 */
function refusalOf(
  saved: SavedPlan | undefined,
  { id, name }: { id: string; name: string },
  key: LedgerKey,
): Diagnostic | undefined {
  const hint = 'plan it with the key (`trueup fleet enqueue plan`), then check `trueup fleet status`';
  if (!saved) return problem('fleet/no-plan', `${id} has no sealed plan in its ledger store`, { hint });
  const seal = checkSeal(saved, key);
  if (seal.state !== 'sealed' || seal.key !== key.id)
    return problem('fleet/no-plan', `the plan of ${id} is not sealed with the key here`, { hint });
  if (saved.stack !== name)
    return problem('fleet/no-plan', `the plan with the ledger of ${id} is one of ${saved.stack}`, { hint });
  return undefined;
}
