import type { Address } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import type { Pace } from '../model/budget.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import { compileGlob } from '../model/glob.ts';
import { groupLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { isOpenAction } from '../model/planned-action.ts';
import { count, durationText } from '../report/count.ts';
import { forecast } from '../report/forecast.ts';
import { type Guards, listOf } from './guards.ts';

interface Judging {
  /** Milliseconds. */
  now: number;
  pace: Pace | undefined;
  /** It is about to be applied: while a freeze lasts a plan may be made, and is not carried out. */
  writes: boolean;
  /** The address that an object had before the renames of the plan; by default its own. */
  formerOf?: ((address: Address) => Address) | undefined;
}

/** Lets the guards refuse parts of a plan. A plan that does nothing is never refused. Pure. */
export function judge(plan: Plan, guards: Guards, judging: Judging): Diagnostic[] {
  const { formerOf = (address) => address } = judging;
  const changes = [
    ...plan.changes.filter(({ action, changesLedgerOnly }) => action !== 'noop' && !changesLedgerOnly),
    ...brought(plan),
    ...following(plan),
  ].map((change): Judged => {
    const former = formerOf(change.recordedAddress ?? change.address);
    return former === change.address ? change : { ...change, former };
  });
  changes.push(...leaving(plan.changes, formerOf));
  if (changes.length === 0 && plan.operations.length === 0) return [];
  return [
    ...guards.deny.flatMap((one) => denied(changes, one, plan)),
    ...beyond(plan, changes, guards, judging),
    ...guards.freeze.flatMap((one) => frozen(changes, one, plan, judging)),
  ];
}

/** `former`: another address that it had until now. Else a rename would lead out of what a guard protects. */
type Judged = Pick<
  Change,
  'address' | 'kind' | 'action' | 'grade' | 'fields' | 'at' | 'run' | 'recordedAddress' | 'takenFrom'
> & {
  former?: Address;
  /** Its new address, if it moves to another container. */
  movesTo?: Address;
};

/**
 * Returns a deletion at the former address of each object that moves to another container. For the old container it is gone, so moving a
 * domain out of a project needs the same consent as deleting it there.
 */
function leaving(changes: Change[], formerOf: (address: Address) => Address): Judged[] {
  return changes.flatMap((change): Judged[] => {
    const transfer = change.before?.transfer;
    if (!transfer) return [];
    const { address: movesTo, kind, at } = change;
    const [address, former] = [transfer.from, formerOf(transfer.from)];
    const judged: Judged = { address, kind, action: 'delete', grade: 'destructive', fields: [], movesTo };
    return [{ ...judged, ...(at ? { at } : {}), ...(former === address ? {} : { former }) }];
  });
}

/** The actions that follow the changes: each counts as an update of what it is about. */
function following({ actions = [], changes }: Plan): Judged[] {
  const kindOf = new Map(changes.map(({ address, kind }) => [address, kind]));
  return actions.filter(isOpenAction).map(({ action: run, about = run, grade }) => ({
    ...{ address: about, kind: kindOf.get(about) ?? run, action: 'update', grade, fields: [], run },
  }));
}

/** The objects that go without a change of their own, with their container. */
function brought({ gone = [], changes }: Plan): Judged[] {
  const known = new Set(
    changes.filter(({ action }) => action === 'delete' || action === 'replace').map(({ address }) => address),
  );
  return gone
    .filter(({ address }) => !known.has(address))
    .map(({ address, kind }) => ({ address, kind, action: 'delete', grade: 'destructive', fields: [] }));
}

function denied(changes: Judged[], guard: Guards['deny'][number], plan: Plan): Diagnostic[] {
  if (!isOfStack(guard.stack, plan)) return [];
  const [kinds, actions, grades, causes] = [
    listOf(guard.kind),
    listOf(guard.action),
    listOf(guard.grade),
    listOf(guard.cause),
  ];
  const isAt = addressTest(guard.at);
  const isField = fieldTest(listOf(guard.field));
  const runs = listOf(guard.run);
  const isRun = nameTest(runs);
  const isMeant = ({ kind, action, grade, fields, run, takenFrom, ...change }: Judged) =>
    isAt(change) &&
    (!runs || (run !== undefined && isRun(run))) &&
    (!kinds || kinds.includes(kind)) &&
    (!actions ||
      actions.some(
        (name) =>
          name === action ||
          (name === 'delete' && action === 'replace') ||
          (name === 'takeover' && takenFrom !== undefined),
      )) &&
    (!grades || grades.includes(grade)) &&
    ((!guard.field && !causes) ||
      fields.some(({ path, cause }) => isField(path) && (!causes || causes.includes(cause))));
  const met = changes.filter(isMeant);
  if (met.length === 0) return [];
  return [
    refusal(
      problem,
      'guards/denied',
      met,
      guard,
      (what, shown) => `the guards refuse to ${deedOf(shown, what)}`,
    ),
  ];
}

function beyond(plan: Plan, changes: Judged[], { limits }: Guards, { pace }: Judging): Diagnostic[] {
  const { requests, seconds } = forecast(plan, pace);
  const cost = groupLogicalChanges(
    plan.changes.filter(({ permissions }) => permissions?.includes('cost')),
  ).length;
  const moved = changes.filter(({ movesTo }) => movesTo !== undefined).length;
  const deleted = plan.gone?.length ?? changes.filter(({ action }) => action === 'delete').length - moved;
  const deletions = deleted + moved;
  const measured = { deletions, requests, cost, duration: seconds };
  const said = {
    deletions: (number: number) => `deletes ${count(number, 'object')}`,
    requests: (number: number) => `sends ${count(number, 'request')}`,
    cost: (number: number) => `has ${count(number, 'change')} that cost money`,
    duration: (number: number) => `takes about ${durationText(number * 1000)}`,
  };
  return (Object.keys(measured) as (keyof typeof measured)[]).flatMap((name) => {
    const limit = limits[name];
    if (!limit || measured[name] <= limit.most) return [];
    const most = name === 'duration' ? durationText(limit.most * 1000) : limit.most;
    return [
      problem('guards/limit', `this plan ${said[name](measured[name])}; the guards allow ${most}`, {
        hint: 'split it (--target), or ask the owner of the guards',
        related: [{ message: 'the limit', at: limit.place }],
      }),
    ];
  });
}

function frozen(
  changes: Judged[],
  guard: Guards['freeze'][number],
  plan: Plan,
  { now, writes }: Judging,
): Diagnostic[] {
  const isNow = Date.parse(guard.from) <= now && now < Date.parse(guard.until);
  if (!isNow || !isOfStack(guard.stack, plan)) return [];
  const met = changes.filter(addressTest(guard.at));
  if (met.length === 0) return [];
  const create = writes ? problem : warning;
  return [refusal(create, 'guards/freeze', met, guard, (what) => `${what} is frozen until ${guard.until}`)];
}

const fewNames = 3;

/** One problem for all that a guard meets: with its message, and with the place where the guard stands. */
function refusal(
  create: typeof problem,
  code: string,
  judgeds: Judged[],
  { message, place }: Guards['deny'][number] | Guards['freeze'][number],
  words: (what: string, changes: Judged[]) => string,
): Diagnostic {
  const met = judgeds.filter(({ movesTo }) => !judgeds.some(({ address }) => address === movesTo));
  const wholes = groupLogicalChanges(met as (Judged & Change)[]).map(([one]) => one!);
  const [first] = wholes as [Judged, ...Judged[]];
  const names = wholes
    .slice(0, fewNames)
    .map(({ address, former }) => (former === undefined ? address : `${address} (until now ${former})`));
  const more = wholes.length - names.length;
  const what = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return create(code, `${words(what, met)}: ${message}`, {
    address: wholes.length === 1 ? first.address : undefined,
    at: first.at,
    related: [{ message: 'the guard', at: place }],
  });
}

/** `delete projects/web`, `run promote on projects/web`; `change` where it is not the same for all. */
function deedOf(changes: Judged[], what: string): string {
  const [run, another] = new Set(changes.map((change) => change.run));
  // One about the account stands under its own name.
  if (run !== undefined && another === undefined)
    return run === what ? `run ${run}` : `run ${run} on ${what}`;
  if (changes.every(({ movesTo }) => movesTo !== undefined)) return `move ${what} to another container`;
  if (changes.every(({ takenFrom }) => takenFrom !== undefined)) return `take over ${what}`;
  const [action, other] = new Set(changes.map((change) => change.action));
  return `${other === undefined ? action! : 'change'} ${what}`;
}

function isOfStack(stack: string | string[] | undefined, plan: Plan): boolean {
  const globs = listOf(stack);
  return nameTest(globs)(plan.stack);
}

function addressTest(
  at: string | string[] | undefined,
): (change: Pick<Judged, 'address' | 'former'>) => boolean {
  const globs = listOf(at);
  if (!globs) return () => true;
  const test = matcherOf(globs);
  return ({ address, former }) => test(address) || (former !== undefined && test(former));
}

/** Returns a test for names of stacks and actions, and for paths of fields. Without globs, all of them pass. */
function nameTest(globs: string[] | undefined): (name: string) => boolean {
  const compiled = globs?.map((glob) => compileGlob(glob, { hasParts: false }));
  return (name) => !compiled || compiled.some(({ matches }) => matches(name));
}

/** Returns a test for paths of fields. A glob that matches a field also matches all fields in it. */
function fieldTest(globs: string[] | undefined): (path: string) => boolean {
  const isMatch = nameTest(globs);
  return (path) => {
    const steps = path.split('.');
    return steps.some((_, index) => isMatch(steps.slice(0, index + 1).join('.')));
  };
}
