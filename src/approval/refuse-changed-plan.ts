import type { Address } from '../model/address.ts';
import { onlyRecordsHandover } from '../model/change.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { planJson } from '../report/plan-json.ts';
import { jsonText, show } from '../report/show.ts';
import { count, cutCounted } from '../report/text.ts';
import type { Planned } from '../run/open-plan.ts';
import type { RunSession } from '../run/session.ts';
import { acceptDeletions, isConflictWithin } from './after-deletions.ts';
import { agreedAction, isApproved, isRemainder } from './compare-approval.ts';
import { type Difference, differences } from './differences.ts';
import { decode, type Encoded } from './encode.ts';
import { checkSeal } from './parse-saved-plan.ts';
import { placeToApprove, saveSessionPlan, uncomparedAddresses } from './save-plan.ts';
import type { SavedPlan } from './saved-plan.ts';

/** The hint for a plan file that cannot be applied any more. */
const planAgainHint = 'plan again with `trueup plan --out FILE` and have the new plan approved';

/**
 * Returns a plan without the problems (`guard/conflict`) that objects at accepted addresses, and no others, were changed outside as well,
 * so that they do not stop the apply of an approved plan (a saved one, or one that was shown). `accepted`: the addresses whose changes
 * differ only because other stacks of the same run deleted objects.
 */
export function withoutConflictsWithin(planned: Planned, accepted: ReadonlySet<Address>): Planned {
  if (accepted.size === 0) return planned;
  const { plan } = planned;
  const diagnostics = plan.diagnostics.filter((diagnostic) => !isConflictWithin(diagnostic, accepted));
  return { ...planned, plan: { ...plan, diagnostics } };
}

/**
 * True if a plan is exactly the approved one. The fast check before an apply: only if it fails, the effects of other
 * stacks are looked at.
 */
export const isSameAsSaved = (approved: SavedPlan, { plan }: Planned, session: RunSession): boolean =>
  isApproved(approved, saveSessionPlan(session, plan, approved.options, approved));

/**
 * Throws `Problems` if a saved plan cannot be applied here, as far as that is known without reading the
 * account: it is for another stack, account or API, its seal is missing, wrong or by another key, the ledger
 * is older, guards or checks are missing, or secrets were not compared. Called before a saved plan is
 * compared; for a file with one plan also before the account is read, so that a wrong file costs no reading.
 */
export function refuseOthers(approved: SavedPlan, session: RunSession, file: string): void {
  refuseOtherStack(approved, session, file);
  refuseBrokenSeal(approved, session, file);
  refuseOtherLedger(approved, session, file);
  refuseMissingGuards(approved, session, file);
  refuseUncomparedSecrets(approved, file);
}

/** Throws `Problems` if the saved plan that `apply` should carry out is for another stack, account or API than this run. */
function refuseOtherStack(approved: SavedPlan, { ledger, owner, desired }: RunSession, file: string): void {
  const identity = { stack: desired.stack, owner: owner.id, baseUrl: ledger.baseUrl };
  const memberNames = { stack: 'stack', owner: 'account', baseUrl: 'base URL' };
  for (const name of ['stack', 'owner', 'baseUrl'] as const)
    if (approved[name] !== identity[name])
      raise(
        'approval/foreign',
        `${file} is a plan for a different ${memberNames[name]}: ${approved[name]}, not ${identity[name]}`,
        { hint: 'check --file, `platform:`, the token, --base-url and --twin; nothing was changed' },
      );
}

/**
 * Throws `Problems` unless a saved plan has a seal by the ledger key of this run and is unchanged since then. Otherwise it may not be the
 * file that was approved, and `apply` must not carry it out.
 */
function refuseBrokenSeal(approved: SavedPlan, { key }: RunSession, file: string): void {
  const seal = checkSeal(approved, key);
  if (seal.state === 'none')
    raise(
      'approval/not-sealed',
      `${file} is not sealed: it was made without a key, or its seal was removed`,
      {
        hint: 'apply only accepts plans sealed with the ledger key: plan where the key is available (on the main branch, or on your machine) and have that plan approved',
      },
    );
  if (seal.state === 'unknown')
    raise('approval/key', `${file} is sealed with the key ${seal.key}, but the key here is ${key?.id}`, {
      hint: 'set TRUEUP_LEDGER_KEY to the key that the plan was made with; nothing was changed',
    });
  if (seal.state === 'broken')
    raise('approval/damaged', `${file} was edited after it was sealed, so it is not applied`, {
      hint: planAgainHint,
    });
  // `checkSeal` also accepts a seal by the previous key.
  if (seal.state === 'sealed' && seal.key !== key?.id)
    raise(
      'approval/key',
      `${file} was made with the previous ledger key and does not cover what the new key records`,
      { hint: planAgainHint },
    );
}

/**
 * Throws `Problems` if the ledger of this run is at another place than the one that a saved plan was made on, or is older. All files count
 * as one place: another file is only noticed if its ledger is older.
 */
function refuseOtherLedger(
  approved: SavedPlan,
  { ledger, store, documents }: RunSession,
  file: string,
): void {
  const ledgerHere = placeToApprove(documents);
  if (approved.ledger !== undefined && approved.ledger !== ledgerHere)
    raise(
      'approval/ledger',
      `${file} was made on the ledger at ${approved.ledger}, but the ledger here is ${store.place}`,
      {
        hint: `if the ledger has moved, ${planAgainHint}; otherwise check \`ledger:\`, --ledger and TRUEUP_LEDGER`,
      },
    );
  if (ledger.generation < approved.generation)
    raise(
      'approval/older-ledger',
      `the ledger ${store.place} is at generation ${ledger.generation}, and ${file} was made on generation ${approved.generation}: an older ledger has been put in its place`,
      { hint: 'find out why; restore the newest ledger, or review this one and plan again' },
    );
}

/** Throws `Problems` if guards or a check judged a saved plan, and this run has none: they have to judge the current plan as well. */
function refuseMissingGuards(approved: SavedPlan, { guards }: RunSession, file: string): void {
  if (approved.guards?.file !== undefined && guards?.file === undefined)
    raise(
      'approval/guards',
      `${file} was checked against ${approved.guards.file}, but no guards are given here`,
      { hint: 'pass them with --guards or TRUEUP_GUARDS; nothing was changed' },
    );
  if (approved.guards?.checks && !guards?.checks)
    raise(
      'approval/guards',
      `${file} was checked by ${approved.guards.checks.join(' and ')}, but no check is given here`,
      { hint: 'pass it with --check; nothing was changed' },
    );
}

/** Throws `Problems` if a saved plan sends a secret that was not compared when it was made, because it could be another one by now. */
function refuseUncomparedSecrets(approved: SavedPlan, file: string): void {
  const addresses = uncomparedAddresses(approved);
  if (addresses.length > 0)
    raise(
      'approval/not-compared',
      `${addresses.join(', ')}: a secret was not compared when ${file} was made, so it cannot be confirmed as the approved one`,
      { hint: 'plan again with all secrets and TRUEUP_LEDGER_KEY available, and have the new plan approved' },
    );
}

/**
 * Throws `Problems` with the first differences if a plan is neither the approved one nor the part of it that an interrupted apply has not
 * done (its remainder). Effects of objects that other stacks of the same run have deleted (`deleted`) are accepted; returns the addresses
 * whose changes differ because of them.
 */
export function refuseChanged(
  savedPlan: SavedPlan,
  { plan }: Pick<Planned, 'plan'>,
  session: RunSession,
  file: string,
  deleted: ReadonlySet<Address> = new Set(),
): ReadonlySet<Address> {
  // With the salt of the saved plan, so that digests of equal secrets are equal.
  const currentPlan = saveSessionPlan(session, plan, savedPlan.options, savedPlan);
  const { approved, current, addresses } = acceptDeletions(savedPlan, currentPlan, deleted);
  if (isApproved(approved, current)) return addresses;
  // A run notes the plan that it starts to apply in the ledger.
  const isBegun = session.ledger.plan === approved.checksum;
  if (isBegun && isRemainder(approved, current)) return addresses;
  const groups = groupDifferences(differences(approved, current));
  const cutText = groups.length > maxDifferences ? `, the first ${maxDifferences} are below` : '';
  const begunText = isBegun ? '. It was applied before, at least in part' : '';
  const shownDifferences = groups.slice(0, maxDifferences).flat();
  raise([
    problem(
      'approval/changed',
      `${file} no longer matches what would be applied, so nothing was changed: ${count(groups.length, 'difference')}${cutText}${begunText}`,
      { hint: planAgainHint },
    ),
    ...shownDifferences.map((difference) => differenceProblem(difference, plan, approved)),
    ...plan.diagnostics.filter(({ severity }) => severity === 'error'),
  ]);
}

/**
 * Groups equal differences of the targets of one variable (`env/A@production`, `env/A@preview`), because people count a variable in three
 * targets as one. Used to list the first differences from an approved plan.
 */
const groupDifferences = (allDifferences: readonly Difference[]): Difference[][] => [
  ...groupBy(allDifferences, ({ address, ...difference }) =>
    canonicalJson({ ...difference, address: address && addressWithoutTarget(address) }),
  ).values(),
];

/** The most differences that a refusal lists. */
const maxDifferences = 5;

/**
 * Converts a difference from the approved plan into a problem of the refusal by `apply`, with its cause and both values if they may be
 * shown. The position in the configuration is part of the text: problems with positions are sorted by them, and the differences must keep
 * their order.
 */
function differenceProblem(difference: Difference, plan: Plan, approvedPlan: SavedPlan): Diagnostic {
  const { cause, address, field, what } = difference;
  // `projects/web: \`framework\``, or one of the two.
  const subject = [address, field && `\`${field}\``].filter(Boolean).join(': ');
  // `projects/web: it no longer exists`, but `projects/web: \`framework\` was changed outside`.
  const colon = subject && field === undefined ? ':' : '';
  const causeText = differenceCauseText(difference, plan, approvedPlan);
  const message = `${subject}${colon} ${what}${differingValuesText(difference)}${causeText}`.trim();
  const code = cause === 'judgement' || cause === 'problem' ? `approval/${cause}` : 'approval/difference';
  return problem(code, message, { address });
}

/**
 * Formats both values of a difference between an approved plan and today's, as the end of the refusal; empty if they are not known or must
 * not be shown. A value that was changed outside was only planned on, and not approved.
 */
function differingValuesText({ cause, approved, now }: Difference): string {
  if (approved === undefined || now === undefined) return '';
  const value = (side: Encoded) => cutCounted(show(decode(side)), 60);
  const approvedWords = cause === 'outside' ? 'planned on' : 'approved as';
  return `: ${approvedWords} ${value(approved)}, now it is ${value(now)}`;
}

/**
 * Formats the cause of a difference between the approved plan and the plan made now, as the end of a sentence of the refusal. `judgement`:
 * the plans decide differently about an unchanged declaration. A file with a key has a seal, which proves that it was not edited.
 */
function differenceCauseText({ cause, address }: Difference, { changes }: Plan, { key }: SavedPlan): string {
  const position = changes.find((change) => change.address === address)?.at;
  const texts: Record<Difference['cause'], string> = {
    configuration: ` (the configuration changed${position ? `, ${position.file}:${position.line}` : ''})`,
    secret: ' (a secret)',
    outside: ' (the account changed)',
    judgement: `, although its declaration is unchanged: its surroundings in the account changed, the ledger changed, ${key === undefined ? 'the file was edited, ' : ''}or another version of trueup made the plan`,
    problem: '',
  };
  return texts[cause];
}

/**
 * Throws `Problems` if a plan is not the one that was shown. Called when the user has confirmed a plan and the
 * account was read again, so that nothing is applied that the user has not seen.
 */
export function refuseUnlikeShown(shown: Plan, current: Plan): void {
  if (textToCompare(shown) === textToCompare(current)) return;
  raise('apply/changed', 'the account changed after the plan was shown, so nothing was changed', {
    hint: 'run apply again to see the current plan',
  });
}

/**
 * Throws `Problems` if a plan is not the one that was shown to the user, right before it is applied. Accepts
 * differences that follow from objects which other stacks of the same run have deleted, and returns the
 * addresses whose changes differ because of them.
 */
export async function refuseUnlikeShownBeside(
  shown: Plan,
  current: Plan,
  session: RunSession,
  findDeleted: () => Promise<ReadonlySet<Address>>,
): Promise<ReadonlySet<Address>> {
  if (textToCompare(shown) === textToCompare(current)) return new Set();
  const deleted = await findDeleted();
  if (deleted.size > 0) {
    // Compared in the form of plan files, because these have digests of the values.
    const shownPlan = saveSessionPlan(session, shown, {});
    // With the salt of `shownPlan`, so that digests of equal secrets are equal.
    const currentPlan = saveSessionPlan(session, current, {}, shownPlan);
    const accepted = acceptDeletions(shownPlan, currentPlan, deleted);
    if (isApproved(accepted.approved, accepted.current)) return accepted.addresses;
  }
  // This throws, because the texts differ.
  refuseUnlikeShown(shown, current);
  return new Set();
}

/**
 * Returns the part of a plan as text that must be the same when `apply` plans again after the user has agreed. Left out are members that
 * change nothing and may differ: unmanaged objects and whether all of them are known, the number of reads, objects that were not ready,
 * authors of changes, changes that only record a handover between stacks, and the state and requests of actions (`agreedAction`).
 */
function textToCompare({
  reads: _,
  partialKinds: __,
  waiting: ___,
  changedBy: ____,
  actions,
  ...plan
}: Plan): string {
  const changes = plan.changes.filter((change) => !onlyRecordsHandover(change));
  return jsonText([planJson({ ...plan, unmanaged: [], changes }), actions?.map(agreedAction)]);
}
