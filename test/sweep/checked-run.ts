import type { Change } from '../../src/model/change.ts';
import { hasErrors, Problems } from '../../src/model/diagnostic.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import type { Block } from '../support/samples.ts';
import { describe, type Planned, type World } from '../support/world.ts';
import { withAppIds } from './app-ids.ts';
import { leaks, madeSecrets, noting, shownOfError, shownOfPlan, shownOfRun } from './canaries.ts';
import { brokenIdentity } from './identity.ts';
import { canaries, declaredCanaries, yamlOf } from './parts.ts';
import { broken, nothingPromised, type Promised, promise } from './promises.ts';
import { undeclaredChanges } from './undeclared.ts';

/** What is kept in mind from run to run, and how many runs there were. */
export interface Memory {
  promised: Promised;
  /** Texts that nothing may show. */
  secrets: Set<string>;
  /** True for a failure that the story expects: the text has the address and the error. */
  isExpected: (failure: string) => boolean;
}

export const newMemory = (): Memory => ({
  promised: nothingPromised(),
  secrets: new Set([...canaries, ...declaredCanaries]),
  isExpected: () => false,
});

export interface Counts {
  runs: number;
  /** The configuration or the plan had errors: nothing was applied. */
  refused: number;
  applied: number;
  /** Objects that got another name with `$was`. */
  renamed: number;
  /** Changes in those plans, by what was done. */
  changes: Record<string, number>;
}

export const noCounts = (): Counts => ({
  runs: 0,
  refused: 0,
  applied: 0,
  renamed: 0,
  changes: {},
});

/**
 * Plans a configuration and, where the plan has no error, applies it; throws where that breaks a promise, shows a secret or
 * leaves something to do. Tells whether it was applied.
 */
export async function checkedRun(
  world: World,
  body: Block,
  asked: PlanOptions,
  memory: Memory,
  counts: Counts,
): Promise<boolean> {
  const yaml = yamlOf(withAppIds(body, world));
  counts.runs += 1;
  try {
    const { desired } = await world.configure(yaml);
    const isProtected = [...desired.resources.values()].filter(({ meta }) => meta.protect);
    const options = { ...asked, protectedAddresses: isProtected.map(({ address }) => address) };
    const planned = await world.plan(yaml, options);
    expectNone(leaks(shownOfPlan(planned.plan), secretsOf(world, memory)));
    if (hasErrors(planned.plan.diagnostics)) {
      counts.refused += 1;
      return false;
    }
    counts.applied += 1;
    counts.renamed += planned.moves.length;
    for (const { action } of planned.plan.changes)
      if (action !== 'noop') counts.changes[action] = (counts.changes[action] ?? 0) + 1;
    if (await applied(world, body, planned, options, memory)) await expectNothingLeft(world, yaml, options);
    return true;
  } catch (error) {
    if (!(error instanceof Problems)) {
      const { message } = error as Error;
      throw new Error(`${message}\noptions: ${JSON.stringify(asked)}\n${yaml}`, { cause: error });
    }
    expectNone(leaks([shownOfError(error)], secretsOf(world, memory)));
    counts.refused += 1;
    return false;
  }
}

const secretsOf = ({ twin }: World, { secrets }: Memory) => [...secrets, ...madeSecrets(twin.account)];

/** Tells whether all of it was done. */
async function applied(
  world: World,
  body: Block,
  planned: Planned,
  options: PlanOptions,
  memory: Memory,
): Promise<boolean> {
  const { plan } = planned;
  const before = structuredClone(world.twin.account);
  const then = world.ledger;
  const { outcome, events } = await world.apply(planned, {
    deliver: async () => {},
    send: noting(world.connection.send, memory.secrets),
  });
  const after = structuredClone(world.twin.account);
  const shown = shownOfRun(plan, { outcome, events, ledger: world.ledger });
  expectNone(leaks(shown, [...secretsOf(world, memory), ...madeSecrets(before)]));
  if (plan.changes.some(letsGo)) forgetDeclared(memory);

  const step = { before, after, planned, options, promised: memory.promised, world };
  expectNone([...broken(step), ...undeclaredChanges(step, options.destroy ? {} : body)]);
  if (!options.destroy) promise(step);
  const failures = outcome.failed.map(({ address, error }) => `failed: ${address}: ${shownOfError(error)}`);
  if (failures.length === 0) {
    expectNone(brokenIdentity(step, then));
    return true;
  }
  const isRefused = (failure: string) =>
    isRival(failure) || isTaken(failure, then) || isForetold(failure, plan) || memory.isExpected(failure);
  expectNone(failures.every(isRefused) ? [] : [...failures, describe(plan)]);
  return false;
}

async function expectNothingLeft(world: World, yaml: string, options: PlanOptions): Promise<void> {
  const { plan } = await world.plan(yaml, { ...options, containersToDelete: [] });
  const open = plan.changes.filter(({ action }) => action !== 'noop');
  // A target is named after what the ledger had: it may be gone.
  const errors = plan.diagnostics.filter(
    ({ severity, code }) => severity === 'error' && code !== 'target/nothing',
  );
  if (open.length > 0 || plan.operations.length > 0 || errors.length > 0)
    throw new Error(`the second plan is not empty:\n${describe(plan)}`);
}

/** A rule that is like one of somebody else, or one that was let go before: how alike they may be, the platform alone says. */
const isRival = (failure: string) =>
  /^failed: aiGatewayRules.* rule for this model already exists/.test(failure);

/** A domain that the ledger knows nowhere: it is in a project that is not read, since it was let go or the ledger was lost. */
function isTaken(failure: string, { entries }: Ledger): boolean {
  const [, name] =
    /^failed: projects\/[^/]+(\/domains\/\S+): .* answered 4\d\d domain_already_in_use:/.exec(failure) ?? [];
  return name !== undefined && !Object.keys(entries).some((address) => address.endsWith(name));
}

/** Members that do not go together, or too many objects: the plan has said that the platform probably refuses them. */
const isForetold = (failure: string, { diagnostics }: Plan): boolean =>
  diagnostics.some(
    ({ address, message }) =>
      failure.startsWith(`failed: ${address}: `) && message.includes('the platform probably refuses '),
  );

const letsGo = ({ action, fields }: Change) =>
  action === 'release' || action === 'forget' || fields.some(({ cause }) => cause === 'released');

/** What only a configuration said to be a secret is any other text to a stack that does not have it (any more). */
export function forgetDeclared({ secrets }: Memory): void {
  for (const canary of declaredCanaries) secrets.delete(canary);
}

export function expectNone(problems: string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
