import type { Address } from '../model/address.ts';
import { followsHandover } from '../model/change.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { count } from '../report/count.ts';
import { cutCounted } from '../report/cut.ts';
import { jsonText } from '../report/json-value.ts';
import { planJson } from '../report/plan-json.ts';
import { show } from '../report/show.ts';
import { type OpenPlanOptions, openPlan, openSettledPlan, type Planned } from '../run/open-plan.ts';
import type { Session } from '../run/session.ts';
import { acceptDeletions, isConflictWithin } from './after-deletions.ts';
import { agreedAction, isApproved, isRest } from './compare-approval.ts';
import { type Difference, differences } from './differences.ts';
import { decode, type Encoded } from './encode.ts';
import { sealing } from './parse-saved-plan.ts';
import { saveSessionPlan, uncompared } from './save-plan.ts';
import type { SavedPlan } from './saved-plan.ts';

const again = 'plan again with `trueup plan --out FILE` and have the new plan approved';

/**
 * Plans again as the file was planned, and returns the plan only if it is the approved one: the file says what was approved, and nothing in
 * it is sent. `file`: its name for people. `deletedBeside`: finds the objects that stacks approved together with this one deleted; called
 * only if the plan differs. Throws `Problems` with the first differences and their causes.
 */
export async function planAsApproved(
  session: Session,
  file: string,
  approved: SavedPlan,
  options: OpenPlanOptions,
  deletedBeside?: () => Promise<ReadonlySet<Address>>,
): Promise<Planned> {
  refuseOthers(approved, session, file);
  // What is missing is said in the same words as where it was made.
  const review = approved.diagnostics.some(({ code }) => code === 'secret/left-out');
  const canary = { agreed: approved.firstContact };
  const planned = await openSettledPlan(session, { ...options, canary, review });
  const mayDiffer = deletedBeside !== undefined && !isUnchanged(approved, planned, session);
  const deleted = mayDiffer ? await deletedBeside() : undefined;
  const accepted = refuseChanged(approved, planned, session, file, deleted);
  return { ...withoutConflictsWithin(planned, accepted), digest: approved.checksum };
}

/** Removes the conflicts that only say that objects were deleted by other stacks of the same run. */
export function withoutConflictsWithin(planned: Planned, accepted: ReadonlySet<Address>): Planned {
  if (accepted.size === 0) return planned;
  const { plan } = planned;
  const diagnostics = plan.diagnostics.filter((diagnostic) => !isConflictWithin(diagnostic, accepted));
  return { ...planned, plan: { ...plan, diagnostics } };
}

const isUnchanged = (approved: SavedPlan, { plan }: Planned, session: Session): boolean =>
  isApproved(approved, saveSessionPlan(session, plan, approved.options, approved));

/** Refuses what can be refused before the account is read. Throws `Problems`. */
export function refuseOthers(
  approved: SavedPlan,
  { ledger, owner, key, desired, store, guards }: Session,
  file: string,
): void {
  const refuse = (code: string, message: string, hint: string): never => {
    throw new Problems([problem(code, message, { hint })]);
  };
  const here = { stack: desired.stack, owner: owner.id, baseUrl: ledger.baseUrl };
  const words = { stack: 'stack', owner: 'account', baseUrl: 'base URL' };
  for (const name of ['stack', 'owner', 'baseUrl'] as const)
    if (approved[name] !== here[name])
      refuse(
        'approval/foreign',
        `${file} is a plan for a different ${words[name]}: ${approved[name]}, not ${here[name]}`,
        'check --file, `platform:`, the token, --base-url and --twin; nothing was changed',
      );
  const seal = sealing(approved, key);
  if (seal.state === 'none')
    refuse(
      'approval/not-sealed',
      `${file} is not sealed: it was made without a key, or its seal was removed`,
      'apply only accepts plans sealed with the ledger key: plan where the key is available (on the main branch, or on your machine) and have that plan approved',
    );
  if (seal.state === 'unknown')
    refuse(
      'approval/key',
      `${file} is sealed with the key ${seal.key}, but the key here is ${key?.id}`,
      'set TRUEUP_LEDGER_KEY to the key that the plan was made with; nothing was changed',
    );
  if (seal.state === 'broken')
    refuse('approval/edited', `${file} was edited after it was sealed, so it is not applied`, again);
  if (seal.state === 'sealed' && seal.key !== key?.id)
    refuse(
      'approval/key',
      `${file} was made with the previous ledger key and does not cover what the new key records`,
      again,
    );
  if (ledger.generation < approved.generation)
    refuse(
      'approval/older-ledger',
      `the ledger ${store.place} is at generation ${ledger.generation}, and ${file} was made on generation ${approved.generation}: an older ledger has been put in its place`,
      'find out why; restore the newest ledger, or review this one and plan again',
    );
  if (approved.guards?.file !== undefined && guards?.file === undefined)
    refuse(
      'approval/guards',
      `${file} was checked against ${approved.guards.file}, but no guards are given here`,
      'pass them with --guards or TRUEUP_GUARDS; nothing was changed',
    );
  if (approved.guards?.checks && !guards?.checks)
    refuse(
      'approval/guards',
      `${file} was checked by ${approved.guards.checks.join(' and ')}, but no check is given here`,
      'pass it with --check; nothing was changed',
    );
  const addresses = uncompared(approved);
  if (addresses.length > 0)
    refuse(
      'approval/not-compared',
      `${addresses.join(', ')}: a secret was not compared when ${file} was made, so it cannot be confirmed as the approved one`,
      'plan again with all secrets and TRUEUP_LEDGER_KEY available, and have the new plan approved',
    );
}

/**
 * Refuses another plan than the approved one, and names the differences. `deleted`: objects that other stacks of the same run deleted, see
 * `acceptDeletions`. Returns the addresses whose changes differ because of these deletions. Throws `Problems`.
 */
export function refuseChanged(
  savedPlan: SavedPlan,
  { plan }: Pick<Planned, 'plan'>,
  session: Session,
  file: string,
  deleted: ReadonlySet<Address> = new Set(),
): ReadonlySet<Address> {
  const found = saveSessionPlan(session, plan, savedPlan.options, savedPlan);
  const { approved, current, addresses } = acceptDeletions(savedPlan, found, deleted);
  if (isApproved(approved, current)) return addresses;
  const isBegun = session.ledger.plan === approved.checksum;
  if (isBegun && isRest(approved, current)) return addresses;
  const different = differences(approved, current);
  const howMany = `${count(different.length, 'difference')}${different.length > most ? `, the first ${most} are below` : ''}`;
  throw new Problems([
    problem(
      'approval/changed',
      `${file} no longer matches what would be applied, so nothing was changed: ${howMany}${isBegun ? '. It was applied before, at least in part' : ''}`,
      { hint: again },
    ),
    ...different.slice(0, most).map((difference) => diagnosticOf(difference, plan, approved)),
    ...plan.diagnostics.filter(({ severity }) => severity === 'error'),
  ]);
}

const most = 5;

/** Without a place of its own, so that the list keeps its order: the cause names it. */
function diagnosticOf(difference: Difference, { changes }: Plan, { key }: SavedPlan): Diagnostic {
  const { cause, address, field, what, approved, now } = difference;
  const position = changes.find((change) => change.address === address)?.at;
  const value = (side: Encoded) => cutCounted(show(decode(side)), 60);
  const subject = [address, field && `\`${field}\``].filter(Boolean).join(': ');
  const values =
    approved === undefined || now === undefined
      ? ''
      : `: ${cause === 'outside' ? 'planned on' : 'approved as'} ${value(approved)}, now it is ${value(now)}`;
  const because = {
    configuration: ` (the configuration changed${position ? `, ${position.file}:${position.line}` : ''})`,
    secret: ' (a secret)',
    outside: ' (the account changed)',
    judgement: `, although its declaration is unchanged: its surroundings in the account changed, the ledger changed, ${key === undefined ? 'the file was edited, ' : ''}or another version of trueup made the plan`,
    problem: '',
  }[cause];
  const message = `${subject}${subject && field === undefined ? ':' : ''} ${what}${values}${because}`.trim();
  return problem(`approval/${cause}`, message, address === undefined ? {} : { address });
}

/**
 * Plans again, and gives that back only if it is the plan that was shown: deciding takes time, and what was agreed to is done only if
 * it is still what the account calls for. Throws `Problems`.
 */
export async function planAsShown(
  session: Session,
  shown: Planned,
  options: OpenPlanOptions,
): Promise<Planned> {
  const canary = { agreed: shown.plan.firstContact };
  const current = await openPlan(session, { ...options, canary });
  refuseUnlikeShown(shown.plan, current.plan);
  return current;
}

/** Refuses another plan than the one that was shown. Throws `Problems`. */
export function refuseUnlikeShown(shown: Plan, current: Plan): void {
  if (comparedText(shown) === comparedText(current)) return;
  throw new Problems([
    problem('apply/changed', 'the account changed after the plan was shown, so nothing was changed', {
      hint: 'run apply again to see the current plan',
    }),
  ]);
}

/**
 * Refuses another plan than the one that was shown, except for differences that follow from objects that other stacks of the same run
 * deleted. Returns the addresses of changes that differ because of that. Throws `Problems`.
 */
export function refuseUnlikeShownBeside(
  shown: Plan,
  current: Plan,
  session: Session,
  deleted: ReadonlySet<Address>,
): ReadonlySet<Address> {
  if (deleted.size > 0 && comparedText(shown) !== comparedText(current)) {
    const before = saveSessionPlan(session, shown, {});
    const accepted = acceptDeletions(before, saveSessionPlan(session, current, {}, before), deleted);
    if (isApproved(accepted.approved, accepted.current)) return accepted.addresses;
  }
  refuseUnlikeShown(shown, current);
  return new Set();
}

/** Returns what has to be the same in two plans, as text: neither objects of others, nor what was waited for and may be ready. */
function comparedText({
  reads: _,
  unlisted: __,
  waiting: ___,
  changedBy: ____,
  actions,
  ...plan
}: Plan): string {
  const changes = plan.changes.filter((change) => !followsHandover(change));
  return jsonText([planJson({ ...plan, unmanaged: [], changes }), actions?.map(agreedAction)]);
}
